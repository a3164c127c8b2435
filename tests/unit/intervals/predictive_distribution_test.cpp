#include "intervals/predictive_distribution.hpp"

#include <cmath>

#include "objective/cumulative.hpp"
#include "support.hpp"

namespace shrimp {
namespace predictive_distribution_test {

// Numbers of SciPy 1.17, and of its quadrature for mixtures.
constexpr double close = 1e-10;

LossFunction tweedie() { return LossFunction(Loss::tweedie, LossParameters{.shape = 1.5}); }

TEST(Cumulative, IsThatOfSciPy) {
  EXPECT_NEAR(gamma_cumulative(300.0, 310.0), 0.7224887541718611, close);
  EXPECT_NEAR(gamma_cumulative(2e5, 2.005e5), 0.868184223254723, 1e-6);
  EXPECT_NEAR(beta_cumulative(250.0, 900.0, 0.22), 0.5898959513773788, close);
  EXPECT_EQ(gamma_cumulative(2.0, -1.0), 0.0);
  EXPECT_EQ(beta_cumulative(2.0, 3.0, 1.0), 1.0);
}

TEST(PredictiveDistribution, IsTheResponseDistributionIfTheMeanIsKnown) {
  const PredictiveDistribution counts(LossFunction(Loss::poisson), 4.2, 0.0, 1.0);
  EXPECT_NEAR(counts.cumulative(3.0), 0.39540336960235617, close);
  EXPECT_EQ(counts.quantile(0.95), 8.0);
  const PredictiveDistribution dispersed(LossFunction(Loss::poisson), 4.2, 0.0, 2.5);
  EXPECT_NEAR(dispersed.cumulative(5.5), 0.7178780793051032, close);
  EXPECT_EQ(dispersed.quantile(0.9), 9.0);
  EXPECT_NEAR(dispersed.standard_deviation(), std::sqrt(2.5 * 4.2), close);
  const PredictiveDistribution amounts(LossFunction(Loss::gamma), 2.5, 0.0, 0.7);
  EXPECT_NEAR(amounts.cumulative(3.0), 0.6924146363421646, close);
  EXPECT_NEAR(amounts.quantile(0.9), 5.2719578049565055, 1e-8);
  const PredictiveDistribution sums(tweedie(), 2.0, 0.0, 1.2);
  EXPECT_NEAR(sums.cumulative(0.0), 0.09470176852338277, close);
  EXPECT_NEAR(sums.cumulative(1.0), 0.36421434604844594, close);
  EXPECT_NEAR(sums.cumulative(5.0), 0.9261825233177883, close);
  EXPECT_EQ(sums.quantile(0.05), 0.0);
}

TEST(PredictiveDistribution, AveragesOverTheNormalLogarithmOfTheMean) {
  const PredictiveDistribution amounts(LossFunction(Loss::gamma), 2.5, 0.5, 0.7);
  EXPECT_NEAR(amounts.cumulative(3.0), 0.6771767102940465, 1e-4);
  EXPECT_NEAR(amounts.quantile(0.9), 6.330005834629775, 5e-3);
  EXPECT_NEAR(amounts.standard_deviation(), 3.0809908547236033, 0.02);
  const PredictiveDistribution counts(LossFunction(Loss::poisson), 6.0, 0.3, 1.0);
  EXPECT_NEAR(counts.cumulative(10.0), 0.9018096668437947, 1e-4);
  EXPECT_EQ(counts.quantile(0.95), 12.0);
}

TEST(PredictiveDistribution, QuantilesInvertProbabilitiesOverManyOrdersOfMagnitude) {
  for (const double mean : {1e-8, 0.3, 40.0, 1e7}) {
    for (const double dispersion : {1e-9, 0.05, 1.0, 30.0}) {
      for (const double deviation : {0.0, 0.1, 2.0}) {
        for (const double probability : {0.01, 0.5, 0.99}) {
          const PredictiveDistribution amounts(LossFunction(Loss::gamma), mean, deviation, dispersion);
          const double y = amounts.quantile(probability);
          ASSERT_TRUE(std::isfinite(y)) << mean << " " << dispersion;
          if (y > 0.0) {
            EXPECT_NEAR(amounts.cumulative(y), probability, 1e-4) << mean << " " << dispersion;
          }
          const PredictiveDistribution counts(LossFunction(Loss::poisson), mean, deviation, dispersion);
          const double count = counts.quantile(probability);
          EXPECT_GE(counts.cumulative(count), probability) << mean << " " << dispersion;
          if (count > 0.0) {
            EXPECT_LT(counts.cumulative(count - 1.0), probability) << mean << " " << dispersion;
          }
          const double sum = PredictiveDistribution(tweedie(), mean, deviation, dispersion).quantile(probability);
          EXPECT_TRUE(std::isfinite(sum)) << mean << " " << dispersion;
        }
      }
    }
  }
}

TEST(PredictiveDistribution, StaysFiniteIfTheMeanIsUnknown) {
  const PredictiveDistribution counts(LossFunction(Loss::poisson), 3.0, 1e200, 1.0);
  EXPECT_EQ(counts.quantile(0.05), 0.0);
  EXPECT_TRUE(std::isfinite(counts.quantile(0.95)));
  EXPECT_TRUE(std::isfinite(counts.standard_deviation()));
  EXPECT_TRUE(std::isfinite(PredictiveDistribution(LossFunction(Loss::gamma), 0.0, 1.0, 0.5).quantile(0.5)));
}

// Dunn and Smyth (1996).
TEST(PredictiveDistribution, ResidualsOfItsOwnQuantilesAreNormalQuantiles) {
  const PredictiveDistribution amounts(LossFunction(Loss::gamma), 2.0, 0.2, 0.5);
  EXPECT_NEAR(amounts.residual(amounts.quantile(0.975), 0.5), 1.959964, 1e-5);
  const PredictiveDistribution counts(LossFunction(Loss::poisson), 0.5, 0.0, 1.0);
  EXPECT_NEAR(normal_cumulative(counts.residual(0.0, 0.25)), 0.25 * std::exp(-0.5), close);
}

}  // namespace predictive_distribution_test
}  // namespace shrimp

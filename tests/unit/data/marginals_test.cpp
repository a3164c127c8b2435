#include "data/marginals.hpp"

#include <numeric>

#include "data/standardize.hpp"
#include "data/warp.hpp"
#include "support.hpp"

namespace shrimp {
namespace marginals_test {

TEST(Marginals, OfFewValuesAreExact) {
  Matrix X(5, 1);
  const double values[] = {3.0, 1.0, 3.0, 2.0, 3.0};
  std::ranges::copy(values, X.data());
  const Marginal marginal = marginals_of(X, {}).front();
  EXPECT_EQ(marginal.values, (std::vector<double>{1.0, 2.0, 3.0}));
  test::expect_near(marginal.masses, std::vector<double>{0.2, 0.2, 0.6}, 1e-15);
}

TEST(Marginals, CountWeightsAsRepetition) {
  Matrix X(3, 1);
  const double values[] = {3.0, 1.0, 2.0};
  std::ranges::copy(values, X.data());
  const Marginal marginal = marginals_of(X, std::vector<double>{3.0, 1.0, 0.0}).front();
  EXPECT_EQ(marginal.values, (std::vector<double>{1.0, 3.0}));
  test::expect_near(marginal.masses, std::vector<double>{0.25, 0.75}, 1e-15);
}

TEST(Marginals, OfManyValuesAreQuantiles) {
  Matrix X(6400, 1);
  std::iota(X.data(), X.data() + 6400, 0.0);
  const Marginal marginal = marginals_of(X, {}).front();
  ASSERT_EQ(marginal.values.size(), 64U);
  for (std::size_t k = 0; k < 64; ++k) {
    EXPECT_NEAR(marginal.values[k], 100.0 * static_cast<double>(k) + 50.0, 1.0);
    EXPECT_DOUBLE_EQ(marginal.masses[k], 1.0 / 64.0);
  }
}

TEST(Marginals, OfUnusedInputsAreEmpty) {
  const std::vector<Marginal> marginals = marginals_of(test::random_matrix(10, 2, 1), {}, {false, true});
  EXPECT_TRUE(marginals[0].values.empty());
  EXPECT_EQ(marginals[1].values.size(), 10U);
}

TEST(Marginals, ComeBackFromScaling) {
  const Matrix X = test::random_matrix(10, 2, 2);
  const Scaling scaling{{1.0, -3.0}, {0.5, 7.0}, 0.0, 1.0};
  const std::vector<Marginal> marginals = marginals_of(X, {});
  const std::vector<Marginal> back = unscale_marginals(scale_marginals(marginals, scaling), scaling);
  for (std::size_t j = 0; j < 2; ++j) test::expect_near(back[j].values, marginals[j].values, 1e-14);
}

// The logarithm of an input below zero falls where the input rises.
TEST(Marginals, ComeBackFromWarpsAndAscendInEitherUnits) {
  Dataset data = test::make_dataset(40, 3, 3);
  for (double& x : data.X.col(0)) x = -std::exp(x);
  for (double& x : data.X.col(2)) x = std::exp(x);
  Scaling scaling = standardizing(data);
  warp_inputs(scaling, data, {log_warp(data.X.col(0)), rank_warp(data.X.col(1)), log_warp(data.X.col(2))});
  std::vector<Marginal> marginals = marginals_of(data.X, {});
  marginals[0].masses.front() = 0.5;
  const std::vector<Marginal> scaled = scale_marginals(marginals, scaling);
  const std::vector<Marginal> back = unscale_marginals(scaled, scaling);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_TRUE(std::ranges::is_sorted(scaled[j].values));
    test::expect_near(back[j].values, marginals[j].values, 1e-13);
    EXPECT_EQ(back[j].masses, marginals[j].masses);
  }
  EXPECT_EQ(scaled[0].masses.back(), 0.5);
}

}  // namespace marginals_test
}  // namespace shrimp

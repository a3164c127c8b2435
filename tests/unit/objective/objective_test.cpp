#include "objective/objective.hpp"
#include "objective/links.hpp"

#include "support.hpp"

namespace shrimp {
namespace loss_test {

std::vector<LossFunction> all_losses(double scale = 1.0) {
  std::vector<LossFunction> losses;
  for (const Objective* objective : all_objectives()) {
    if (objective->has_several_predictors) continue;
    const double shape = objective->loss == Loss::tweedie ? 1.3 : 0.8;
    losses.emplace_back(objective->loss, LossParameters{scale, shape});
  }
  return losses;
}

double a_target_of(Loss loss) { return loss == Loss::logistic ? 1.0 : 2.0; }

TEST(Loss, HasTheGradientOfItsWorkingRows) {
  for (const LossFunction& loss : all_losses(0.7)) {
    const Loss kind = loss.kind();
    const double y = a_target_of(kind);
    for (const double f : {-2.0, -0.3, 0.4, 1.9}) {
      constexpr double h = 1e-6;
      const double slope = (loss.of(y, f + h) - loss.of(y, f - h)) / (2.0 * h);
      const WorkingRow row = loss.working_row(y, f);
      EXPECT_NEAR(row.weight * (f - row.response), slope, 1e-7) << name_of(kind) << " at " << f;
    }
  }
}

TEST(Loss, HasTheCurvatureOfItsWorkingRows) {
  for (const Loss kind : {Loss::squared, Loss::logistic, Loss::poisson}) {
    const LossFunction loss(kind);
    const double y = a_target_of(kind);
    constexpr double f = 0.4;
    constexpr double h = 1e-4;
    const double curvature = (loss.of(y, f + h) - 2.0 * loss.of(y, f) + loss.of(y, f - h)) / (h * h);
    EXPECT_NEAR(loss.working_row(y, f).weight, curvature, 1e-6) << name_of(kind);
  }
}

TEST(Loss, OfHuberLiesBelowItsWorkingRowsEverywhere) {
  const LossFunction loss(Loss::huber, 0.5);
  const WorkingRow row = loss.working_row(3.0, 1.0);
  const auto above = [&](double g) { return 0.5 * row.weight * (row.response - g) * (row.response - g); };
  const double gap = loss.of(3.0, 1.0) - above(1.0);
  for (double g = -5.0; g < 8.0; g += 0.1) EXPECT_LE(loss.of(3.0, g), above(g) + gap + 1e-12);
}

TEST(Loss, LinksMeansToSumsAndBack) {
  for (const LossFunction& loss : all_losses()) {
    EXPECT_NEAR(loss.mean(loss.link(0.3)), 0.3, 1e-14) << name_of(loss.kind());
  }
  EXPECT_TRUE(std::isfinite(LossFunction(Loss::logistic).link(1.0)));
  EXPECT_TRUE(std::isfinite(LossFunction(Loss::poisson).link(0.0)));
}

TEST(Loss, IsFiniteFarOnTheWrongSide) {
  for (const LossFunction& loss : all_losses()) {
    for (const double f : {-1e4, 1e4}) {
      EXPECT_TRUE(std::isfinite(loss.of(1.0, f))) << name_of(loss.kind());
      EXPECT_TRUE(std::isfinite(loss.working_row(1.0, f).response)) << name_of(loss.kind());
    }
  }
  EXPECT_NEAR(LossFunction(Loss::logistic).of(1.0, -1e4), 1e4, 1e-8);
}

TEST(Loss, OfHuberHasABoundedGradient) {
  const LossFunction loss(Loss::huber, 1.0);
  EXPECT_DOUBLE_EQ(loss.of(1.0, 0.0), 0.5);
  EXPECT_NEAR(loss.of(101.0, 0.0) - loss.of(100.0, 0.0), 1.345, 1e-12);
}

TEST(Loss, ConstantIsTheOneOfLeastLoss) {
  const std::vector<double> classes = {0.0, 1.0, 1.0, 0.0, 1.0};
  const std::vector<double> numbers = {0.5, 1.5, 4.0, 2.5, 3.0};
  const std::vector<double> weights = {1.0, 3.0, 1.0, 1.0, 2.0};
  for (const LossFunction& loss : all_losses(1e-3)) {
    const Loss kind = loss.kind();
    if (kind == Loss::huber) continue;  // It begins at the median, whatever its scale is.
    const std::vector<double>& y = kind == Loss::logistic ? classes : numbers;
    const double best = best_constant(loss, y, weights);
    const auto at = [&](double f) { return mean_loss(loss, y, std::vector<double>(y.size(), f), weights); };
    EXPECT_LT(at(best), at(best + 0.01)) << name_of(kind);
    EXPECT_LT(at(best), at(best - 0.01)) << name_of(kind);
  }
}

TEST(Loss, IsHomogeneousOfItsDegree) {
  constexpr double c = 3.0;
  for (const LossFunction& loss : all_losses()) {
    if (loss.kind() == Loss::logistic) continue;  // Classes have no unit.
    const double factor = std::pow(c, loss.objective().degree(loss.parameters()));
    const LossFunction scaled = loss.with_scale(c);
    const double expected = factor * loss.of(2.0, loss.link(0.8));
    EXPECT_NEAR(scaled.of(2.0 * c, loss.link(0.8 * c)), expected, 1e-12) << name_of(loss.kind());
  }
}

TEST(Loss, OfTheCallerIsEvaluatedInItsUnits) {
  struct Squared : CustomLoss {
    void evaluate(std::span<const double> y, std::span<const double> f, std::span<double> loss,
                  std::span<double> gradient, std::span<double> curvature) const override {
      for (std::size_t i = 0; i < y.size(); ++i) {
        loss[i] = 0.5 * (y[i] - f[i]) * (y[i] - f[i]);
        gradient[i] = f[i] - y[i];
        curvature[i] = 1.0;
      }
    }
  };
  const LossFunction loss(std::make_shared<Squared>(), 100.0, 5.0);
  const WorkingRow row = loss.working_row(2.0, 0.5);
  EXPECT_DOUBLE_EQ(row.response, 2.0);
  EXPECT_DOUBLE_EQ(row.weight, 25.0);
  EXPECT_DOUBLE_EQ(loss.of(2.0, 0.5), 25.0 * LossFunction().of(2.0, 0.5));
  EXPECT_NEAR(best_constant(loss, std::vector{1.0, 2.0, 6.0}, {}), 3.0, 1e-9);
}

TEST(Loss, QuantileWithoutSmoothingIsTheCheckLoss) {
  const LossFunction loss = LossFunction(Loss::quantile, LossParameters{1.0, 0.8}).reported();
  EXPECT_NEAR(loss.of(3.0, 1.0), 0.8 * 2.0, 1e-12);
  EXPECT_NEAR(loss.of(1.0, 3.0), 0.2 * 2.0, 1e-12);
}

TEST(Loss, HasAMetricWhereAllCountsAreZero) {
  const std::vector<double> zeros(3, 0.0);
  EXPECT_NEAR(metric_of_means(LossFunction(Loss::poisson), zeros, std::vector{0.5, 1.0, 1.5}), 2.0, 1e-12);
}

TEST(Loss, RobustStandardDeviationIsBlindToOutliers) {
  const std::vector<double> zeros(7, 0.0);
  EXPECT_NEAR(robust_standard_deviation(std::vector{-1.0, 1.0, -1.0, 1.0, 1.0, 1e9, -1e9}, zeros), 1.4826, 1e-12);
  // A weight of two is the row twice.
  EXPECT_EQ(robust_standard_deviation(std::vector{1.0, 2.0, 3.0}, std::vector(3, 0.0), std::vector{3.0, 1.0, 1.0}),
            1.4826);
}

}  // namespace loss_test
}  // namespace shrimp

#include "data/loss.hpp"

#include "support.hpp"

namespace shrimp {
namespace loss_test {

constexpr Loss all_losses[] = {Loss::squared, Loss::logistic, Loss::poisson, Loss::huber};

double a_target_of(Loss loss) { return loss == Loss::logistic ? 1.0 : 2.0; }

TEST(Loss, HasTheSlopeThatItsWorkingRowsTell) {
  for (const Loss kind : all_losses) {
    const LossFunction loss(kind, 0.7);
    const double y = a_target_of(kind);
    for (const double f : {-2.0, -0.3, 0.4, 1.9}) {
      constexpr double h = 1e-6;
      const double slope = (loss.of(y, f + h) - loss.of(y, f - h)) / (2.0 * h);
      const WorkingRow row = loss.working_row(y, f);
      EXPECT_NEAR(row.weight * (f - row.response), slope, 1e-7) << name_of(kind) << " at " << f;
    }
  }
}

TEST(Loss, HasTheCurvatureThatItsWorkingRowsTell) {
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
  for (const Loss kind : all_losses) {
    const LossFunction loss(kind);
    EXPECT_NEAR(loss.mean(loss.link(0.3)), 0.3, 1e-14) << name_of(kind);
  }
  EXPECT_TRUE(std::isfinite(LossFunction(Loss::logistic).link(1.0)));
  EXPECT_TRUE(std::isfinite(LossFunction(Loss::poisson).link(0.0)));
}

TEST(Loss, IsFiniteFarOnTheWrongSide) {
  for (const double f : {-1e4, 1e4}) {
    EXPECT_TRUE(std::isfinite(LossFunction(Loss::logistic).of(1.0, f)));
    EXPECT_TRUE(std::isfinite(LossFunction(Loss::poisson).of(2.0, f)));
    EXPECT_TRUE(std::isfinite(LossFunction(Loss::logistic).working_row(1.0, f).response));
    EXPECT_TRUE(std::isfinite(LossFunction(Loss::poisson).working_row(2.0, f).response));
  }
  EXPECT_NEAR(LossFunction(Loss::logistic).of(1.0, -1e4), 1e4, 1e-8);
}

TEST(Loss, OfHuberIsBoundedInItsSlope) {
  const LossFunction loss(Loss::huber, 1.0);
  EXPECT_DOUBLE_EQ(loss.of(1.0, 0.0), 0.5);
  EXPECT_NEAR(loss.of(101.0, 0.0) - loss.of(100.0, 0.0), 1.345, 1e-12);
}

TEST(Loss, ConstantIsTheOneOfLeastLoss) {
  const std::vector<double> y = {0.0, 1.0, 1.0, 0.0, 1.0};
  const std::vector<double> weights = {1.0, 3.0, 1.0, 1.0, 2.0};
  for (const Loss kind : {Loss::squared, Loss::logistic, Loss::poisson}) {
    const LossFunction loss(kind);
    const double best = constant_sum(loss, y, weights);
    const auto at = [&](double f) { return mean_loss(loss, y, std::vector<double>(y.size(), f), weights); };
    EXPECT_LT(at(best), at(best + 0.01)) << name_of(kind);
    EXPECT_LT(at(best), at(best - 0.01)) << name_of(kind);
  }
}

TEST(Loss, RobustDeviationIsBlindToOutliers) {
  const std::vector<double> zeros(7, 0.0);
  EXPECT_NEAR(robust_deviation(std::vector{-1.0, 1.0, -1.0, 1.0, 1.0, 1e9, -1e9}, zeros), 1.4826, 1e-12);
  // A weight of two is the row twice.
  EXPECT_EQ(robust_deviation(std::vector{1.0, 2.0, 3.0}, std::vector(3, 0.0), std::vector{3.0, 1.0, 1.0}), 1.4826);
}

}  // namespace loss_test
}  // namespace shrimp

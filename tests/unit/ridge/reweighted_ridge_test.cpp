#include "ridge/reweighted_ridge.hpp"

#include "support.hpp"

namespace shrimp {
namespace reweighted_ridge_test {

constexpr double lambda = 0.5;

const std::vector<double> classes = {0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0};
const std::vector<double> counts = {0, 3, 1, 2, 5, 0, 1, 4, 0, 1, 2, 0};
const std::vector<double> numbers = {7.76, 1.86, 0.54, 8.94, -6.91, 1.33, 1.76, -14.78, 1.46, 1.96, -2.88, 2.27};
const std::vector<double> weights = {1, 2, 1, 1, 3, 1, 1, 1, 2, 1, 1, 1};

Matrix design() {
  const double columns[2][12] = {{2.04, 0.42, -0.45, -2.02, -0.87, 0.23, -0.28, -1.06, 0.48, 0.96, 0.02, 0.55},
                                 {-2.56, -0.57, -0.22, -0.23, 3.32, -0.35, -0.67, -0.39, -0.24, -0.2, 1.55, -0.51}};
  Matrix A(12, 2);
  for (std::size_t j = 0; j < 2; ++j) std::ranges::copy(columns[j], A.col(j).begin());
  return A;
}

void expect_fit(const ReweightedFit& fit, double first, double second, double constant, double tolerance = 1e-7) {
  EXPECT_TRUE(fit.converged);
  EXPECT_NEAR(fit.coefficients[0], first, tolerance);
  EXPECT_NEAR(fit.coefficients[1], second, tolerance);
  EXPECT_NEAR(fit.constant, constant, tolerance);
}

// scikit-learn 1.9: LogisticRegression(C=1/λ)
TEST(ReweightedRidge, IsThePenalisedLogisticRegressionOfScikitLearn) {
  const Matrix A = design();
  const LossFunction loss(Loss::logistic);
  expect_fit(fit_reweighted({rows_of(A), classes, {}, loss}, lambda), -1.2804536659922656, 0.60035355218806,
             0.039715332788561666);
  expect_fit(fit_reweighted({rows_of(A), classes, weights, loss}, lambda), -1.2600880766779965, 0.6044545057369914,
             0.21594066206050472);
}

// scikit-learn 1.9: PoissonRegressor(alpha=λ/Σ weights)
TEST(ReweightedRidge, IsThePenalisedPoissonRegressionOfScikitLearn) {
  const Matrix A = design();
  const LossFunction loss(Loss::poisson);
  expect_fit(fit_reweighted({rows_of(A), counts, {}, loss}, lambda), -0.4868558598079627, 0.29016214836418336,
             0.21474630136735115);
  expect_fit(fit_reweighted({rows_of(A), counts, weights, loss}, lambda), -0.4405525324770048, 0.27089732852152465,
             0.3124382813770356);
}

// SciPy 1.17: minimize of the same sum. The steps go down by a share each.
TEST(ReweightedRidge, IsTheLeastOfHubersLoss) {
  const Matrix A = design();
  const ReweightedFit fit = fit_reweighted({rows_of(A), numbers, {}, LossFunction(Loss::huber, 0.4)}, lambda);
  expect_fit(fit, 0.7704904344291861, -2.0633745054037336, 0.5832961077937007, 2e-4);
  const double penalty = 0.5 * lambda * (std::pow(fit.coefficients[0], 2) + std::pow(fit.coefficients[1], 2));
  EXPECT_NEAR(12.0 * fit.loss + penalty, 14.44735256213344, 1e-6);
}

TEST(ReweightedRidge, TakesExposureAsTheWeightOfARate) {
  const Matrix A = design();
  std::vector<double> rates(counts);
  for (std::size_t i = 0; i < rates.size(); ++i) rates[i] /= weights[i];
  const ReweightedFit fit = fit_reweighted({rows_of(A), rates, weights, LossFunction(Loss::poisson)}, lambda);
  // The score of counts with the offset log(exposure): Σ a (count − exposure·rate) = λ c.
  for (std::size_t j = 0; j < 2; ++j) {
    double score = 0.0;
    for (std::size_t i = 0; i < 12; ++i) score += A(i, j) * (counts[i] - weights[i] * std::exp(fit.sums[i]));
    EXPECT_NEAR(score, lambda * fit.coefficients[j], 1e-5);
  }
}

std::vector<double> without(const Matrix& A, std::span<const double> y, const LossFunction& loss,
                            const std::vector<std::size_t>& left_out) {
  Matrix B(A.rows() - left_out.size(), A.cols());
  std::vector<double> own;
  for (std::size_t i = 0; i < A.rows(); ++i) {
    if (std::ranges::find(left_out, i) != left_out.end()) continue;
    for (std::size_t j = 0; j < A.cols(); ++j) B(own.size(), j) = A(i, j);
    own.push_back(y[i]);
  }
  const ReweightedFit fit = fit_reweighted({rows_of(B), own, {}, loss}, lambda);
  std::vector<double> sums;
  for (const std::size_t i : left_out) {
    sums.push_back(fit.constant + A(i, 0) * fit.coefficients[0] + A(i, 1) * fit.coefficients[1]);
  }
  return sums;
}

TEST(ReweightedRidge, KnowsAboutWhatARowWouldBeWithoutItself) {
  const Matrix A = design();
  for (const Loss kind : {Loss::logistic, Loss::poisson}) {
    const std::vector<double>& y = kind == Loss::logistic ? classes : counts;
    const ReweightedProblem problem{rows_of(A), y, {}, LossFunction(kind)};
    const ReweightedFit fit = fit_reweighted(problem, lambda);
    const std::vector<double> sums = leave_one_out_sums(problem, lambda, fit);
    for (std::size_t i = 1; i < 4; ++i) {
      const double exact = without(A, y, problem.loss, {i}).front();
      EXPECT_NEAR(sums[i], exact, 0.2 * std::abs(exact - fit.sums[i]) + 0.02) << i;  // Far nearer than the fit itself.
    }
  }
}

TEST(ReweightedRidge, KnowsExactlyWhatGroupsWouldBeWithoutThemselvesUnderTheSquaredLoss) {
  const Matrix A = design();
  const ReweightedProblem problem{rows_of(A), numbers, {}, LossFunction(Loss::squared)};
  const auto starts = std::make_shared<const std::vector<std::size_t>>(std::vector<std::size_t>{0, 3, 7, 12});
  const std::vector<double> sums = leave_one_out_sums(problem, lambda, fit_reweighted(problem, lambda), starts);
  const std::vector<double> exact = without(A, numbers, problem.loss, {3, 4, 5, 6});
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(sums[3 + i], exact[i], 1e-8);
}

TEST(ReweightedRidge, StaysFiniteWhereClassesAreApart) {
  Matrix A(6, 1);
  for (std::size_t i = 0; i < 6; ++i) A(i, 0) = static_cast<double>(i) - 2.5;
  const std::vector<double> y = {0, 0, 0, 1, 1, 1};
  const ReweightedFit fit = fit_reweighted({rows_of(A), y, {}, LossFunction(Loss::logistic)}, 1e-6);
  EXPECT_TRUE(std::isfinite(fit.coefficients[0]));
  EXPECT_LT(fit.loss, 1e-3);
}

TEST(ReweightedRidge, WithoutColumnsIsTheBestConstant) {
  const Matrix A(12, 0);
  const ReweightedFit fit = fit_reweighted({rows_of(A), classes, {}, LossFunction(Loss::logistic)}, lambda);
  EXPECT_NEAR(fit.constant, 0.0, 1e-9);  // Six of twelve.
}

TEST(ReweightedRidge, MayBeStoppedByItsCaller) {
  const Matrix A = design();
  const ReweightedProblem problem{rows_of(A), classes, {}, LossFunction(Loss::logistic), [] { throw 1; }};
  EXPECT_THROW((void)fit_reweighted(problem, lambda), int);
}

// One passage over the rows begins, and one more follows every step.
TEST(ReweightedRidge, EndsAfterThreeStepsWhereItIsOver) {
  const Matrix A = design();
  int blocks = 0;
  int checks = 0;
  const auto block = [&](std::size_t first, std::size_t count) {
    ++blocks;
    return rows_of(A).block(first, count);
  };
  const auto check = [&] { ++checks; };
  const ReweightedProblem problem{{12, 2, block},     classes, {}, LossFunction(Loss::logistic), check,
                                  [] { return true; }};
  const ReweightedFit fit = fit_reweighted(problem, lambda);
  EXPECT_EQ(blocks, 4);
  EXPECT_EQ(checks, 4);
  EXPECT_FALSE(fit.converged);
  EXPECT_NEAR(fit.coefficients[0], -1.2804536659922656, 1e-2);
}

}  // namespace reweighted_ridge_test
}  // namespace shrimp

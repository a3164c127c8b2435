#include "solvers/softmax_ridge.hpp"

#include "linalg/dense.hpp"
#include "ridge/reweighted_ridge.hpp"
#include "support.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace softmax_ridge_test {

constexpr double lambda = 0.5;

const std::vector<double> three = {0, 2, 1, 2, 2, 0, 1, 2, 1, 0, 1, 0};
const std::vector<double> two = {0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0};
const std::vector<double> weights = {1, 2, 1, 1, 3, 1, 1, 1, 2, 1, 1, 1};

Matrix design() {
  const double columns[2][12] = {{2.04, 0.42, -0.45, -2.02, -0.87, 0.23, -0.28, -1.06, 0.48, 0.96, 0.02, 0.55},
                                 {-2.56, -0.57, -0.22, -0.23, 3.32, -0.35, -0.67, -0.39, -0.24, -0.2, 1.55, -0.51}};
  Matrix A(12, 2);
  for (std::size_t j = 0; j < 2; ++j) std::ranges::copy(columns[j], A.col(j).begin());
  return A;
}

void expect_fit(const SoftmaxFit& fit, const double (&expected)[3][3]) {
  EXPECT_TRUE(fit.converged);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(fit.coefficients(0, k), expected[k][0], 1e-9);
    EXPECT_NEAR(fit.coefficients(1, k), expected[k][1], 1e-9);
    EXPECT_NEAR(fit.intercepts[k], expected[k][2], 1e-9);
  }
}

// scikit-learn 1.9: LogisticRegression(C=1/λ, solver="newton-cholesky", tol=1e-15)
TEST(SoftmaxRidge, IsThePenalisedMultinomialRegressionOfScikitLearn) {
  const Matrix A = design();
  expect_fit(fit_softmax({A, three, 3}, lambda), {{1.2218888786137638, -0.43157241549665726, -0.2643209795194231},
                                                  {-0.06860432133418395, 0.1422021023223147, 0.35924274990027505},
                                                  {-1.15328455727958, 0.28937031317434186, -0.09492177038085195}});
  expect_fit(fit_softmax({A, three, 3, weights}, lambda),
             {{1.1467360684350945, -0.4229351670462816, -0.5673849741724781},
              {-0.08806885869222687, 0.04577141698519374, 0.33644982713779725},
              {-1.0586672097428689, 0.37716375006108865, 0.23093514703468082}});
}

// c_1 = −c_0 = β/2 has half of the penalty of β.
TEST(SoftmaxRidge, IsLogisticRegressionForTwoClasses) {
  const Matrix A = design();
  const SoftmaxFit fit = fit_softmax({A, two, 2, weights}, 2.0 * lambda);
  const ReweightedProblem logistic{rows_of(A), two, weights, LossFunction(Loss::logistic)};
  const ReweightedFit expected = fit_reweighted(logistic, lambda);
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(fit.coefficients(j, 1) - fit.coefficients(j, 0), expected.coefficients[j], 1e-7);
  }
  EXPECT_NEAR(fit.intercepts[1] - fit.intercepts[0], expected.constant, 1e-7);
  EXPECT_NEAR(fit.loss, expected.loss, 1e-9);
}

// Random columns, classes and weights.
struct Table {
  Matrix A;
  std::vector<double> y;
};
Table random_table(std::size_t rows, std::size_t columns, std::size_t classes) {
  Table table{Matrix(rows, columns), {}};
  std::uint64_t state = 1;
  const auto draw = [&] {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state >> 33U) / 2147483648.0;
  };
  for (std::size_t j = 0; j < columns; ++j) {
    for (double& value : table.A.col(j)) value = 2.0 * draw() - 1.0;
  }
  for (std::size_t i = 0; i < rows; ++i) {
    const double signal = 0.5 * (table.A(i, 0) + 1.0) * static_cast<double>(classes);
    table.y.push_back(draw() < 0.3 ? std::floor(draw() * static_cast<double>(classes)) : std::floor(signal));
  }
  return table;
}

// The gradient Aᵀ(p − y) + λc of (1) and the sum of p − y are zero at the minimum.
TEST(SoftmaxRidge, HasAGradientOfZero) {
  const Table table = random_table(300, 40, 6);
  for (const double own : {1e-2, 1.0, 100.0}) {
    const SoftmaxFit fit = fit_softmax({table.A, table.y, 6}, own);
    Matrix R = softmax(softmax_sums(table.A, fit.coefficients, fit.intercepts));
    for (std::size_t i = 0; i < table.y.size(); ++i) R(i, static_cast<std::size_t>(table.y[i])) -= 1.0;
    const Matrix g = multiply_transposed(table.A, R);
    for (std::size_t k = 0; k < 6; ++k) {
      double sum = 0.0;
      for (const double rest : R.col(k)) sum += rest;
      EXPECT_NEAR(sum, 0.0, 1e-8);
      for (std::size_t j = 0; j < 40; ++j) EXPECT_NEAR(g(j, k) + own * fit.coefficients(j, k), 0.0, 1e-8);
    }
  }
}

TEST(SoftmaxRidge, TakesAWeightOfTwoAsTheRowTwice) {
  const Matrix A = design();
  std::vector<std::size_t> rows;
  std::vector<double> y;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    for (double copy = 0.0; copy < weights[i]; ++copy) {
      rows.push_back(i);
      y.push_back(three[i]);
    }
  }
  const SoftmaxFit weighted = fit_softmax({A, three, 3, weights}, lambda);
  const SoftmaxFit repeated = fit_softmax({gather_rows(A, rows), y, 3}, lambda);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(weighted.coefficients(0, k), repeated.coefficients(0, k), 1e-10);
}

TEST(SoftmaxRidge, DoesNotDependOnTheNumberOfThreads) {
  const Table table = random_table(500, 30, 5);
  std::vector<double> first;
  for (const int threads : {1, 2, 5}) {
    const ThreadScope scope(threads);
    const SoftmaxFit fit = fit_softmax({table.A, table.y, 5}, lambda);
    const std::vector<double> own(fit.coefficients.data(), fit.coefficients.data() + 150);
    if (first.empty()) first = own;
    EXPECT_EQ(own, first);
  }
}

// Separable classes and a class without rows, whose likelihoods have no maximum without a penalty.
TEST(SoftmaxRidge, IsFiniteWhereTheLikelihoodHasNoMaximum) {
  Matrix A(6, 1);
  for (std::size_t i = 0; i < 6; ++i) A(i, 0) = static_cast<double>(i);
  const std::vector<double> y = {0, 0, 1, 1, 3, 3};
  const SoftmaxFit fit = fit_softmax({A, y, 4}, 1e-6);
  EXPECT_TRUE(fit.converged);
  EXPECT_TRUE(all_finite(fit.intercepts));
  EXPECT_LT(fit.loss, 1e-2);
  const Matrix P = softmax(fit.sums);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_LT(P(i, 2), 1e-3);
}

TEST(SoftmaxRidge, EndsWhenTheCallerWantsTo) {
  const Table table = random_table(200, 20, 4);
  int products = 0;
  const auto stop = [&] {
    if (++products > 3) throw std::runtime_error("stopped");
  };
  EXPECT_THROW((void)fit_softmax({table.A, table.y, 4, {}, stop}, lambda), std::runtime_error);
}

TEST(SoftmaxRidge, HasProbabilitiesForPredictorsOfAnySize) {
  Matrix sums(1, 3);
  sums(0, 0) = 1000.0;
  sums(0, 1) = -1000.0;
  sums(0, 2) = 1000.0;
  const Matrix P = softmax(sums);
  EXPECT_DOUBLE_EQ(P(0, 0), 0.5);
  EXPECT_DOUBLE_EQ(P(0, 1), 0.0);
}

}  // namespace softmax_ridge_test
}  // namespace shrimp

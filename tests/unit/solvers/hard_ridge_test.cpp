#include "solvers/hard_ridge.hpp"

#include <numeric>

#include "support.hpp"

namespace shrimp {
namespace hard_ridge_test {

using namespace test;

// The published iteration, written out densely: columns of norm 1, the s largest magnitudes, ridge on them.
struct PublishedIteration {
  Matrix A;
  std::vector<double> y;
  std::size_t s;
  double lambda;
  double mu;

  [[nodiscard]] std::vector<double> next(const std::vector<double>& c) const {
    const std::vector<double> r = difference(y, times(A, c));
    std::vector<double> v(c.size());
    for (std::size_t j = 0; j < c.size(); ++j) {
      v[j] = (1.0 - mu * lambda) * c[j] + mu * std::inner_product(r.begin(), r.end(), A.col(j).begin(), 0.0);
    }
    std::vector<std::size_t> order(c.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return std::abs(v[a]) > std::abs(v[b]); });
    order.resize(s);
    std::ranges::sort(order);
    Matrix stacked(A.rows() + s, s);
    for (std::size_t k = 0; k < s; ++k) {
      std::ranges::copy(A.col(order[k]), stacked.col(k).begin());
      stacked(A.rows() + k, k) = std::sqrt(lambda);
    }
    std::vector<double> b = y;
    b.resize(stacked.rows(), 0.0);
    const std::vector<double> solved = gelsy(stacked, b).coefficients;
    std::vector<double> result(c.size(), 0.0);
    for (std::size_t k = 0; k < s; ++k) result[order[k]] = solved[k];
    return result;
  }
};

Matrix unit_columns(Matrix A) {
  for (std::size_t j = 0; j < A.cols(); ++j) {
    const double length = norm(A.col(j));
    for (double& value : A.col(j)) value /= length;
  }
  return A;
}

std::vector<double> dense(const HardRidgeSolution& solution, std::size_t columns) {
  std::vector<double> c(columns, 0.0);
  for (std::size_t k = 0; k < solution.columns.size(); ++k) c[solution.columns[k]] = solution.coefficients[k];
  return c;
}

TEST(HardRidge, EndsAtAFixedPointOfThePublishedIteration) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Matrix A = unit_columns(random_matrix(40, 100, seed));
    std::vector<double> y(40, 0.0);
    for (const std::size_t j : {3U, 50U, 77U}) {
      for (std::size_t i = 0; i < 40; ++i) y[i] += (j == 50 ? -2.0 : 1.0) * A(i, j);
    }
    HardRidgeOptions options;
    options.sparsity = 5;
    options.ridge = 1e-3;
    const HardRidgeSolution solution = solve_hard_ridge(DenseOperator(A), y, options);
    EXPECT_TRUE(solution.converged);
    EXPECT_EQ(solution.columns.size(), 5U);
    const PublishedIteration published{Matrix(A), y, 5, options.ridge, options.step};
    const std::vector<double> c = dense(solution, 100);
    expect_near(published.next(c), c, 1e-10);
  }
}

// The authors' program compares signed entries with the s-th largest magnitude and would never keep this column.
TEST(HardRidge, ChoosesColumnsByMagnitudeNotBySign) {
  const Matrix A = unit_columns(random_matrix(30, 50, 9));
  std::vector<double> y(A.col(20).begin(), A.col(20).end());
  for (double& value : y) value *= -3.0;
  HardRidgeOptions options;
  options.ridge = 0.0;
  const HardRidgeSolution solution = solve_hard_ridge(DenseOperator(A), y, options);
  ASSERT_EQ(solution.columns, (std::vector<std::size_t>{20}));
  EXPECT_NEAR(solution.coefficients.front(), -3.0, 1e-12);
  EXPECT_NEAR(solution.residual, 0.0, 1e-20);
}

TEST(HardRidge, DoesNotDependOnTheScaleOfTheColumns) {
  const Matrix A = unit_columns(random_matrix(30, 40, 4));
  Matrix scaled(A);
  for (std::size_t j = 0; j < 40; ++j) {
    for (double& value : scaled.col(j)) value *= 0.5 + static_cast<double>(j);
  }
  const std::vector<double> y = random_vector(30, 5);
  HardRidgeOptions options;
  options.sparsity = 6;
  const HardRidgeSolution a = solve_hard_ridge(DenseOperator(A), y, options);
  const HardRidgeSolution b = solve_hard_ridge(DenseOperator(scaled), y, options);
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_NEAR(a.residual, b.residual, 1e-12);
}

TEST(HardRidge, NeverKeepsAColumnOfZerosWhileOthersHelp) {
  Matrix A = random_matrix(20, 10, 6);
  std::ranges::fill(A.col(0), 0.0);
  HardRidgeOptions options;
  options.sparsity = 4;
  const HardRidgeSolution solution = solve_hard_ridge(DenseOperator(A), random_vector(20, 7), options);
  EXPECT_EQ(std::ranges::count(solution.columns, 0U), 0);
}

TEST(HardRidge, RefusesBadInput) {
  const Matrix A = random_matrix(5, 8, 8);
  const DenseOperator op(A);
  const std::vector<double> y = random_vector(5, 9);
  const auto refusal = [&](auto change) {
    HardRidgeOptions options;
    change(options);
    return message_of<std::invalid_argument>([&] { (void)solve_hard_ridge(op, y, options); });
  };
  expect_parts(refusal([](auto& o) { o.sparsity = 9; }), {"sparsity 9", "8"});
  expect_parts(refusal([](auto& o) { o.sparsity = 0; }), {"sparsity 0"});
  expect_parts(refusal([](auto& o) { o.ridge = -1.0; }), {"ridge -1"});
  expect_parts(refusal([](auto& o) { o.step = 0.0; }), {"step 0"});
  EXPECT_THROW((void)solve_hard_ridge(op, random_vector(4, 1), {}), std::invalid_argument);
}

TEST(HardRidge, StopsWhenAsked) {
  const std::atomic<bool> stop = true;
  HardRidgeOptions options;
  options.stop = &stop;
  const Matrix A = random_matrix(5, 8, 8);
  EXPECT_THROW((void)solve_hard_ridge(DenseOperator(A), random_vector(5, 9), options), Interrupted);
}

}  // namespace hard_ridge_test
}  // namespace shrimp

#include "grow/ridge_path.hpp"

#include <gtest/gtest.h>

#include "data/split.hpp"
#include "linalg/dense.hpp"
#include "support.hpp"

namespace shrimp {
namespace {

using test::random_matrix;
using test::random_vector;

constexpr double lambda = 0.2;

std::vector<double> ridge_by_lapack(const Matrix& A, std::span<const double> y) {
  const std::size_t rows = A.rows() + A.cols();
  Matrix stacked(rows, A.cols());
  std::vector<double> right(y.begin(), y.end());
  right.resize(rows, 0.0);
  for (std::size_t j = 0; j < A.cols(); ++j) {
    std::ranges::copy(A.col(j), stacked.col(j).begin());
    stacked(A.rows() + j, j) = std::sqrt(lambda);
  }
  EXPECT_EQ(LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', static_cast<int>(rows), static_cast<int>(A.cols()), 1, stacked.data(),
                          static_cast<int>(rows), right.data(), static_cast<int>(rows)),
            0);
  right.resize(A.cols());
  return right;
}

TEST(RidgePath, EveryStepIsTheRidgeSolutionOnItsColumns) {
  const Matrix A = random_matrix(50, 20, 1);
  const std::vector<double> y = random_vector(50, 2);
  const RidgePath path(Matrix(A), y, {}, lambda);
  const auto steps = path.steps(EliminationRule{std::vector<bool>(20, false), 0.3});
  EXPECT_EQ(steps.front().columns.size(), 20U);
  EXPECT_TRUE(steps.back().columns.empty());
  for (const PathStep& step : steps) {
    if (step.columns.empty()) continue;
    const std::vector<double> c = ridge_by_lapack(gather_columns(A, step.columns), y);
    for (std::size_t k = 0; k < c.size(); ++k) EXPECT_NEAR(step.coefficients[k], c[k], 1e-12);
  }
}

TEST(RidgePath, TakesTheLeastRidgeThatIsNotRounding) {
  Matrix A = random_matrix(50, 20, 1);
  std::ranges::copy(A.col(0), A.col(1).begin());
  const std::vector<double> y = random_vector(50, 2);
  const RidgePath path(Matrix(A), y, {}, 1e-25);
  const auto steps = path.steps(EliminationRule{std::vector<bool>(20, false), 0.3});
  EXPECT_GT(steps.front().ridge, 1e-25);
  ASSERT_EQ(steps.front().columns.size(), 20U);
  const std::vector<double> fitted = combine_columns(A, steps.front().columns, steps.front().coefficients);
  const std::vector<double> best = ridge_by_lapack(A, y);
  const std::vector<double> fitted_best = combine_columns(A, steps.front().columns, best);
  EXPECT_LT(squared_norm(test::difference(y, fitted)), squared_norm(test::difference(y, fitted_best)));
}

TEST(RidgePath, NeverDropsColumnsThatAreKept) {
  std::vector<bool> kept(20, false);
  kept[3] = kept[7] = true;
  const RidgePath path(random_matrix(50, 20, 1), random_vector(50, 2), {}, lambda);
  const auto steps = path.steps(EliminationRule{kept, 0.3});
  EXPECT_EQ(steps.back().columns, (std::vector<std::size_t>{3, 7}));
}

TEST(RidgePath, ValidatesEachFoldByThePathOfTheOthers) {
  const Matrix A = random_matrix(40, 10, 3);
  const std::vector<double> y = random_vector(40, 4);
  const RidgePath path(Matrix(A), y, {}, lambda);
  const EliminationRule rule{std::vector<bool>(10, false), 0.4};
  const auto errors = path.validate(rule, fold(y.size(), 4, 7));
  double expected = 0.0;
  for (const RowSplit& split : fold(40, 4, 7)) {
    std::vector<double> part;
    for (const std::size_t i : split.train) part.push_back(y[i]);
    const std::vector<double> c = ridge_by_lapack(gather_rows(A, split.train), part);
    for (const std::size_t i : split.held_out) {
      double gap = y[i];
      for (std::size_t j = 0; j < c.size(); ++j) gap -= c[j] * A(i, j);
      expected += gap * gap / 40.0;
    }
  }
  EXPECT_NEAR(errors.front().mean, expected, 1e-12);
  EXPECT_EQ(errors.size(), path.steps(rule).size());
}

}  // namespace
}  // namespace shrimp

#include "ridge/elimination_path.hpp"

#include <gtest/gtest.h>

#include "data/split.hpp"
#include "linalg/dense.hpp"
#include "shrimp/errors.hpp"
#include "support.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace elimination_path_test {

using test::random_matrix;
using test::random_vector;

constexpr double lambda = 0.2;

std::vector<double> ridge_by_lapack(const Matrix& A, std::span<const double> y, double ridge = lambda) {
  const std::size_t rows = A.rows() + A.cols();
  Matrix stacked(rows, A.cols());
  std::vector<double> right(y.begin(), y.end());
  right.resize(rows, 0.0);
  for (std::size_t j = 0; j < A.cols(); ++j) {
    std::ranges::copy(A.col(j), stacked.col(j).begin());
    stacked(A.rows() + j, j) = std::sqrt(ridge);
  }
  EXPECT_EQ(LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', static_cast<int>(rows), static_cast<int>(A.cols()), 1, stacked.data(),
                          static_cast<int>(rows), right.data(), static_cast<int>(rows)),
            0);
  right.resize(A.cols());
  return right;
}

TEST(EliminationPath, EveryStepIsTheRidgeSolutionOnItsColumns) {
  const Matrix A = random_matrix(50, 20, 1);
  const std::vector<double> y = random_vector(50, 2);
  const EliminationPath path(Matrix(A), y, {}, lambda);
  const auto steps = path.steps(EliminationRule{std::vector<bool>(20, false), 0.3});
  EXPECT_EQ(steps.front().columns.size(), 20U);
  EXPECT_TRUE(steps.back().columns.empty());
  for (const RidgeFit& step : steps) {
    if (step.columns.empty()) continue;
    const std::vector<double> c = ridge_by_lapack(gather_columns(A, step.columns), y);
    for (std::size_t k = 0; k < c.size(); ++k) EXPECT_NEAR(step.coefficients[k], c[k], 1e-12);
  }
}

TEST(EliminationPath, TakesTheLeastRidgeThatIsNotRounding) {
  Matrix A = random_matrix(50, 20, 1);
  std::ranges::copy(A.col(0), A.col(1).begin());
  const std::vector<double> y = random_vector(50, 2);
  const EliminationPath path(Matrix(A), y, {}, 1e-25);
  const auto steps = path.steps(EliminationRule{std::vector<bool>(20, false), 0.3});
  EXPECT_GT(steps.front().lambda, 1e-25);
  ASSERT_EQ(steps.front().columns.size(), 20U);
  const std::vector<double> fitted = combine_columns(A, steps.front().columns, steps.front().coefficients);
  const std::vector<double> best = ridge_by_lapack(A, y);
  const std::vector<double> fitted_best = combine_columns(A, steps.front().columns, best);
  EXPECT_LT(squared_norm(test::difference(y, fitted)), squared_norm(test::difference(y, fitted_best)));
}

TEST(EliminationPath, NeverDropsColumnsThatAreKept) {
  std::vector<bool> kept(20, false);
  kept[3] = kept[7] = true;
  const EliminationPath path(random_matrix(50, 20, 1), random_vector(50, 2), {}, lambda);
  const auto steps = path.steps(EliminationRule{kept, 0.3});
  EXPECT_EQ(steps.back().columns, (std::vector<std::size_t>{3, 7}));
}

TEST(EliminationPath, ValidatesEachFoldByThePathOfTheOthers) {
  const Matrix A = random_matrix(40, 10, 3);
  const std::vector<double> y = random_vector(40, 4);
  const EliminationPath path(Matrix(A), y, {}, lambda);
  const EliminationRule rule{std::vector<bool>(10, false), 0.4};
  const ValidatedPath validated = path.validate(rule, fold(y.size(), 4, 7));
  const std::vector<RowErrors>& errors = validated.errors;
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
  EXPECT_EQ(validated.steps.size(), errors.size());
}

TEST(EliminationPath, OfMoreColumnsThanRowsIsTheRidgeSolutionAtEveryStep) {
  const Matrix A = random_matrix(20, 70, 5);
  const std::vector<double> y = random_vector(20, 6);
  std::vector<double> weights = random_vector(20, 7);
  for (double& weight : weights) weight += 1.5;
  Matrix weighted(A);
  std::vector<double> weighted_y = y;
  for (std::size_t i = 0; i < 20; ++i) {
    weighted_y[i] *= std::sqrt(weights[i]);
    for (std::size_t j = 0; j < 70; ++j) weighted(i, j) *= std::sqrt(weights[i]);
  }
  const auto steps = EliminationPath(Matrix(A), y, weights, lambda).steps({std::vector<bool>(70, false), 0.3});
  EXPECT_EQ(steps.front().columns.size(), 70U);
  EXPECT_TRUE(steps.back().columns.empty());
  for (const RidgeFit& step : steps) {
    if (step.columns.empty()) continue;
    const std::vector<double> c = ridge_by_lapack(gather_columns(weighted, step.columns), weighted_y);
    for (std::size_t k = 0; k < c.size(); ++k) EXPECT_NEAR(step.coefficients[k], c[k], 1e-11);
  }
}

// The same regression with rows of zeros is one of fewer columns than rows.
TEST(EliminationPath, DropsTheSameColumnsWhetherRowsOrColumnsAreMore) {
  const Matrix A = random_matrix(20, 50, 8);
  const std::vector<double> y = random_vector(20, 9);
  Matrix padded(60, 50);
  for (std::size_t j = 0; j < 50; ++j) std::ranges::copy(A.col(j), padded.col(j).begin());
  std::vector<double> padded_y = y;
  padded_y.resize(60, 0.0);
  const EliminationRule rule{std::vector<bool>(50, false), 0.2};
  const auto wide = EliminationPath(Matrix(A), y, {}, lambda).steps(rule);
  const auto narrow = EliminationPath(Matrix(padded), padded_y, {}, lambda).steps(rule);
  ASSERT_EQ(wide.size(), narrow.size());
  for (std::size_t t = 0; t < wide.size(); ++t) EXPECT_EQ(wide[t].columns, narrow[t].columns);
}

TEST(EliminationPath, UsesTheRidgeThatItReportsInFoldsAndOnAllRows) {
  for (const std::size_t rows : {60, 18}) {  // More and fewer than columns.
    Matrix A = random_matrix(rows, 30, 10);
    std::ranges::copy(A.col(0), A.col(1).begin());
    const std::vector<double> y = random_vector(rows, 11);
    const ValidatedPath path =
        EliminationPath(Matrix(A), y, {}, 1e-25).validate({std::vector<bool>(30, false), 0.3}, fold(y.size(), 3, 7));
    const double ridge = path.steps.front().lambda;
    EXPECT_GT(ridge, 1e-25);
    for (const RidgeFit& step : path.steps) EXPECT_EQ(step.lambda, ridge);
    double expected = 0.0;
    for (const RowSplit& split : fold(rows, 3, 7)) {
      std::vector<double> part;
      for (const std::size_t i : split.train) part.push_back(y[i]);
      const std::vector<double> c = ridge_by_lapack(gather_rows(A, split.train), part, ridge);
      for (const std::size_t i : split.held_out) {
        double gap = y[i];
        for (std::size_t j = 0; j < c.size(); ++j) gap -= c[j] * A(i, j);
        expected += gap * gap / static_cast<double>(rows);
      }
    }
    EXPECT_NEAR(path.errors.front().mean, expected, 1e-6 * expected) << rows;
  }
}

TEST(EliminationPath, GivesTheSameErrorsWithAnyNumberOfThreads) {
  const auto errors_with = [](int threads) {
    const ThreadScope scope(threads);
    return EliminationPath(random_matrix(90, 200, 12), random_vector(90, 13), {}, lambda)
        .validate({std::vector<bool>(200, false), 0.2}, fold(90, 5, 3));
  };
  const ValidatedPath one = errors_with(1);
  for (const int threads : {2, 16}) {
    const ValidatedPath several = errors_with(threads);
    ASSERT_EQ(one.errors.size(), several.errors.size());
    for (std::size_t t = 0; t < one.errors.size(); ++t) {
      EXPECT_EQ(one.errors[t].squares, several.errors[t].squares);
      EXPECT_EQ(one.steps[t].coefficients, several.steps[t].coefficients);
    }
  }
}

TEST(EliminationPath, CanBeStoppedAndCountsItsWork) {
  for (const std::size_t rows : {60, 20}) {
    int left = 8;
    const EliminationPath stopped(random_matrix(rows, 40, 14), random_vector(rows, 15), {}, lambda, [&] {
      if (left-- == 0) throw Interrupted();
    });
    EXPECT_THROW((void)stopped.steps({std::vector<bool>(40, false), 0.1}), Interrupted);
    const EliminationPath path(random_matrix(rows, 40, 14), random_vector(rows, 15), {}, lambda);
    const double before = path.work();
    EXPECT_GT(before, 0.0);
    (void)path.steps({std::vector<bool>(40, false), 0.1});
    const double once = path.work() - before;
    (void)path.validate({std::vector<bool>(40, false), 0.1}, fold(rows, 4, 1));
    EXPECT_GT(path.work() - before, 3.0 * once);
  }
}

}  // namespace elimination_path_test
}  // namespace shrimp

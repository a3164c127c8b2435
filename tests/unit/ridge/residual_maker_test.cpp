#include "ridge/residual_maker.hpp"

#include <gtest/gtest.h>

#include "linalg/dense.hpp"
#include "ridge/leave_one_out_ridge.hpp"
#include "support.hpp"

namespace shrimp {
namespace left_out_test {

using test::random_matrix;
using test::random_vector;

GroupStarts starts_at(std::vector<std::size_t> starts) {
  return std::make_shared<const std::vector<std::size_t>>(std::move(starts));
}

// What a fit to the rows outside of [first, last) says of those inside: from the normal equations with a constant.
std::vector<double> predictions_without(const Matrix& X, std::span<const double> y, double lambda, std::size_t first,
                                        std::size_t last) {
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < X.rows(); ++i) {
    if (i < first || i >= last) others.push_back(i);
  }
  const std::size_t k = X.cols() + 1;
  Matrix G(k, k);
  std::vector<double> b(k, 0.0);
  const auto value = [&](std::size_t i, std::size_t j) { return j == 0 ? 1.0 : X(i, j - 1); };
  for (const std::size_t i : others) {
    for (std::size_t a = 0; a < k; ++a) {
      b[a] += value(i, a) * y[i];
      for (std::size_t c = 0; c < k; ++c) G(a, c) += value(i, a) * value(i, c);
    }
  }
  for (std::size_t a = 1; a < k; ++a) G(a, a) += lambda;
  Cholesky::factor(std::move(G))->solve(b);
  std::vector<double> predicted;
  for (std::size_t i = first; i < last; ++i) {
    double sum = 0.0;
    for (std::size_t a = 0; a < k; ++a) sum += b[a] * value(i, a);
    predicted.push_back(sum);
  }
  return predicted;
}

TEST(ResidualMaker, GiveTheErrorsOfAFitToTheOtherGroups) {
  constexpr std::size_t rows = 40;
  const Matrix X = random_matrix(rows, 6, 1);
  const std::vector<double> y = random_vector(rows, 2);
  const std::vector<std::size_t> starts = {0, 7, 8, 21, 40};
  LeaveOneOutRidge smoother(y, {}, 0.3, starts_at(starts));
  Matrix B(X);
  smoother.centre(B);
  smoother.add(std::move(B));
  ASSERT_EQ(smoother.errors().squares.size(), rows);
  for (std::size_t g = 0; g + 1 < starts.size(); ++g) {
    const std::vector<double> predicted = predictions_without(X, y, 0.3, starts[g], starts[g + 1]);
    for (std::size_t i = starts[g]; i < starts[g + 1]; ++i) {
      const double error = y[i] - predicted[i - starts[g]];
      EXPECT_NEAR(smoother.errors().squares[i], error * error, 1e-9);
    }
  }
}

TEST(ResidualMaker, AreTheSameForSingleRowsAndGroupsOfOneRow) {
  const std::vector<double> y = random_vector(30, 3);
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i <= 30; ++i) starts.push_back(i);
  LeaveOneOutRidge by_rows(y, {}, 0.1);
  LeaveOneOutRidge by_groups(y, {}, 0.1, starts_at(starts));
  for (LeaveOneOutRidge* smoother : {&by_rows, &by_groups}) {
    Matrix B = random_matrix(30, 5, 4);
    smoother->centre(B);
    smoother->add(std::move(B));
  }
  for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(by_rows.errors().squares[i], by_groups.errors().squares[i], 1e-12);
}

// A mean over ten groups of ten equal errors is as sure as one of ten rows.
TEST(RowErrors, CountGroupsWhereRowsBelongTogether) {
  RowErrors errors;
  std::vector<std::size_t> starts;
  for (std::size_t g = 0; g < 10; ++g) {
    starts.push_back(errors.squares.size());
    errors.squares.insert(errors.squares.end(), 10, static_cast<double>(g));
  }
  starts.push_back(errors.squares.size());
  errors.mean = 4.5;
  const double by_rows = errors.standard_error();
  errors.starts = starts_at(starts);
  EXPECT_NEAR(errors.standard_error() / by_rows, std::sqrt(10.0), 1e-12);
}

}  // namespace left_out_test
}  // namespace shrimp

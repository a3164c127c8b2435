#include "linalg/row_sketch.hpp"

#include "linalg/dense.hpp"
#include "linalg/householder.hpp"
#include "linalg/small.hpp"
#include "support.hpp"

namespace shrimp {
namespace {

TEST(RowSketch, AddsEveryRowTwiceWithItsSign) {
  const RowSketch sketch(1000, 37);
  Matrix one(1000, 1);
  for (std::size_t i = 0; i < 1000; i += 111) {
    std::ranges::fill(one.col(0), 0.0);
    one(i, 0) = 3.0;
    double sum = 0.0;
    const Matrix sketched = sketch.apply(one);
    for (const double value : sketched.col(0)) sum += std::abs(value);
    EXPECT_TRUE(sum == 6.0 || sum == 0.0) << sum;  // 0: both went to one row, with two signs.
  }
}

/// The largest and smallest length of ‖Ω q‖/√2 over unit vectors q of the columns' span.
std::pair<double, double> lengths(const Matrix& A, std::size_t sketch_rows) {
  const HouseholderQr qr{Matrix(A)};
  Matrix Q(A.rows(), A.cols());
  for (std::size_t j = 0; j < A.cols(); ++j) {
    Q(j, j) = 1.0;
    qr.apply(Q.col(j));
  }
  const std::vector<double> sigma = singular_values(RowSketch(A.rows(), sketch_rows).apply(Q));
  return {sigma.front() / std::sqrt(2.0), sigma.back() / std::sqrt(2.0)};
}

TEST(RowSketch, KeepsLengthsUpToASmallFactor) {
  const auto [largest, smallest] = lengths(test::random_matrix(5000, 50, 1), 200);
  EXPECT_LT(largest, 2.0);
  EXPECT_GT(smallest, 0.3);
}

TEST(RowSketch, KeepsLengthsWhereFewRowsCount) {
  Matrix A = test::random_matrix(5000, 50, 2);
  for (std::size_t j = 0; j < 50; ++j) {
    for (std::size_t i = 0; i < 5000; ++i) A(i, j) *= i % 83 == 0 ? 1.0 : 1e-6;
  }
  const auto [largest, smallest] = lengths(A, 200);
  EXPECT_LT(largest, 2.5);
  EXPECT_GT(smallest, 0.1);
}

TEST(RowSketch, TakesTheShiftAway) {
  const RowSketch sketch(300, 40);
  Matrix A(300, 1);
  std::ranges::fill(A.col(0), 2.5);
  std::vector<double> s(40, 0.0);
  sketch.add(A.col(0), 2.5, s);
  test::expect_near(s, std::vector<double>(40, 0.0), 0.0);
}

TEST(RowSketch, TakesRowsInParts) {
  const RowSketch sketch(300, 40);
  const Matrix A = test::random_matrix(300, 1, 3);
  std::vector<double> s(40, 0.0);
  for (const auto& [first, count] : {std::pair<std::size_t, std::size_t>{0, 7}, {7, 40}, {47, 0}, {47, 253}}) {
    sketch.add_rows(A.col(0).subspan(first, count), first, 0.0, s);
  }
  const Matrix expected = sketch.apply(A);
  test::expect_near(s, {expected.col(0).begin(), expected.col(0).end()}, 1e-14);
}

TEST(PivotedTriangle, HasTheProductsOfTheColumns) {
  const Matrix S = test::random_matrix_of_rank(90, 30, 12, 4);
  const PivotedTriangle found = pivoted_triangle(Matrix(S), 1e-10);
  ASSERT_EQ(found.columns.size(), 12);
  const Matrix expected = multiply_transposed(S, MatrixView(S));
  const Matrix products = multiply_transposed(found.R, MatrixView(found.R));
  for (std::size_t k = 0; k < 900; ++k) EXPECT_NEAR(products.data()[k], expected.data()[k], 1e-10);
  for (std::size_t k = 0; k < 12; ++k) {
    for (std::size_t i = k + 1; i < 12; ++i) EXPECT_EQ(found.R(i, found.columns[k]), 0.0);
  }
}

}  // namespace
}  // namespace shrimp

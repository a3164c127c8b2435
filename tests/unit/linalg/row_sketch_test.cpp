#include "linalg/row_sketch.hpp"

#include "backends.hpp"
#include "linalg/dense.hpp"
#include "matrices.hpp"

namespace shrimp {
namespace row_sketch_test {

/// Ω A
Matrix sketched(const RowSketch& sketch, const Matrix& A) {
  Matrix S(sketch.rows(), A.cols());
  for (std::size_t j = 0; j < A.cols(); ++j) sketch.add(A.col(j), 0.0, S.col(j));
  return S;
}

using RowSketchTest = test::BackendTest;
SHRIMP_TEST_EVERY_BACKEND(RowSketchTest);

TEST_P(RowSketchTest, AddsEveryRowTwiceWithItsSign) {
  const RowSketch sketch(1000, 37);
  Matrix one(1000, 1);
  for (std::size_t i = 0; i < 1000; i += 111) {
    std::ranges::fill(one.col(0), 0.0);
    one(i, 0) = 3.0;
    double sum = 0.0;
    const Matrix image = sketched(sketch, one);
    for (const double value : image.col(0)) sum += std::abs(value);
    EXPECT_TRUE(sum == 6.0 || sum == 0.0) << sum;  // 0: both went to one row, with two signs.
  }
}

/// The largest and smallest length of ‖Ω q‖/√2 over unit vectors q of the columns' span.
std::pair<double, double> lengths(const Matrix& A, std::size_t sketch_rows) {
  const Matrix Q = test::orthonormalized(Matrix(A));
  const std::vector<double> sigma = singular_values(sketched(RowSketch(A.rows(), sketch_rows), Q));
  return {sigma.front() / std::sqrt(2.0), sigma.back() / std::sqrt(2.0)};
}

TEST_P(RowSketchTest, KeepsLengthsUpToASmallFactor) {
  const auto [largest, smallest] = lengths(test::random_matrix(5000, 50, 1), 200);
  EXPECT_LT(largest, 2.0);
  EXPECT_GT(smallest, 0.3);
}

TEST_P(RowSketchTest, KeepsLengthsWhereFewRowsCount) {
  Matrix A = test::random_matrix(5000, 50, 2);
  for (std::size_t j = 0; j < 50; ++j) {
    for (std::size_t i = 0; i < 5000; ++i) A(i, j) *= i % 83 == 0 ? 1.0 : 1e-6;
  }
  const auto [largest, smallest] = lengths(A, 200);
  EXPECT_LT(largest, 2.5);
  EXPECT_GT(smallest, 0.1);
}

TEST_P(RowSketchTest, TakesTheShiftAway) {
  const RowSketch sketch(300, 40);
  Matrix A(300, 1);
  std::ranges::fill(A.col(0), 2.5);
  std::vector<double> s(40, 0.0);
  sketch.add(A.col(0), 2.5, s);
  test::expect_near(s, std::vector<double>(40, 0.0), 0.0);
}

TEST_P(RowSketchTest, TakesRowsInParts) {
  const RowSketch sketch(300, 40);
  const Matrix A = test::random_matrix(300, 1, 3);
  std::vector<double> s(40, 0.0);
  for (const auto& [first, count] : {std::pair<std::size_t, std::size_t>{0, 7}, {7, 40}, {47, 0}, {47, 253}}) {
    sketch.add_rows(A.col(0).subspan(first, count), first, 0.0, s);
  }
  const Matrix expected = sketched(sketch, A);
  test::expect_near(s, {expected.col(0).begin(), expected.col(0).end()}, 1e-14);
}

// Ω (a − shift), with Ω from what becomes of unit vectors.
TEST_P(RowSketchTest, IsOneMatrix) {
  for (const auto& [rows, sketch_rows] : {std::pair{1U, 1U}, {5U, 1U}, {3U, 8U}, {50U, 7U}}) {
    const RowSketch sketch(rows, sketch_rows);
    EXPECT_EQ(sketch.rows(), sketch_rows);
    const Matrix Omega = sketched(sketch, test::diagonal_matrix(std::vector<double>(rows, 1.0)));
    const std::vector<double> a = test::random_vector(rows, 4);
    std::vector<double> shifted = a;
    for (double& value : shifted) value -= 0.3;
    std::vector<double> s(sketch_rows, 1.0);
    sketch.add(a, 0.3, s);
    for (double& value : s) value -= 1.0;
    test::expect_near(s, test::times(Omega, shifted), 1e-14);
  }
}

TEST_P(RowSketchTest, IsTheSameForTheSameSizes) {
  const Matrix A = test::random_matrix(100, 3, 5);
  test::expect_near(sketched(RowSketch(100, 9), A), sketched(RowSketch(100, 9), A), 0.0);
}

TEST_P(RowSketchTest, OfNoRowsAddsNothing) {
  std::vector<double> s(4, 2.0);
  RowSketch(0, 4).add({}, 1.0, s);
  EXPECT_EQ(s, std::vector<double>(4, 2.0));
}

}  // namespace row_sketch_test
}  // namespace shrimp

#include "ridge/triangular_system.hpp"

#include "linalg/householder.hpp"
#include "support.hpp"

namespace shrimp {
namespace triangular_system_test {

using test::random_matrix;
using test::random_vector;

/// R of LAPACK's dgeqrf, rows with a diagonal that is not negative.
Matrix triangle_by_lapack(Matrix A) {
  const std::size_t n = A.cols();
  std::vector<double> tau(n);
  EXPECT_EQ(LAPACKE_dgeqrf(LAPACK_COL_MAJOR, static_cast<int>(A.rows()), static_cast<int>(n), A.data(),
                           static_cast<int>(A.rows()), tau.data()),
            0);
  Matrix R(n, n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i <= j; ++i) R(i, j) = A(i, i) < 0.0 ? -A(i, j) : A(i, j);
  }
  return R;
}

/// The summary of A c ≈ y by parts of 30 rows, each added to or merged with those before.
TriangularSystem by_parts(const Matrix& A, std::span<const double> y) {
  TriangularSystem sums(A.cols());
  for (std::size_t first = 0; first < A.rows(); first += 30) {
    const std::size_t count = std::min<std::size_t>(30, A.rows() - first);
    Matrix part(MatrixView{A.data() + first, count, A.cols(), A.rows()});
    if (first % 60 == 0) {
      sums.add(std::move(part), y.subspan(first, count));
    } else {
      TriangularSystem own(A.cols());
      own.add(std::move(part), y.subspan(first, count));
      sums.merge(std::move(own));
    }
  }
  return sums;
}

TEST(TriangularSystem, HoldsTheTriangleOfAllRows) {
  const Matrix A = random_matrix(200, 20, 1);
  const TriangularSystem sums = by_parts(A, random_vector(200, 2));
  const Matrix expected = triangle_by_lapack(Matrix(A));
  ASSERT_EQ(sums.R.rows(), 20U);
  for (std::size_t j = 0; j < 20; ++j) {
    for (std::size_t i = 0; i < 20; ++i) {
      const double sign = sums.R(i, i) < 0.0 ? -1.0 : 1.0;
      EXPECT_NEAR(sign * sums.R(i, j), expected(i, j), 1e-13);
    }
  }
}

TEST(TriangularSystem, HasNoMoreRowsThanItWasGiven) {
  TriangularSystem sums(20);
  sums.add(random_matrix(3, 20, 1), random_vector(3, 2));
  EXPECT_EQ(sums.R.rows(), 3U);
  EXPECT_EQ(sums.b.size(), 3U);
  EXPECT_EQ(sums.rest, 0.0);
  sums.add(random_matrix(30, 20, 3), random_vector(30, 4));
  EXPECT_EQ(sums.R.rows(), 20U);
  EXPECT_EQ(sums.b.size(), 20U);
  EXPECT_EQ(sums.rows, 33U);
}

TEST(TriangularSystem, GivesLapacksLeastSquares) {
  const Matrix A = random_matrix(200, 20, 1);
  const std::vector<double> y = random_vector(200, 2);
  const TriangularSystem sums = by_parts(A, y);
  std::vector<double> c = sums.b;
  solve_triangle(sums.R, c, false);
  const test::LeastSquares expected = test::gelsy(A, y);
  test::expect_near(c, expected.coefficients, 1e-13);
  EXPECT_NEAR(std::sqrt(sums.rest), expected.residual, 1e-13);
}

// Columns that differ by a part in 10⁹, of which a Gram matrix would see nothing.
TEST(TriangularSystem, KeepsTheDigitsThatNormalEquationsLose) {
  Matrix A = random_matrix(200, 6, 1);
  const Matrix small = random_matrix(200, 3, 2);
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t i = 0; i < 200; ++i) A(i, 3 + j) = A(i, j) + 1e-9 * small(i, j);
  }
  const std::vector<double> truth = {1.0, -2.0, 0.5, 3.0, 0.25, -1.0};
  const std::vector<double> y = test::times(A, truth);
  const TriangularSystem sums = by_parts(A, y);
  EXPECT_LT(std::sqrt(sums.rest), 1e-14 * norm(y));
  EXPECT_LT(std::sqrt(sums.squared_error(truth)), 1e-14 * norm(y));
  std::vector<double> c = sums.b;
  solve_triangle(sums.R, c, false);
  test::expect_near(c, truth, 1e-5);
}

}  // namespace triangular_system_test
}  // namespace shrimp

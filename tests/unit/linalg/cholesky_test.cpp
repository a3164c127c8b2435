#include "linalg/cholesky.hpp"

#include "backends.hpp"
#include "matrices.hpp"

namespace shrimp {
namespace cholesky_test {

using test::entries;
using test::expect_near;
using test::lower_triangle;
using test::not_a_number;
using test::random_matrix;
using test::random_vector;

constexpr std::size_t sizes[] = {1, 2, 96, 97, 300};  // One panel of columns and more.

/// d_i d_j 0.9^|i − j|
Matrix positive_definite(std::size_t n) {
  const std::vector<double> random = random_vector(n, n);
  Matrix G(n, n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto distance = static_cast<double>(std::max(i, j) - std::min(i, j));
      G(i, j) = (1.0 + 0.5 * random[i]) * (1.0 + 0.5 * random[j]) * std::pow(0.9, distance);
    }
  }
  return G;
}

/// L, zero above the diagonal, by LAPACK.
Matrix lapack_factor(const Matrix& G) {
  Matrix L(G);
  const auto n = static_cast<lapack_int>(G.rows());
  EXPECT_EQ(LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, L.data(), n), 0);
  for (std::size_t j = 0; j < L.cols(); ++j) std::ranges::fill(L.col(j).first(j), 0.0);
  return L;
}

Cholesky factored(const Matrix& G) { return Cholesky::factor(lower_triangle(G)).value(); }

using CholeskyTest = test::BackendTest;
SHRIMP_TEST_EVERY_BACKEND(CholeskyTest);

TEST_P(CholeskyTest, FactorsTheLowerTriangleAsLapackDoes) {
  for (const std::size_t n : sizes) {
    const Matrix G = positive_definite(n);
    expect_near(factored(G).upper(), test::transposed(lapack_factor(G)), 1e-13);
  }
}

TEST_P(CholeskyTest, InvertsTheMatrixAsLapackDoes) {
  for (const std::size_t n : sizes) {
    const Matrix G = positive_definite(n);
    Matrix expected = lapack_factor(G);
    const auto size = static_cast<lapack_int>(n);
    ASSERT_EQ(LAPACKE_dpotri(LAPACK_COL_MAJOR, 'L', size, expected.data(), size), 0);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < j; ++i) expected(i, j) = expected(j, i);
    }
    expect_near(factored(G).inverse(), expected, 1e-11);
  }
}

TEST_P(CholeskyTest, InvertsItsFactorAsLapackDoes) {
  for (const std::size_t n : sizes) {
    const Matrix G = positive_definite(n);
    Matrix expected = lapack_factor(G);
    const auto size = static_cast<lapack_int>(n);
    ASSERT_EQ(LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'L', 'N', size, expected.data(), size), 0);
    expect_near(factored(G).inverse_of_factor(), expected, 1e-12);
  }
}

TEST_P(CholeskyTest, SolvesAsLapackDoes) {
  for (const std::size_t n : sizes) {
    const Matrix G = positive_definite(n);
    std::vector<double> x = random_vector(n, 1);
    std::vector<double> expected = x;
    factored(G).solve(x);
    Matrix copy(G);
    const auto size = static_cast<lapack_int>(n);
    ASSERT_EQ(LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', size, 1, copy.data(), size, expected.data(), size), 0);
    expect_near(x, expected, 1e-10);
  }
}

TEST_P(CholeskyTest, SolvesWithTheTriangleAndItsTranspose) {
  for (const std::size_t n : sizes) {
    const Matrix G = positive_definite(n);
    const Matrix L = lapack_factor(G);
    const Cholesky factor = factored(G);
    for (const std::size_t cols : {0U, 1U, 130U}) {
      const Matrix B = random_matrix(n, cols, cols);
      Matrix X(B);
      factor.solve_lower(X);
      expect_near(test::product(L, X), B, 1e-12);
      Matrix Y(B);
      factor.solve_lower_transposed(Y);
      expect_near(test::product(test::transposed(L), Y), B, 1e-12);
    }
  }
}

TEST_P(CholeskyTest, KnowsTheLogarithmOfTheDeterminant) {
  const std::vector<double> eigenvalues = test::falling_values(100, 1e-8);
  double expected = 0.0;
  for (const double value : eigenvalues) expected += std::log(value);
  EXPECT_NEAR(factored(test::with_eigenvalues(eigenvalues, 1)).log_determinant(), expected, 1e-6);
  // The determinant itself would overflow.
  EXPECT_NEAR(factored(test::diagonal_matrix(std::vector<double>(9, 1e300))).log_determinant(), 9.0 * std::log(1e300),
              1e-10);
}

/// 1/(‖G‖₁ ‖G⁻¹‖₁), by LAPACK's inverse.
double exact_rcond(const Matrix& G) {
  Matrix inverse = lapack_factor(G);
  const auto n = static_cast<lapack_int>(G.rows());
  EXPECT_EQ(LAPACKE_dpotri(LAPACK_COL_MAJOR, 'L', n, inverse.data(), n), 0);
  for (std::size_t j = 0; j < G.cols(); ++j) {
    for (std::size_t i = 0; i < j; ++i) inverse(i, j) = inverse(j, i);
  }
  return 1.0 / (test::one_norm(G) * test::one_norm(inverse));
}

TEST_P(CholeskyTest, EstimatesTheConditionNumber) {
  for (const double least : {1.0, 1e-3, 1e-6, 1e-9}) {
    const Matrix G = test::with_eigenvalues(test::falling_values(60, least), 2);
    const double exact = exact_rcond(G);
    const double estimate = factored(G).rcond(test::one_norm(G));
    EXPECT_GT(estimate, exact * (1.0 - 1e-5));  // The norm of the inverse is bounded from below.
    EXPECT_LT(estimate, exact * 3.0);
  }
  EXPECT_EQ(factored(test::diagonal_matrix(std::vector{4.0})).rcond(4.0), 1.0);
}

TEST_P(CholeskyTest, GivesNoFactorOfWhatIsNotPositiveDefinite) {
  for (const std::size_t n : {1U, 2U, 130U}) {
    EXPECT_FALSE(Cholesky::factor(Matrix(n, n))) << n;
    for (const std::size_t place : {std::size_t{0}, n / 2, n - 1}) {  // In the first panel and in a later one.
      Matrix indefinite = positive_definite(n);
      indefinite(place, place) = -1e-3;
      EXPECT_FALSE(Cholesky::factor(std::move(indefinite))) << n << " " << place;
    }
  }
  Matrix singular(2, 2);
  std::fill_n(singular.data(), 4, 1.0);
  EXPECT_FALSE(Cholesky::factor(std::move(singular)));
}

TEST_P(CholeskyTest, GivesNoFactorOfWhatIsNoNumber) {
  for (const double value : {not_a_number, std::numeric_limits<double>::infinity()}) {
    for (const std::size_t n : {1U, 2U, 130U}) {
      for (const std::size_t row : {std::size_t{0}, n - 1}) {
        for (const std::size_t col : {std::size_t{0}, row}) {
          Matrix G = positive_definite(n);
          G(row, col) = value;
          EXPECT_FALSE(Cholesky::factor(std::move(G))) << value << " " << n << " " << row << " " << col;
        }
      }
    }
  }
}

TEST_P(CholeskyTest, GivesTheSameBitsOnAnyNumberOfThreads) {
  const Matrix G = positive_definite(300);
  const Matrix B = random_matrix(300, 300, 1);
  expect_same_bits_on_any_number_of_threads([&] { return entries(factored(G).upper()); });
  expect_same_bits_on_any_number_of_threads([&] {
    Matrix X(B);
    factored(G).solve_lower(X);
    factored(G).solve_lower_transposed(X);
    return entries(X);
  });
}

}  // namespace cholesky_test
}  // namespace shrimp

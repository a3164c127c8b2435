// Matrices that the tests of the linear algebra are made of.
#pragma once

#include "support.hpp"

namespace shrimp::test {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

inline std::vector<double> entries(const Matrix& A) { return {A.data(), A.data() + A.rows() * A.cols()}; }

inline double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline double one_norm(const Matrix& A) {
  double largest = 0.0;
  for (std::size_t j = 0; j < A.cols(); ++j) {
    double sum = 0.0;
    for (const double value : A.col(j)) sum += std::abs(value);
    largest = std::max(largest, sum);
  }
  return largest;
}

inline Matrix transposed(MatrixView A) {
  Matrix T(A.cols, A.rows);
  for (std::size_t j = 0; j < A.cols; ++j) {
    for (std::size_t i = 0; i < A.rows; ++i) T(j, i) = A(i, j);
  }
  return T;
}

/// A B, by the definition.
inline Matrix product(MatrixView A, MatrixView B) {
  Matrix C(A.rows, B.cols);
  for (std::size_t j = 0; j < B.cols; ++j) std::ranges::copy(times(A, B.col(j)), C.col(j).begin());
  return C;
}

inline Matrix diagonal_matrix(std::span<const double> diagonal) {
  Matrix D(diagonal.size(), diagonal.size());
  for (std::size_t k = 0; k < diagonal.size(); ++k) D(k, k) = diagonal[k];
  return D;
}

/// An orthonormal basis of the span of A's columns, no more than its rows, by LAPACK.
inline Matrix orthonormalized(Matrix A) {
  std::vector<double> tau(A.cols());
  const auto m = static_cast<lapack_int>(A.rows());
  const auto n = static_cast<lapack_int>(A.cols());
  EXPECT_EQ(LAPACKE_dgeqrf(LAPACK_COL_MAJOR, m, n, A.data(), m, tau.data()), 0);
  EXPECT_EQ(LAPACKE_dorgqr(LAPACK_COL_MAJOR, m, n, n, A.data(), m, tau.data()), 0);
  return A;
}

inline Matrix orthonormal_columns(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  return orthonormalized(random_matrix(rows, cols, seed));
}

/// U diag(σ) Vᵀ with random orthonormal columns of U and V.
inline Matrix with_singular_values(std::size_t rows, std::size_t cols, std::span<const double> sigma,
                                   std::uint64_t seed) {
  const Matrix U = orthonormal_columns(rows, sigma.size(), seed);
  const Matrix V = orthonormal_columns(cols, sigma.size(), seed + 1);
  return product(U, product(diagonal_matrix(sigma), transposed(V)));
}

/// Q diag(λ) Qᵀ with a random orthogonal Q.
inline Matrix with_eigenvalues(std::span<const double> lambda, std::uint64_t seed) {
  const Matrix Q = orthonormal_columns(lambda.size(), lambda.size(), seed);
  return product(Q, product(diagonal_matrix(lambda), transposed(Q)));
}

/// `count` values that fall from 1 to `last`, each by the same factor.
inline std::vector<double> falling_values(std::size_t count, double last) {
  std::vector<double> values(count, 1.0);
  for (std::size_t k = 1; k < count; ++k) {
    values[k] = std::pow(last, static_cast<double>(k) / static_cast<double>(count - 1));
  }
  return values;
}

/// What reads above the diagonal gets no number.
inline Matrix lower_triangle(MatrixView A) {
  Matrix L(A);
  for (std::size_t j = 0; j < A.cols; ++j) std::ranges::fill(L.col(j).first(std::min(j, A.rows)), not_a_number);
  return L;
}

/// What reads below the diagonal gets no number.
inline Matrix upper_triangle(MatrixView A) {
  Matrix R(A);
  for (std::size_t j = 0; j < std::min(A.cols, A.rows); ++j) std::ranges::fill(R.col(j).subspan(j + 1), not_a_number);
  return R;
}

/// A in the middle of memory that holds no numbers: its columns lie further apart than it has rows.
class Window {
 public:
  explicit Window(const Matrix& A) : rows_(A.rows()), cols_(A.cols()), around_(A.rows() + 3, A.cols() + 2) {
    std::fill_n(around_.data(), around_.rows() * around_.cols(), not_a_number);
    for (std::size_t j = 0; j < cols_; ++j) std::ranges::copy(A.col(j), &around_(1, j + 1));
  }
  operator MatrixView() const {  // NOLINT(google-explicit-constructor)
    return {around_.data() + 1 + around_.rows(), rows_, cols_, around_.rows()};
  }

 private:
  std::size_t rows_;
  std::size_t cols_;
  Matrix around_;
};

inline void expect_near(const Matrix& actual, const Matrix& expected, double tolerance) {
  ASSERT_EQ(actual.rows(), expected.rows());
  ASSERT_EQ(actual.cols(), expected.cols());
  expect_near(entries(actual), entries(expected), tolerance);
}

inline void expect_orthonormal_columns(const Matrix& Q, double tolerance) {
  expect_near(product(transposed(Q), Q), diagonal_matrix(std::vector<double>(Q.cols(), 1.0)), tolerance);
}

}  // namespace shrimp::test

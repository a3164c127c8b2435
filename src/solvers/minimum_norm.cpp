#include "solvers/minimum_norm.hpp"

#include <algorithm>
#include <limits>

#include "linalg/cpu/lapack.hpp"
#include "linalg/dense.hpp"

namespace shrimp {

double default_rank_tolerance(std::size_t rows, std::size_t cols) {
  return static_cast<double>(std::max(rows, cols)) * std::numeric_limits<double>::epsilon();
}

namespace {

enum class Triangle { lower, upper };

Matrix copy_triangle(const Matrix& factor, std::size_t n, Triangle triangle) {
  Matrix T(n, n);
  for (std::size_t j = 0; j < n; ++j) {
    const std::size_t first = triangle == Triangle::lower ? j : 0;
    const std::size_t last = triangle == Triangle::lower ? n : j + 1;
    std::copy(factor.col(j).begin() + static_cast<std::ptrdiff_t>(first),
              factor.col(j).begin() + static_cast<std::ptrdiff_t>(last),
              T.col(j).begin() + static_cast<std::ptrdiff_t>(first));
  }
  return T;
}

// The least-norm minimiser of ‖T z − b‖ for square T, into b; returns the rank.
std::size_t solve_square(Matrix T, std::vector<double>& b, double rank_tolerance) {
  const lapack_int n = lapack_size(T.rows());
  std::vector<lapack_int> pivots(T.rows(), 0);
  lapack_int rank = 0;
  check_lapack(
      LAPACKE_dgelsy(LAPACK_COL_MAJOR, n, n, 1, T.data(), n, b.data(), n, pivots.data(), rank_tolerance, &rank),
      "dgelsy");
  return static_cast<std::size_t>(rank);
}

}  // namespace

MinimumNormSolution solve_minimum_norm(Matrix A, std::span<const double> y, double rank_tolerance, bool spectrum) {
  if (rank_tolerance == 0.0) rank_tolerance = default_rank_tolerance(A.rows(), A.cols());
  const lapack_int m = lapack_size(A.rows());
  const lapack_int n = lapack_size(A.cols());
  const bool wide = A.rows() < A.cols();
  const std::size_t small = std::min(A.rows(), A.cols());
  std::vector<double> tau(small);
  std::vector<double> b(y.begin(), y.end());

  if (wide) {
    check_lapack(LAPACKE_dgelqf(LAPACK_COL_MAJOR, m, n, A.data(), m, tau.data()), "dgelqf");
  } else {
    check_lapack(LAPACKE_dgeqrf(LAPACK_COL_MAJOR, m, n, A.data(), m, tau.data()), "dgeqrf");
    check_lapack(LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'T', m, 1, n, A.data(), m, tau.data(), b.data(), m), "dormqr");
    b.resize(small);
  }
  const Matrix T = copy_triangle(A, small, wide ? Triangle::lower : Triangle::upper);
  MinimumNormSolution solution;
  if (spectrum) solution.singular_values = singular_values(Matrix(T));
  solution.rank = solve_square(Matrix(T), b, rank_tolerance);
  if (wide) {
    b.resize(A.cols(), 0.0);
    check_lapack(LAPACKE_dormlq(LAPACK_COL_MAJOR, 'L', 'T', n, 1, m, A.data(), m, tau.data(), b.data(), n), "dormlq");
  }
  solution.coefficients = std::move(b);
  return solution;
}

}  // namespace shrimp

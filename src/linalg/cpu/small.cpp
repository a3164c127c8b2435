#include "linalg/small.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/cpu/lapack.hpp"
#include "linalg/dense.hpp"
#include "linalg/householder.hpp"

namespace shrimp {

PivotedTriangle pivoted_triangle(Matrix S, double cut) {
  const std::size_t k = std::min(S.rows(), S.cols());
  std::vector<lapack_int> pivots(S.cols(), 0);
  std::vector<double> tau(k);
  check_lapack(LAPACKE_dgeqp3(LAPACK_COL_MAJOR, lapack_size(S.rows()), lapack_size(S.cols()), S.data(),
                              lapack_size(S.rows()), pivots.data(), tau.data()),
               "dgeqp3");
  std::size_t rank = 0;
  while (rank < k && std::abs(S(rank, rank)) > cut) ++rank;
  PivotedTriangle result{{}, Matrix(rank, S.cols())};
  for (std::size_t j = 0; j < S.cols(); ++j) {
    const auto column = static_cast<std::size_t>(pivots[j] - 1);
    if (j < rank) result.columns.push_back(column);
    std::copy_n(S.col(j).begin(), std::min(j + 1, rank), result.R.col(column).begin());
  }
  return result;
}

Interpolation interpolate_columns(Matrix S, double tolerance, std::size_t most_columns) {
  double largest = 0.0;
  for (std::size_t j = 0; j < S.cols(); ++j) largest = std::max(largest, squared_norm(S.col(j)));
  PivotedTriangle found = pivoted_triangle(std::move(S), tolerance * std::sqrt(largest));
  const std::size_t rank = found.columns.size();
  Interpolation result;
  if (rank > most_columns) return result;
  result.found = true;
  if (rank > 0) {
    const Matrix R_J = gather_columns(found.R, found.columns);
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, lapack_size(rank),
                lapack_size(found.R.cols()), 1.0, R_J.data(), lapack_size(rank), found.R.data(), lapack_size(rank));
  }
  for (std::size_t k = 0; k < rank; ++k) {
    const std::span<double> weights = found.R.col(found.columns[k]);
    std::ranges::fill(weights, 0.0);
    weights[k] = 1.0;
  }
  result.columns = std::move(found.columns);
  result.weights = std::move(found.R);
  return result;
}

OrthonormalRows orthonormalize_rows(const Matrix& W) {
  const lapack_int r = lapack_size(W.rows());
  OrthonormalRows result{Matrix(W.rows(), W.rows()), Matrix(W)};
  // Twice: the second pass removes what rounding left of non-orthogonality after the first.
  Matrix L(W.rows(), W.rows());
  for (std::size_t i = 0; i < W.rows(); ++i) L(i, i) = 1.0;
  for (int pass = 0; pass < 2; ++pass) {
    Matrix G(W.rows(), W.rows());
    add_gram(G, 1.0, result.D);
    check_lapack(LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', r, G.data(), r), "dpotrf");
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, r, lapack_size(W.cols()), 1.0,
                G.data(), r, result.D.data(), r);
    cblas_dtrmm(CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, r, r, 1.0, G.data(), r, L.data(), r);
  }
  result.L = std::move(L);
  return result;
}

ThinSvd thin_svd(Matrix A) {
  const std::size_t m = A.rows();
  const std::size_t n = A.cols();
  const lapack_int size = lapack_size(n);
  const HouseholderQr qr(std::move(A));
  Matrix R = qr.R();
  ThinSvd svd{Matrix::uninitialized(m, n), std::vector<double>(n), Matrix(n, n)};
  Matrix U(n, n);
  std::vector<double> superdiagonal(n);
  check_lapack(LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'A', 'A', size, size, R.data(), size, svd.sigma.data(), U.data(), size,
                              svd.Vt.data(), size, superdiagonal.data()),
               "dgesvd");
  for (std::size_t k = 0; k < n; ++k) {
    const std::span<double> column = svd.U.col(k);
    std::ranges::fill(column, 0.0);
    std::ranges::copy(U.col(k), column.begin());
    qr.apply(column);
  }
  return svd;
}

SymmetricEigen symmetric_eigen(Matrix G) {
  std::vector<double> values(G.rows());
  const lapack_int n = lapack_size(G.rows());
  if (n > 0) check_lapack(LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', n, G.data(), n, values.data()), "dsyevd");
  return {std::move(values), std::move(G)};
}

Matrix gram_root(const Matrix& D) {
  const lapack_int r = lapack_size(D.rows());
  Matrix V(D.rows(), D.rows());
  if (D.rows() == 0) return V;
  add_gram(V, 1.0, D);
  std::vector<double> values(D.rows());
  check_lapack(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', r, V.data(), r, values.data()), "dsyev");
  for (std::size_t k = 0; k < D.rows(); ++k) {
    const double root = std::sqrt(std::max(0.0, values[k]));
    for (double& entry : V.col(k)) entry *= root;
  }
  return V;
}

}  // namespace shrimp

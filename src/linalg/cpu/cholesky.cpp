#include "linalg/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/cpu/lapack.hpp"
#include "linalg/cpu/triangle_tiles.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// Right sides of a triangular solve that are taken at once: few where there are few, for more threads to have some.
std::size_t tile_of(std::size_t columns) { return columns < 1024 ? 64 : 128; }

// A panel of columns, then what it takes from the rest.
bool factor_in_place(Matrix& G) {
  constexpr std::size_t panel = 96;  // Measured from 64 to 192, as are the rows.
  constexpr std::size_t rows_at_once = 96;
  const std::size_t n = G.rows();
  const lapack_int stride = lapack_size(n);
  for (std::size_t first = 0; first < n; first += panel) {
    const std::size_t next = std::min(n, first + panel);
    const lapack_int width = lapack_size(next - first);
    const lapack_int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', width, &G(first, first), stride);
    if (info > 0) return false;
    check_lapack(info, "dpotrf");
    for (std::size_t k = first; k < next; ++k) {
      if (!std::isfinite(G(k, k))) return false;  // OpenBLAS takes it for positive.
    }
    const std::size_t below = n - next;
    if (below == 0) break;
    parallel_for((below + rows_at_once - 1) / rows_at_once, [&](std::size_t t) {
      const std::size_t row = next + t * rows_at_once;
      cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit,
                  lapack_size(std::min(rows_at_once, n - row)), width, 1.0, &G(first, first), stride, &G(row, first),
                  stride);
    });
    add_gram_at(&G(next, next), n, -1.0, {&G(next, first), below, next - first, n});
  }
  return true;
}

void solve_triangular(const Matrix& L, CBLAS_TRANSPOSE transposed, Matrix& B) {
  const std::size_t n = L.rows();
  const std::size_t tile = tile_of(B.cols());
  parallel_for((B.cols() + tile - 1) / tile,
               [&](std::size_t t) {
                 const std::size_t columns = std::min(tile, B.cols() - t * tile);
                 cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, transposed, CblasNonUnit, lapack_size(n),
                             lapack_size(columns), 1.0, L.data(), lapack_size(n), B.col(t * tile).data(),
                             lapack_size(n));
               },
               static_cast<double>(n * n) * static_cast<double>(B.cols()));
}

}  // namespace

std::optional<Cholesky> Cholesky::factor(Matrix G) {
  if (!factor_in_place(G)) return std::nullopt;
  return Cholesky(std::move(G));
}

Cholesky Cholesky::bordered(const Matrix& Y, const Cholesky& corner) const {
  const std::size_t n = L_.rows();
  const std::size_t k = corner.L_.rows();
  Matrix L(n + k, n + k);
  for (std::size_t j = 0; j < n; ++j) {
    std::copy_n(L_.col(j).data() + j, n - j, &L(j, j));
    std::ranges::copy(Y.col(j), &L(n, j));
  }
  for (std::size_t j = 0; j < k; ++j) std::copy_n(corner.L_.col(j).data() + j, k - j, &L(n + j, n + j));
  return Cholesky(std::move(L));
}

void Cholesky::solve(std::span<double> b) const {
  const auto solve_with = [&](CBLAS_TRANSPOSE transposed) {
    cblas_dtrsv(CblasColMajor, CblasLower, transposed, CblasNonUnit, lapack_size(L_.rows()), L_.data(),
                lapack_size(L_.rows()), b.data(), 1);
  };
  solve_with(CblasNoTrans);
  solve_with(CblasTrans);
}

void Cholesky::solve_lower(Matrix& B) const { solve_triangular(L_, CblasNoTrans, B); }

void Cholesky::solve_lower_transposed(Matrix& B) const { solve_triangular(L_, CblasTrans, B); }

// Tiles of columns of the identity: those above a tile's first row stay zero and are left out.
Matrix Cholesky::inverse_of_factor() const {
  const std::size_t n = L_.rows();
  const std::size_t tile = tile_of(n);
  Matrix X(n, n);
  parallel_for((n + tile - 1) / tile,
               [&](std::size_t t) {
                 const std::size_t first = t * tile;
                 const std::size_t columns = std::min(tile, n - first);
                 for (std::size_t j = first; j < first + columns; ++j) X(j, j) = 1.0;
                 cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, lapack_size(n - first),
                             lapack_size(columns), 1.0, L_.data() + first * n + first, lapack_size(n), &X(first, first),
                             lapack_size(n));
               },
               static_cast<double>(n * n) * static_cast<double>(n));
  return X;
}

// XᵀX for X = L⁻¹, of which the rows above a tile's are zero.
Matrix Cholesky::inverse() const {
  const Matrix X = inverse_of_factor();
  const std::size_t n = X.rows();
  Matrix G = Matrix::uninitialized(n, n);
  const std::size_t tile = tile_of(n);
  const std::size_t tiles = (n + tile - 1) / tile;
  parallel_for(
      tiles,
      [&](std::size_t t) {
        const std::size_t first = t * tile;
        const lapack_int width = lapack_size(std::min(tile, n - first));
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, width, lapack_size(std::min(n, first + tile)),
                    lapack_size(n - first), 1.0, X.data() + first * n + first, lapack_size(n), X.data() + first,
                    lapack_size(n), 0.0, &G(first, 0), lapack_size(n));
      },
      static_cast<double>(n * n) * static_cast<double>(n));
  parallel_for(
      tiles,
      [&](std::size_t t) {
        for (std::size_t j = 0; j < n; ++j) {
          for (std::size_t i = std::max(j + 1, t * tile); i < std::min(n, (t + 1) * tile); ++i) G(j, i) = G(i, j);
        }
      },
      static_cast<double>(n * n));
  return G;
}

Matrix Cholesky::upper() && {
  constexpr std::size_t square = 64;
  const std::size_t n = L_.rows();
  parallel_for((n + square - 1) / square,
               [&](std::size_t block) {
                 for (std::size_t i0 = block * square; i0 < n; i0 += square) {
                   for (std::size_t j = block * square; j < std::min(n, (block + 1) * square); ++j) {
                     for (std::size_t i = std::max(i0, j + 1); i < std::min(n, i0 + square); ++i) {
                       L_(j, i) = std::exchange(L_(i, j), 0.0);
                     }
                   }
                 }
               },
               static_cast<double>(n) * static_cast<double>(n));
  return std::move(L_);
}

double Cholesky::log_determinant() const {
  double sum = 0.0;
  for (std::size_t j = 0; j < L_.rows(); ++j) sum += 2.0 * std::log(L_(j, j));
  return sum;
}

double Cholesky::rcond(double one_norm) const {
  double result = 0.0;
  const lapack_int n = lapack_size(L_.rows());
  check_lapack(LAPACKE_dpocon(LAPACK_COL_MAJOR, 'L', n, L_.data(), n, one_norm, &result), "dpocon");
  return result;
}

}  // namespace shrimp

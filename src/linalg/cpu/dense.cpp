#include "linalg/dense.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/cpu/lapack.hpp"
#include "linalg/cpu/triangle_tiles.hpp"
#include "threads/threads.hpp"

namespace shrimp {

namespace {

// Large enough for BLAS to run at full speed inside a tile, small enough to share out.
constexpr std::size_t product_tile = 192;

std::size_t product_tiles(std::size_t size, std::size_t side = product_tile) { return (size + side - 1) / side; }

}  // namespace

namespace {

std::vector<double> multiply(MatrixView A, CBLAS_TRANSPOSE transposed, std::span<const double> x) {
  std::vector<double> result(transposed == CblasNoTrans ? A.rows : A.cols, 0.0);
  if (A.rows == 0 || A.cols == 0) return result;
  cblas_dgemv(CblasColMajor, transposed, lapack_size(A.rows), lapack_size(A.cols), 1.0, A.data, lapack_size(A.stride),
              x.data(), 1, 0.0, result.data(), 1);
  return result;
}

double product_of(std::size_t a, std::size_t b) { return static_cast<double>(a) * static_cast<double>(b); }

}  // namespace

std::vector<double> multiply(MatrixView A, std::span<const double> x) { return multiply(A, CblasNoTrans, x); }

std::vector<double> multiply_transposed(MatrixView A, std::span<const double> x) { return multiply(A, CblasTrans, x); }

namespace {

Matrix multiply(MatrixView A, CBLAS_TRANSPOSE transposed, MatrixView B) {
  const std::size_t rows = transposed == CblasNoTrans ? A.rows : A.cols;
  Matrix C(rows, B.cols);
  if (C.empty() || B.rows == 0) return C;
  // Few columns are shared out by rows, too.
  constexpr std::size_t rows_at_once = 384;
  const std::size_t across = product_tiles(B.cols);
  parallel_for(
      across * product_tiles(rows, rows_at_once),
      [&](std::size_t k) {
        const std::size_t column = k % across * product_tile;
        const std::size_t row = k / across * rows_at_once;
        const double* const left = A.data + (transposed == CblasNoTrans ? row : row * A.stride);
        cblas_dgemm(CblasColMajor, transposed, CblasNoTrans, lapack_size(std::min(rows_at_once, rows - row)),
                    lapack_size(std::min(product_tile, B.cols - column)), lapack_size(B.rows), 1.0, left,
                    lapack_size(A.stride), B.data + column * B.stride, lapack_size(B.stride), 0.0, &C(row, column),
                    lapack_size(rows));
      },
      product_of(A.rows, A.cols) * static_cast<double>(B.cols));
  return C;
}

}  // namespace

Matrix multiply(MatrixView A, MatrixView B) { return multiply(A, CblasNoTrans, B); }

Matrix multiply_transposed(MatrixView A, MatrixView B) { return multiply(A, CblasTrans, B); }

void add_gram(Matrix& G, double alpha, MatrixView A) { add_gram_at(G.data(), G.rows(), alpha, A); }

void add_gram_of_columns(Matrix& G, MatrixView A) {
  const lapack_int stride = lapack_size(A.stride);
  add_tiles_at(G.data(), G.rows(), A.cols, A.rows,
               [&](std::size_t i, lapack_int rows, std::size_t j, lapack_int columns, std::size_t first,
                   std::size_t count, double* target, std::size_t target_stride, double beta) {
                 const double* const left = A.data + first + i * A.stride;
                 if (i == j) {
                   cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, rows, lapack_size(count), 1.0, left, stride, beta,
                               target, lapack_size(target_stride));
                 } else {
                   cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rows, columns, lapack_size(count), 1.0, left,
                               stride, A.data + first + j * A.stride, stride, beta, target, lapack_size(target_stride));
                 }
               });
}

void orthogonalize(Matrix& Y, MatrixView B, const Matrix& C, const Matrix& R) {
  constexpr std::size_t at_once = 4;  // Columns. BLAS's own solve takes twice as long for the few that there are.
  if (Y.empty()) return;
  const lapack_int rows = lapack_size(Y.rows());
  const auto subtract = [&](const double* factor, std::size_t depth, std::size_t stride, const Matrix& coefficients,
                            std::size_t first, std::size_t count) {
    if (depth == 0) return;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows, lapack_size(count), lapack_size(depth), -1.0, factor,
                lapack_size(stride), coefficients.col(first).data(), lapack_size(coefficients.rows()), 1.0,
                Y.col(first).data(), rows);
  };
  subtract(B.data, B.cols, B.stride, C, 0, Y.cols());
  for (std::size_t first = 0; first < Y.cols(); first += at_once) {
    const std::size_t last = std::min(Y.cols(), first + at_once);
    subtract(Y.data(), first, Y.rows(), R, first, last - first);
    for (std::size_t k = first; k < last; ++k) {
      for (std::size_t l = first; l < k; ++l) add_scaled(Y.col(k), -R(l, k), Y.col(l));
      cblas_dscal(rows, 1.0 / R(k, k), Y.col(k).data(), 1);
    }
  }
}

namespace {

// Σ_k c_k A_{columns[k]}, where coefficient(k) is asked for c_k just before its column is added.
template <typename Coefficient>
std::vector<double> sum_of_columns(MatrixView A, std::span<const std::size_t> columns, const Coefficient& coefficient) {
  constexpr std::size_t parts = 16;
  Matrix sums(A.rows, parts);
  parallel_for(
      parts,
      [&](std::size_t part) {
        const std::size_t end = (part + 1) * columns.size() / parts;
        for (std::size_t k = part * columns.size() / parts; k < end; ++k) {
          cblas_daxpy(lapack_size(A.rows), coefficient(k), A.col(columns[k]).data(), 1, sums.col(part).data(), 1);
        }
      },
      product_of(A.rows, columns.size()));
  std::vector<double> sum(sums.col(0).begin(), sums.col(0).end());
  for (std::size_t part = 1; part < parts; ++part) {
    for (std::size_t i = 0; i < A.rows; ++i) sum[i] += sums(i, part);
  }
  return sum;
}

}  // namespace

std::vector<double> combine_columns(MatrixView A, std::span<const std::size_t> columns, std::span<const double> c) {
  return sum_of_columns(A, columns, [&](std::size_t k) { return c[k]; });
}

std::vector<double> project_and_combine(MatrixView A, std::span<const std::size_t> columns, std::span<const double> z,
                                        std::span<double> c) {
  return sum_of_columns(A, columns, [&](std::size_t k) {
    return c[k] += cblas_ddot(lapack_size(A.rows), A.col(columns[k]).data(), 1, z.data(), 1);
  });
}

std::vector<double> project_columns(MatrixView A, std::span<const std::size_t> columns, std::span<const double> z) {
  constexpr std::size_t parts = 16;
  std::vector<double> products(columns.size());
  parallel_for(
      parts,
      [&](std::size_t part) {
        const std::size_t end = (part + 1) * columns.size() / parts;
        for (std::size_t k = part * columns.size() / parts; k < end; ++k) {
          products[k] = cblas_ddot(lapack_size(A.rows), A.col(columns[k]).data(), 1, z.data(), 1);
        }
      },
      product_of(A.rows, columns.size()));
  return products;
}

Matrix copy_in_parallel(MatrixView A) {
  Matrix result = Matrix::uninitialized(A.rows, A.cols);
  parallel_for(
      A.cols, [&](std::size_t j) { std::ranges::copy(A.col(j), result.col(j).begin()); }, product_of(A.rows, A.cols));
  return result;
}

Matrix copy_lower_triangle(MatrixView A) {
  Matrix result = Matrix::uninitialized(A.rows, A.cols);
  parallel_for(
      A.cols,
      [&](std::size_t j) {
        std::copy(A.col(j).begin() + static_cast<std::ptrdiff_t>(j), A.col(j).end(),
                  result.col(j).begin() + static_cast<std::ptrdiff_t>(j));
      },
      product_of(A.rows, A.cols));
  return result;
}

Matrix gather_columns(MatrixView A, std::span<const std::size_t> columns) {
  Matrix result = Matrix::uninitialized(A.rows, columns.size());
  parallel_for(
      columns.size(), [&](std::size_t k) { std::ranges::copy(A.col(columns[k]), result.col(k).begin()); },
      product_of(A.rows, columns.size()));
  return result;
}

Matrix gather_rows(MatrixView A, std::span<const std::size_t> rows) {
  Matrix result = Matrix::uninitialized(rows.size(), A.cols);
  for (std::size_t j = 0; j < A.cols; ++j) {
    for (std::size_t k = 0; k < rows.size(); ++k) result(k, j) = A(rows[k], j);
  }
  return result;
}

Matrix stack_rows(MatrixView A, MatrixView B) {
  Matrix result = Matrix::uninitialized(A.rows + B.rows, A.cols);
  parallel_for(
      A.cols,
      [&](std::size_t j) {
        const auto middle = std::ranges::copy(A.col(j), result.col(j).begin()).out;
        std::ranges::copy(B.col(j), middle);
      },
      product_of(result.rows(), A.cols));
  return result;
}

Matrix transpose(MatrixView A) {
  Matrix T = Matrix::uninitialized(A.cols, A.rows);
  constexpr std::size_t square = 32;
  parallel_for(
      product_tiles(A.rows, square),
      [&](std::size_t block) {
        const std::size_t i0 = block * square;
        for (std::size_t j0 = 0; j0 < A.cols; j0 += square) {
          for (std::size_t i = i0; i < std::min(i0 + square, A.rows); ++i) {
            for (std::size_t j = j0; j < std::min(j0 + square, A.cols); ++j) T(j, i) = A(i, j);
          }
        }
      },
      product_of(A.rows, A.cols));
  return T;
}

void scale_rows(Matrix& A, std::span<const double> factors) {
  parallel_for(
      A.cols(),
      [&](std::size_t j) {
        const std::span<double> column = A.col(j);
        for (std::size_t i = 0; i < column.size(); ++i) column[i] *= factors[i];
      },
      product_of(A.rows(), A.cols()));
}

void add_scaled(std::span<double> y, double alpha, std::span<const double> x) {
  cblas_daxpy(lapack_size(x.size()), alpha, x.data(), 1, y.data(), 1);
}

bool all_finite(std::span<const double> x) {
  return std::ranges::all_of(x, [](double value) { return std::isfinite(value); });
}

double squared_norm(std::span<const double> x) {
  double sum = 0.0;
  for (const double value : x) sum += value * value;
  return sum;
}

double norm(std::span<const double> x) { return std::sqrt(squared_norm(x)); }

std::size_t solve_square_least_norm(Matrix T, std::span<double> b, double tolerance) {
  const lapack_int n = lapack_size(T.rows());
  std::vector<lapack_int> pivots(T.rows(), 0);
  lapack_int rank = 0;
  check_lapack(LAPACKE_dgelsy(LAPACK_COL_MAJOR, n, n, 1, T.data(), n, b.data(), n, pivots.data(), tolerance, &rank),
               "dgelsy");
  return static_cast<std::size_t>(rank);
}

std::vector<double> singular_values(Matrix A) {
  const std::size_t count = std::min(A.rows(), A.cols());
  std::vector<double> values(count);
  if (count == 0) return values;
  std::vector<double> superdiagonal(count);
  check_lapack(LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', lapack_size(A.rows()), lapack_size(A.cols()), A.data(),
                              lapack_size(A.rows()), values.data(), nullptr, 1, nullptr, 1, superdiagonal.data()),
               "dgesvd");
  return values;
}

}  // namespace shrimp

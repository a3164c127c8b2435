#include "linalg/dense.hpp"

#include <algorithm>

#include "linalg/cpu/lapack.hpp"
#include "linalg/threads.hpp"

extern "C" int openblas_get_num_threads();  // Not in Debian's cblas.h for every variant.

namespace shrimp {

BlasThreads::BlasThreads(int threads) : before_(openblas_get_num_threads()) {
  openblas_set_num_threads(thread_count(threads));
}

BlasThreads::~BlasThreads() { openblas_set_num_threads(before_); }

std::vector<double> multiply(MatrixView A, std::span<const double> x) {
  std::vector<double> result(A.rows, 0.0);
  if (A.rows == 0 || A.cols == 0) return result;
  cblas_dgemv(CblasColMajor, CblasNoTrans, lapack_size(A.rows), lapack_size(A.cols), 1.0, A.data, lapack_size(A.stride),
              x.data(), 1, 0.0, result.data(), 1);
  return result;
}

std::vector<double> multiply_transposed(MatrixView A, std::span<const double> x) {
  std::vector<double> result(A.cols, 0.0);
  if (A.rows == 0 || A.cols == 0) return result;
  cblas_dgemv(CblasColMajor, CblasTrans, lapack_size(A.rows), lapack_size(A.cols), 1.0, A.data, lapack_size(A.stride),
              x.data(), 1, 0.0, result.data(), 1);
  return result;
}

Matrix gather_columns(MatrixView A, std::span<const std::size_t> columns) {
  Matrix result = Matrix::uninitialized(A.rows, columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k) std::ranges::copy(A.col(columns[k]), result.col(k).begin());
  return result;
}

Matrix gather_rows(MatrixView A, std::span<const std::size_t> rows) {
  Matrix result = Matrix::uninitialized(rows.size(), A.cols);
  for (std::size_t j = 0; j < A.cols; ++j) {
    for (std::size_t k = 0; k < rows.size(); ++k) result(k, j) = A(rows[k], j);
  }
  return result;
}

double squared_norm(std::span<const double> x) {
  double sum = 0.0;
  for (const double value : x) sum += value * value;
  return sum;
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

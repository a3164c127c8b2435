// Dense column-major matrices: one owner and one read-only view.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <span>

namespace shrimp {

/// Read-only view of column-major doubles; `stride` is the distance between columns.
struct MatrixView {
  const double* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t stride = 0;

  [[nodiscard]] std::span<const double> col(std::size_t j) const { return {data + j * stride, rows}; }
  double operator()(std::size_t i, std::size_t j) const { return data[i + j * stride]; }
};

/// Owns rows × cols doubles in column-major order, aligned to 64 bytes. Equal alignment makes BLAS results
/// reproducible, since their last bits may depend on it.
class Matrix {
 public:
  Matrix() = default;

  Matrix(std::size_t rows, std::size_t cols) : Matrix(uninitialized(rows, cols)) {
    std::fill_n(data(), rows * cols, 0.0);
  }

  static Matrix uninitialized(std::size_t rows, std::size_t cols) {
    if (cols != 0 && rows > std::numeric_limits<std::size_t>::max() / sizeof(double) / cols) {
      throw std::bad_array_new_length();
    }
    Matrix matrix;
    matrix.storage_ = {allocate(rows * cols), Free{rows * cols}};
    matrix.rows_ = rows;
    matrix.cols_ = cols;
    return matrix;
  }

  explicit Matrix(MatrixView view) : Matrix(uninitialized(view.rows, view.cols)) {
    for (std::size_t j = 0; j < cols_; ++j) std::ranges::copy(view.col(j), col(j).begin());
  }

  /// Explicit, to prevent accidental copies of large matrices.
  explicit Matrix(const Matrix& other) : Matrix(MatrixView(other)) {}  // NOLINT(google-explicit-constructor)
  Matrix(Matrix&&) noexcept = default;
  Matrix& operator=(const Matrix&) = delete;
  Matrix& operator=(Matrix&&) noexcept = default;
  ~Matrix() = default;

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t cols() const { return cols_; }
  [[nodiscard]] bool empty() const { return rows_ == 0 || cols_ == 0; }
  double* data() { return storage_.get(); }
  [[nodiscard]] const double* data() const { return storage_.get(); }
  std::span<double> col(std::size_t j) { return {data() + j * rows_, rows_}; }
  [[nodiscard]] std::span<const double> col(std::size_t j) const { return {data() + j * rows_, rows_}; }
  double& operator()(std::size_t i, std::size_t j) { return data()[i + j * rows_]; }
  double operator()(std::size_t i, std::size_t j) const { return data()[i + j * rows_]; }

  operator MatrixView() const { return {data(), rows_, cols_, rows_}; }  // NOLINT(google-explicit-constructor)

 private:
  struct Free {
    std::size_t entries;
    void operator()(double* first) const;
  };
  static double* allocate(std::size_t entries);

  std::unique_ptr<double, Free> storage_;
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
};

}  // namespace shrimp

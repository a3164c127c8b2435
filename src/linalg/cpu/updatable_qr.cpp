#include "linalg/updatable_qr.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/cpu/lapack.hpp"

namespace shrimp {

namespace {

double euclidean_norm(std::span<const double> x) { return cblas_dnrm2(lapack_size(x.size()), x.data(), 1); }

}  // namespace

std::vector<double> UpdatableQr::project(std::span<const double> b) const {
  std::vector<double> z(cols_, 0.0);
  if (cols_ == 0 || rows_ == 0) return z;
  cblas_dgemv(CblasColMajor, CblasTrans, lapack_size(rows_), lapack_size(cols_), 1.0, Q_.data(), lapack_size(rows_),
              b.data(), 1, 0.0, z.data(), 1);
  return z;
}

std::vector<double> UpdatableQr::combine(std::span<const double> z) const {
  std::vector<double> b(rows_, 0.0);
  if (cols_ == 0 || rows_ == 0) return b;
  cblas_dgemv(CblasColMajor, CblasNoTrans, lapack_size(rows_), lapack_size(cols_), 1.0, Q_.data(), lapack_size(rows_),
              z.data(), 1, 0.0, b.data(), 1);
  return b;
}

std::vector<double> UpdatableQr::solve(std::span<const double> b) const {
  std::vector<double> x(b.begin(), b.end());
  if (cols_ == 0) return x;
  cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, lapack_size(cols_), R_.data(),
              lapack_size(capacity_), x.data(), 1);
  return x;
}

std::vector<double> UpdatableQr::solve_transposed(std::span<const double> b) const {
  std::vector<double> x(b.begin(), b.end());
  if (cols_ == 0) return x;
  cblas_dtrsv(CblasColMajor, CblasUpper, CblasTrans, CblasNonUnit, lapack_size(cols_), R_.data(),
              lapack_size(capacity_), x.data(), 1);
  return x;
}

void UpdatableQr::reserve(std::size_t cols) {
  if (cols <= capacity_) return;
  const std::size_t capacity = std::min(rows_, std::max<std::size_t>(16, 2 * cols));
  std::vector<double> R(capacity * capacity, 0.0);
  for (std::size_t j = 0; j < cols_; ++j) std::copy_n(r(0, j), j + 1, R.data() + j * capacity);
  R_ = std::move(R);
  Q_.resize(rows_ * capacity);
  capacity_ = capacity;
}

bool UpdatableQr::append(std::span<const double> column, double tolerance) {
  const double length = euclidean_norm(column);
  if (cols_ >= rows_ || length == 0.0) return false;
  std::vector<double> rest(column.begin(), column.end());
  std::vector<double> along(cols_, 0.0);
  for (int pass = 0; pass < 2; ++pass) {
    const std::vector<double> z = project(rest);
    const std::vector<double> part = combine(z);
    for (std::size_t i = 0; i < rows_; ++i) rest[i] -= part[i];
    for (std::size_t k = 0; k < cols_; ++k) along[k] += z[k];
  }
  const double height = euclidean_norm(rest);
  if (!(height > tolerance * length)) return false;
  reserve(cols_ + 1);
  std::ranges::copy(along, r(0, cols_));
  *r(cols_, cols_) = height;
  std::ranges::transform(rest, q(cols_), [height](double value) { return value / height; });
  ++cols_;
  return true;
}

void UpdatableQr::remove(std::size_t k) {
  --cols_;
  for (std::size_t j = k; j < cols_; ++j) std::copy_n(r(0, j + 1), j + 2, r(0, j));
  for (std::size_t i = k; i < cols_; ++i) {
    double length = *r(i, i);
    double below = *r(i + 1, i);
    double cosine = 1.0;
    double sine = 0.0;
    cblas_drotg(&length, &below, &cosine, &sine);
    *r(i, i) = length;
    *r(i + 1, i) = 0.0;
    if (i + 1 < cols_) {
      cblas_drot(lapack_size(cols_ - i - 1), r(i, i + 1), lapack_size(capacity_), r(i + 1, i + 1),
                 lapack_size(capacity_), cosine, sine);
    }
    cblas_drot(lapack_size(rows_), q(i), 1, q(i + 1), 1, cosine, sine);
  }
}

}  // namespace shrimp

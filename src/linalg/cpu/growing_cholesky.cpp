#include "linalg/growing_cholesky.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/cpu/lapack.hpp"
#include "linalg/dense.hpp"

namespace shrimp {

void GrowingCholesky::append(std::span<const double> row) {
  if (size_ == L_.rows()) {
    const std::size_t capacity = std::max<std::size_t>(32, 2 * size_);
    Matrix larger(capacity, capacity);
    for (std::size_t k = 0; k < size_; ++k) std::ranges::copy(L_.col(k).first(size_), larger.col(k).begin());
    L_ = std::move(larger);
  }
  std::vector<double> w(row.begin(), row.end());
  const double square = w.back();
  w.pop_back();
  if (size_ > 0) {
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, lapack_size(size_), L_.data(),
                lapack_size(L_.rows()), w.data(), 1);
  }
  for (std::size_t k = 0; k < size_; ++k) L_(size_, k) = w[k];
  constexpr double smallest_part = 1e-14;
  L_(size_, size_) = std::sqrt(std::max(square - squared_norm(w), smallest_part * square));
  ++size_;
}

// Without the row, each column after it reaches one entry above the diagonal; rotating neighbours takes that away.
void GrowingCholesky::remove(std::size_t position) {
  for (std::size_t k = 0; k < size_; ++k) {
    const std::span<double> column = L_.col(k).first(size_);
    const std::size_t first = std::max(position, k == 0 ? position : k - 1);
    std::copy(column.begin() + static_cast<std::ptrdiff_t>(first) + 1, column.end(),
              column.begin() + static_cast<std::ptrdiff_t>(first));
  }
  --size_;
  for (std::size_t k = position; k < size_; ++k) {
    double cosine = 0.0;
    double sine = 0.0;
    double a = L_(k, k);
    double b = L_(k, k + 1);
    cblas_drotg(&a, &b, &cosine, &sine);
    cblas_drot(lapack_size(size_ - k), &L_(k, k), 1, &L_(k, k + 1), 1, cosine, sine);
    if (L_(k, k) < 0.0) cblas_dscal(lapack_size(size_ - k), -1.0, &L_(k, k), 1);
  }
}

void GrowingCholesky::solve(std::span<double> b) const {
  if (size_ == 0) return;
  for (const CBLAS_TRANSPOSE transposed : {CblasNoTrans, CblasTrans}) {
    cblas_dtrsv(CblasColMajor, CblasLower, transposed, CblasNonUnit, lapack_size(size_), L_.data(),
                lapack_size(L_.rows()), b.data(), 1);
  }
}

}  // namespace shrimp

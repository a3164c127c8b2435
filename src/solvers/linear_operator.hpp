// A as the first-order solvers see it: products with A and Aᵀ, however A is kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "linalg/dense.hpp"
#include "shrimp/matrix.hpp"

namespace shrimp {

class LinearOperator {
 public:
  virtual ~LinearOperator() = default;
  [[nodiscard]] virtual std::size_t rows() const = 0;
  [[nodiscard]] virtual std::size_t cols() const = 0;

  /// A x and Aᵀ z
  [[nodiscard]] virtual std::vector<double> multiply(std::span<const double> x) const = 0;
  [[nodiscard]] virtual std::vector<double> multiply_transposed(std::span<const double> z) const = 0;

  /// Some columns of A, in the order given.
  [[nodiscard]] virtual Matrix columns(std::span<const std::size_t> which) const {
    Matrix part = Matrix::uninitialized(rows(), which.size());
    std::vector<double> unit(cols(), 0.0);
    for (std::size_t k = 0; k < which.size(); ++k) {
      unit[which[k]] = 1.0;
      std::ranges::copy(multiply(unit), part.col(k).begin());
      unit[which[k]] = 0.0;
    }
    return part;
  }
};

/// A matrix that is stored.
class DenseOperator : public LinearOperator {
 public:
  explicit DenseOperator(MatrixView A) : A_(A) {}

  [[nodiscard]] std::size_t rows() const override { return A_.rows; }
  [[nodiscard]] std::size_t cols() const override { return A_.cols; }
  [[nodiscard]] std::vector<double> multiply(std::span<const double> x) const override {
    return shrimp::multiply(A_, x);
  }
  [[nodiscard]] std::vector<double> multiply_transposed(std::span<const double> z) const override {
    return shrimp::multiply_transposed(A_, z);
  }
  [[nodiscard]] Matrix columns(std::span<const std::size_t> which) const override { return gather_columns(A_, which); }

 private:
  MatrixView A_;
};

}  // namespace shrimp

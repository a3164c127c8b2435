// A as solvers see it, however it is kept: products with A and Aᵀ, and columns of it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

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

  /// The columns of A in the order given: products with unit vectors, unless A knows better.
  [[nodiscard]] virtual Matrix gather(std::span<const std::size_t> which) const;
};

/// The entries of x other than zero.
struct Nonzeros {
  std::vector<std::size_t> places;
  std::vector<double> values;

  explicit Nonzeros(std::span<const double> x);
};

/// A stored matrix whose products are shared out between threads, in tiles that do not depend on their number.
class DenseOperator : public LinearOperator {
 public:
  /// Entries of A in a product: fewer are done before a second thread has woken up.
  static constexpr std::size_t worth_sharing = std::size_t{1} << 17;

  explicit DenseOperator(MatrixView A) : A_(A) {}

  [[nodiscard]] std::size_t rows() const override { return A_.rows; }
  [[nodiscard]] std::size_t cols() const override { return A_.cols; }
  [[nodiscard]] std::vector<double> multiply(std::span<const double> x) const override;  ///< Skips the zeros of x.
  [[nodiscard]] std::vector<double> multiply_transposed(std::span<const double> z) const override;
  [[nodiscard]] Matrix gather(std::span<const std::size_t> which) const override;

 private:
  MatrixView A_;
};

}  // namespace shrimp

// G = L Lᵀ for a Gram matrix whose columns come and go one by one, each change in O(k²).
#pragma once

#include <cstddef>
#include <span>

#include "shrimp/matrix.hpp"

namespace shrimp {

class GrowingCholesky {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }

  /// `row` holds the products of the new column with those present, in their order, and its own square. A column that
  /// numerically depends on those present counts as if it had a small part of its own: L then belongs to a G with a
  /// slightly larger diagonal.
  void append(std::span<const double> row);

  /// The columns after the one removed move up by one.
  void remove(std::size_t position);

  /// b ← G⁻¹ b
  void solve(std::span<double> b) const;

 private:
  Matrix L_;  // Its leading size_ rows and columns count.
  std::size_t size_ = 0;
};

}  // namespace shrimp

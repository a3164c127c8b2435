// Sections x ↦ E_k(κ_j(x_j, z_j) : j ∈ S) of the kernel (shrimp/kernels.hpp), many rows at a time.
//
// E_k is built up input by input, E_k ← E_k + κ_j E_{k−1}: sums of positive terms, which keep their digits for every k
// up to |S|. Newton's identities (Newton–Girard) get it from power sums by alternating sums, which cancel as k grows.
// The product, k = |S|, is one exponential of a sum, times the product of 1 + r for student_t.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "shrimp/features.hpp"
#include "shrimp/matrix.hpp"

namespace shrimp {

/// X in blocks of a few rows, an input's values in a block side by side: a block stays in the nearest cache while many
/// centres meet it, whatever the distance between the columns of X.
class TiledRows {
 public:
  static constexpr std::size_t size = 64;  ///< Rows of a block; the last one is filled up with zeros.

  explicit TiledRows(MatrixView X);

  [[nodiscard]] std::size_t count() const { return blocks_.cols(); }
  [[nodiscard]] const double* block(std::size_t b) const { return blocks_.data() + b * blocks_.rows(); }
  /// How many rows of block b are rows of X.
  [[nodiscard]] std::size_t rows(std::size_t b) const { return b + 1 < count() ? size : rows_ - b * size; }

 private:
  std::size_t rows_;
  Matrix blocks_;  // Column b is block b.
};

/// One centre and what it takes to evaluate its section.
struct KernelSection {
  std::span<const std::uint32_t> support;
  std::span<const double> centre;  ///< One coordinate for every input of the support.
  const double* gamma = nullptr;   ///< One for every input of X.
  std::size_t order = 0;           ///< 1 … |S|
  Law law = Law::normal;
};

/// The section's values on the rows of a block.
void evaluate_section(const KernelSection& section, const double* block, double* values);

}  // namespace shrimp

// Columns whose coefficients have variance 1 before any row is seen, in units of σ²/λ (shrimp/model.hpp: RidgePenalty).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "linalg/cholesky.hpp"
#include "shrimp/features.hpp"

namespace shrimp {

/// The scale of every column of the dictionary: that of its weight vector.
std::vector<double> scales_of_columns(const Dictionary& dictionary, std::span<const double> scales_of_weights);

/// Whether all kernel columns look at the same inputs, so that their centres meet one kernel.
bool has_one_kernel(const Dictionary& dictionary);

class ColumnPrior {
 public:
  /// The dictionary has one kernel at most. One scale a column.
  ColumnPrior(const Dictionary& dictionary, std::size_t inputs, std::vector<double> scales);

  /// Columns as they would be drawn with prior variance 1: times their scales, and those of kernels by L⁻ᵀ, L Lᵀ being
  /// the kernel at the centres.
  void whiten(Matrix& columns) const;

  /// Coefficients of the columns, from those of the whitened ones, one set in each column of C.
  void unwhiten(Matrix& C) const;
  void unwhiten(std::vector<double>& c) const;

 private:
  std::vector<double> scales_;
  std::vector<std::size_t> sections_;  // Kernel columns, …
  std::optional<Cholesky> kernel_;     // … and the factor of the kernel at their centres.
};

}  // namespace shrimp

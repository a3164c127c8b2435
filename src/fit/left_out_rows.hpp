// Rows that a fit did without, and how far off it was there.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "shrimp/matrix.hpp"

namespace shrimp {

struct LeftOutRows {
  Matrix X;                     ///< In scaled units.
  std::vector<double> gaps;     ///< Target less prediction, in scaled units; the sign need not be right.
  std::vector<double> weights;  ///< Empty: every row counts 1.
  bool fitted = false;          ///< Whether the model's columns were fitted to them in the end.
  std::vector<double> y = {};   ///< Targets in the units of the rows; may be empty.
  double factor = 1.0;          ///< Gaps are targets less predictions, times this.
};

/// The weighted mean of the gaps' squares; no weights: every row counts 1.
inline double mean_square(std::span<const double> gaps, std::span<const double> weights) {
  double sum = 0.0;
  double total = 0.0;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const double weight = weights.empty() ? 1.0 : weights[i];
    sum += weight * gaps[i] * gaps[i];
    total += weight;
  }
  return sum / total;
}

}  // namespace shrimp

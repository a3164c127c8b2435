// Backward elimination of groups of columns of a ridge regression.
//
// With M = RᵀR + λI and c = M⁻¹Rᵀb, removing the columns g raises the minimum of ‖R c − b‖² + λ‖c‖² by
//   c_gᵀ ((M⁻¹)_gg)⁻¹ c_g
// after the others are fitted again. The group with the smallest rise relative to its gain is removed first. If M has
// no numerical inverse, 10⁻¹² of the largest squared column norm replaces λ in this choice (chosen by hand).
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "shrimp/matrix.hpp"

namespace shrimp {

struct RidgeProblem {
  Matrix R;
  std::vector<double> b;
  double ridge = 0.0;  ///< λ ≥ 0
};

using ColumnGroups = std::vector<std::vector<std::size_t>>;

/// Gain from the removal of each group, given the remaining ones; 0 forbids it.
using Gains = std::function<std::vector<double>(const std::vector<bool>& left)>;

/// Groups that remain when no removal is allowed. Ties remove the first group.
std::vector<bool> eliminate_groups(const RidgeProblem& problem, const ColumnGroups& groups, const Gains& gains);

}  // namespace shrimp

// Which groups of a ridge regression's columns go, one after the other (backward elimination).
//
// With M = RᵀR + λI and c = M⁻¹Rᵀb, losing the columns g raises the least of ‖Rc − b‖² + λ‖c‖² by
//   c_gᵀ ((M⁻¹)_gg)⁻¹ c_g,
// the others being fitted again. The group of the smallest rise, over what its going gains, goes first. Where λ is 0 or
// so small that M has no inverse, 10⁻¹² of the longest column's square takes its place in the choice.
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

/// How much is gained where each group goes, given which are left; 0: it must not go now.
using Gains = std::function<std::vector<double>(const std::vector<bool>& left)>;

/// Which groups stay when none may go any more. Of groups that cost the same the first goes.
std::vector<bool> eliminate_groups(const RidgeProblem& problem, const ColumnGroups& groups, const Gains& gains);

}  // namespace shrimp

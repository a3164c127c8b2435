// Which columns go: the drop rule of the prune path (paper, Algorithm 1, line 5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "ridge/elimination.hpp"
#include "shrimp/path.hpp"

namespace shrimp {

/// How a path goes on: which positions of a step's columns stay (ascending; all of them ends the path), and whether
/// their coefficients are fitted again.
struct PruneRule {
  std::function<std::vector<std::size_t>(const PathStep&)> keep;
  bool refit = true;
};

/// Drops a share of the columns, those of smallest |c_j|.
PruneRule drop_smallest(double prune_rate, bool refit = true);

/// Drops a share of the columns that are not `kept` (one entry a column of A), those of smallest |c_j|.
PruneRule drop_smallest_but(std::vector<bool> kept, double prune_rate);

/// Drops a share of `columns` columns in a random order.
PruneRule drop_at_random(double prune_rate, std::size_t columns, std::uint64_t seed);

/// Drops all columns with |c_j| < threshold.
PruneRule drop_below(double threshold);

/// Drops none: the path is one step.
PruneRule keep_all();

/// Positions 0 … |c|−1 without the `count` of smallest |c|; ties go by position, the lower first. Ascending.
std::vector<std::size_t> keep_largest(std::span<const double> coefficients, std::size_t count);

/// The step with the columns at these positions only, their coefficients unchanged.
PathStep restrict_step(const PathStep& step, std::span<const std::size_t> positions);

}  // namespace shrimp

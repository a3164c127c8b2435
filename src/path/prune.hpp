// Which columns go: the drop rule of the prune path (paper, Algorithm 1, line 5).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace shrimp {

/// round(p·columns), at least 1, and never all.
std::size_t drop_count(std::size_t columns, double prune_rate);

/// Positions 0 … |c|−1 without the `count` of smallest |c|; ties go by position, the lower first. Ascending.
std::vector<std::size_t> keep_largest(std::span<const double> coefficients, std::size_t count);

}  // namespace shrimp

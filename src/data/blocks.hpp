// Consecutive rows that belong together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shrimp {

/// 1 + 2 Σ ρ_k of the autocorrelations ρ_k of y: how many consecutive values tell as much as one that is independent of
/// them. The sum ends where it is nothing but noise: where two neighbouring ρ are no longer positive together (Geyer's
/// initial positive sequence), or at a quarter of the values. At least 1.
double autocorrelation_time(std::span<const double> y);

/// The number of the block of each row, from 0 upward along the rows. Blocks are about as long as the autocorrelation
/// time, and there are at least `least` of them, as far as there are rows.
std::vector<std::uint32_t> consecutive_blocks(std::span<const double> y, std::size_t least = 0);

}  // namespace shrimp

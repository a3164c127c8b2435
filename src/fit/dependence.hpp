// Whether the inputs of a model depend on each other by more than a sample of independent inputs shows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "data/rows.hpp"

namespace shrimp {

/// The p-value of the hypothesis that these inputs are independent, adjusted for all pairs of them (Bonferroni). A pair
/// is tested by the correlations of the first functions of its inputs (grow/screening_functions.hpp): of the first
/// alone, which are monotone, and of two functions of each. None for fewer than two inputs.
std::optional<double> independence_p_value(const Rows& rows, const std::vector<std::uint32_t>& inputs,
                                           std::uint64_t seed);

}  // namespace shrimp

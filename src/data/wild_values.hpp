// Single values far beyond all others, which decide how these are scaled.
#pragma once

#include <string>
#include <vector>

#include "shrimp/table.hpp"

namespace shrimp {

/// One sentence for every input, and for a target, with a value a hundred thousand times as far from the median as half
/// of the rows are, or half of those that differ from it; of twenty rows or more. With `range`, the data are a sample,
/// and the values looked at are those of the range.
std::vector<std::string> wild_value_warnings(const Dataset& data, const Dataset* range = nullptr);

}  // namespace shrimp

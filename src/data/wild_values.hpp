// Single values far beyond all others, which decide how these are scaled.
#pragma once

#include <string>
#include <vector>

#include "shrimp/table.hpp"

namespace shrimp {

/// One sentence for every input, and for a target, with a value a hundred thousand times as far from the middle as half
/// of the rows are; of twenty rows or more.
std::vector<std::string> wild_value_warnings(const Dataset& data);

}  // namespace shrimp

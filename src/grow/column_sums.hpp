// Sums over rows of a constant and of scaled columns, block by block.
#pragma once

#include <functional>

#include "grow/long_rows.hpp"

namespace shrimp {

/// Calls its body with one block of rows after the other.
using EachBlock = std::function<void(const std::function<void(const Rows&)>& body)>;

/// The constant is the first column.
NormalEquations sum_columns(const ScaledDictionary& columns, const EachBlock& for_each, const SumOptions& options);

}  // namespace shrimp

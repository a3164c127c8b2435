// Numbers as a matrix of one column.
#pragma once

#include <span>

#include "shrimp/matrix.hpp"

namespace shrimp {

inline MatrixView column_of(std::span<const double> x) { return {x.data(), x.size(), 1, x.size()}; }

}  // namespace shrimp

// The last fit: least squares on chosen columns, from the start.
#pragma once

#include <cstdint>
#include <vector>

#include "path/equations.hpp"

namespace shrimp {

/// A number per column, the same for columns on the same support.
std::vector<std::uint32_t> support_numbers(const Dictionary& dictionary);

/// Least squares on all columns of the dictionary, with this ridge.
std::vector<double> fit_columns(const Dictionary& dictionary, const Equations& equations, double rank_tolerance,
                                double ridge);

}  // namespace shrimp

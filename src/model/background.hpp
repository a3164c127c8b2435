// Points that stand for the product of the inputs' marginals.
#pragma once

#include <cstddef>
#include <vector>

#include "shrimp/matrix.hpp"
#include "shrimp/scaling.hpp"

namespace shrimp {

constexpr std::size_t background = 128;  ///< How many points an expectation is taken over.

/// A sample of the product: each input's quantiles once, in a random order of its own; 0 where an input has no values.
Matrix background_points(const std::vector<Marginal>& marginals, std::size_t count = background);

}  // namespace shrimp

// What a fit needs of memory, and whether A is kept in it.
#pragma once

#include <cstddef>

#include "shrimp/options.hpp"

namespace shrimp {

/// Whether A is to be kept; throws OptionError where the fit does not fit in memory.
bool choose_storage(std::size_t m, std::size_t d, FitOptions options);

/// As many threads as were asked for, or fewer where more would not fit in memory: what is fitted, and whether it is,
/// never depends on how many there are.
int threads_in_memory(std::size_t m, std::size_t d, const FitOptions& options);

}  // namespace shrimp

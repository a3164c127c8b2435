// The functions of one input by which screening and tests of terms look at it.
//
// A number x has u_a(x) = √2 cos(π a F(x)), a = 1 … p, F its ranks in (0, 1): bounded, and orthonormal over the rows. A
// category has indicators of its levels where these are few, and else sums of levels with random signs, so that many
// levels are no more candidates than few. Where an input is missing, a function has its mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "shrimp/matrix.hpp"

namespace shrimp {

/// Numbers the random signs of a category.
struct SignName {
  std::uint64_t seed = 0;
  std::size_t input = 0;
};

/// Writes `count` functions of x into successive columns of U: centred, orthogonal to each other and of mean square 1,
/// or zero where x has too few values for so many. `levels` > 0: x holds the codes of so many levels.
void make_screening_functions(std::span<const double> x, std::size_t levels, SignName name, Matrix& U,
                              std::size_t first, std::size_t count);

}  // namespace shrimp

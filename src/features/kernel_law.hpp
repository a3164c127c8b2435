// The kernel of one input by the law of the weights whose kernel it is (shrimp/kernels.hpp), a number at a time.
#pragma once

#include "shrimp/features.hpp"

namespace shrimp {

/// κ of two numbers so far apart.
[[nodiscard]] double kernel_factor(Law law, double gamma, double gap);

/// Its slope along the first of them, the gap being the first less the second; 0 at the kink of the Laplace kernel.
[[nodiscard]] double kernel_slope(Law law, double gamma, double gap);

[[nodiscard]] bool has_kernel(Law law);

/// Throws OptionError unless the law has a kernel.
void check_kernel_law(Law law);

}  // namespace shrimp

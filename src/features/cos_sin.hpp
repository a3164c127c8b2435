// Cosines and sines of many numbers, with whatever vector instructions the processor has.
#pragma once

#include <span>

namespace shrimp {

/// x ← cos x, x ← sin x, to 3 units in the last place.
void cos_in_place(std::span<double> x);
void sin_in_place(std::span<double> x);

}  // namespace shrimp

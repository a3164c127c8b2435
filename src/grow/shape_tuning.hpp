// The scales and amplitudes of all terms at once, moved to where the evidence is largest.
//
// The evidence (grow/smoother.hpp) says how probable the target is before any coefficient is known: shapes that could
// fit anything lose against those that fit this. Its slopes with respect to all shapes cost about as much as one fit.
#pragma once

#include <functional>
#include <vector>

#include "grow/growing_fit.hpp"
#include "grow/input_spread.hpp"

namespace shrimp {

struct ShapeTuning {
  std::vector<InputSpread> spreads;  ///< Of the inputs.
  bool scales_are_fixed = false;
  bool lambda_is_fixed = false;
  int most_steps = 10;
  std::function<bool()> is_over;
};

/// Taken back where rows that are left out are predicted clearly worse: with hardly any noise, evidence can be fooled.
void tune_shapes(GrowingFit& fit, const ShapeTuning& tuning);

}  // namespace shrimp

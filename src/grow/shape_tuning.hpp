// The scales and amplitudes of all terms at once, moved to where the evidence is largest.
//
// The evidence (ridge/leave_one_out_ridge.hpp) says how probable the target is before any coefficient is known: shapes
// that could fit anything lose against those that fit this. Its slopes with respect to all shapes cost about as much as
// one fit.
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

/// The evidence is that of `part`, a fit to some of the rows: a thousand of them know the shapes, and the work grows
/// with them. What comes of it is set in `fit`, and taken back where rows that are left out are predicted clearly
/// worse: with hardly any noise, evidence can be fooled.
void tune_shapes(GrowingFit& fit, GrowingFit& part, const ShapeTuning& tuning);
/// With the evidence of all rows.
void tune_shapes(GrowingFit& fit, const ShapeTuning& tuning);

}  // namespace shrimp

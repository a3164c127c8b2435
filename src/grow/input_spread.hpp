// The units in which scales of features are measured: how far the bulk of an input's values spreads.
#pragma once

#include <span>
#include <vector>

#include "shrimp/matrix.hpp"

namespace shrimp {

struct InputSpread {
  /// The standard deviation with outliers drawn in: values more than ten interquartile ranges beyond the quartiles
  /// count as lying there, so far out that no usual law has them, skewed ones neither (lognormal: one in 1e4). One wild
  /// value would stretch it so that features of usual scales do not tell the other values apart.
  double deviation = 1.0;
  /// In units of 1/deviation: features that turn faster turn between one value and the next, and say nothing of what
  /// lies between.
  double largest_scale = 1.0;
};

InputSpread spread_of(std::span<const double> x);
std::vector<InputSpread> spreads_of(MatrixView X);

}  // namespace shrimp

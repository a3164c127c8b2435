// How far predictions are from the truth.
#pragma once

#include <cstddef>
#include <span>

namespace shrimp::cli {

struct Scores {
  std::size_t rows = 0;
  double mse = 0.0;
  double mae = 0.0;
  double r2 = 0.0;  ///< NaN where the target does not vary.
};

Scores score(std::span<const double> predicted, std::span<const double> y);

}  // namespace shrimp::cli

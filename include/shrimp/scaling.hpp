// What a model keeps of the training rows: the units of its inputs and target, and how each input is spread.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace shrimp {

/// Inputs enter the features as (x − input_mean)/input_scale, where limits are given after x was brought inside them;
/// the sum leaves as target_mean + target_scale·sum, brought inside the target's limits where these are given.
struct Scaling {
  std::vector<double> input_mean;
  std::vector<double> input_scale;  ///< Each > 0.
  double target_mean = 0.0;
  double target_scale = 1.0;              ///< > 0.
  std::vector<double> input_lowest = {};  ///< Limits of x; empty: none.
  std::vector<double> input_highest = {};
  std::optional<double> target_lowest = {};  ///< Limits of predictions; both or none.
  std::optional<double> target_highest = {};

  static Scaling none(std::size_t inputs);
};

/// How one input is spread over the training rows: values with their masses, which sum to 1. Exact where the input
/// has few values, else quantiles in the middle of equal masses.
struct Marginal {
  std::vector<double> values;  ///< Ascending.
  std::vector<double> masses;
};

}  // namespace shrimp

// Pictures of terms: a curve for each main effect, a map for each pair.
#pragma once

#include <string>

#include "report/effects.hpp"

namespace shrimp::report {

/// With the values of the input in the training rows, or quantiles of them, as a rug; a point at each value where these
/// are few.
[[nodiscard]] std::string curve_figure(const Model& model, const Curve& curve);

/// Blue below zero, orange above, the stronger the further; a bar beside it has the numbers.
[[nodiscard]] std::string map_figure(const Model& model, const Surface& surface);

}  // namespace shrimp::report

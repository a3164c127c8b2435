// Formulas (shrimp/explain.hpp) as LaTeX writes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shrimp {

/// The summands of a formula, each with its sign if it has one, in math mode: "2*cos(x1) - 1e-05*`room size`^2" is
/// "2\,\cos\left(x_{1}\right)" and "-10^{-5}\,\text{room size}^{2}".
[[nodiscard]] std::vector<std::string> latex_summands(std::string_view formula);

}  // namespace shrimp

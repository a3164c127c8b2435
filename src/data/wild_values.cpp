#include "data/wild_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "data/present.hpp"

namespace shrimp {
namespace {

// The row whose value lies farthest from the middle, where it lies there by far more than all others are spread.
std::optional<std::size_t> wild_row(std::span<const double> values) {
  constexpr std::size_t fewest = 20;
  constexpr double far = 1e5;
  const auto middle_of = [](std::vector<double>& sorted) {
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::ranges::nth_element(sorted, middle);
    return *middle;
  };
  std::vector<double> work = present(values);
  if (work.size() < fewest) return std::nullopt;
  const double middle = middle_of(work);
  for (double& value : work) value = std::abs(value - middle);
  const double spread = middle_of(work);
  const auto farthest = std::ranges::max_element(
      values, {}, [&](double value) { return is_missing(value) ? 0.0 : std::abs(value - middle); });
  if (!(spread > 0.0 && std::abs(*farthest - middle) > far * spread)) return std::nullopt;
  return static_cast<std::size_t>(farthest - values.begin());
}

}  // namespace

std::vector<std::string> wild_value_warnings(const Dataset& data) {
  std::vector<std::string> warnings;
  const auto look_at = [&](std::span<const double> values, const char* what, const std::string& name) {
    const std::optional<std::size_t> row = wild_row(values);
    if (!row) return;
    warnings.push_back(
        fmt::format("{} \"{}\" is {:.4g} in row {}, far beyond its other values; if that is a mistake, "
                    "correct or remove the row: it decides how all others are scaled.",
                    what, name, values[*row], *row + 1));
  };
  for (std::size_t j = 0; j < data.X.cols(); ++j) look_at(data.X.col(j), "input", data.inputs[j]);
  look_at(data.y, "target", data.target);
  return warnings;
}

}  // namespace shrimp

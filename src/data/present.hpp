// The cells of a column that are there: missing ones are NaN.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace shrimp {

inline bool is_missing(double value) { return std::isnan(value); }

inline bool any_missing(std::span<const double> values) { return std::ranges::any_of(values, is_missing); }

inline std::vector<double> present(std::span<const double> values) {
  std::vector<double> there;
  for (const double value : values) {
    if (!is_missing(value)) there.push_back(value);
  }
  return there;
}

/// What stands beside the cells that are there; nothing where there is nothing beside them.
inline std::vector<double> beside_present(std::span<const double> values, std::span<const double> beside) {
  std::vector<double> there;
  for (std::size_t i = 0; i < beside.size(); ++i) {
    if (!is_missing(values[i])) there.push_back(beside[i]);
  }
  return there;
}

/// The smallest and the largest cell; both 0 where none is there.
inline std::pair<double, double> range_of_present(std::span<const double> values) {
  std::pair<double, double> range(0.0, 0.0);
  bool any = false;
  for (const double value : values) {
    if (is_missing(value)) continue;
    range = any ? std::pair(std::min(range.first, value), std::max(range.second, value)) : std::pair(value, value);
    any = true;
  }
  return range;
}

}  // namespace shrimp

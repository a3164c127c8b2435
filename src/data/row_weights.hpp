// Weights of the rows of a table. Rows of weight 0 count as absent.
#pragma once

#include <algorithm>
#include <cstddef>

#include "shrimp/table.hpp"

namespace shrimp {

/// 1 where the table has no weights.
inline double weight_of(const Dataset& data, std::size_t row) { return data.weights.empty() ? 1.0 : data.weights[row]; }

inline std::size_t count_weighted_rows(const Dataset& data) {
  if (data.weights.empty()) return data.y.size();
  return static_cast<std::size_t>(std::ranges::count_if(data.weights, [](double weight) { return weight > 0.0; }));
}

}  // namespace shrimp

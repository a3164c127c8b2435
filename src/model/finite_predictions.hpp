// Predictions that are numbers.
#pragma once

#include <cstddef>
#include <span>

namespace shrimp {

/// Throws DataError, with the row named, where a prediction is no finite number. `before` rows came before these.
void require_finite(std::span<const double> predictions, std::size_t before = 0);

/// The same for lower or upper bounds of intervals, whose predictions are finite.
void require_finite_intervals(std::span<const double> bounds, std::size_t before = 0);

}  // namespace shrimp

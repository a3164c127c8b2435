#include "model/finite_predictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

// Counted from one.
std::optional<std::size_t> first_row_that_is_not_finite(std::span<const double> values, std::size_t before) {
  const auto bad = std::ranges::find_if(values, [](double value) { return !std::isfinite(value); });
  if (bad == values.end()) return std::nullopt;
  return before + static_cast<std::size_t>(bad - values.begin()) + 1;
}

}  // namespace

void require_finite(std::span<const double> predictions, std::size_t before) {
  if (const auto row = first_row_that_is_not_finite(predictions, before)) {
    throw DataError(
        fmt::format("the prediction of row {} is not finite: values of the model or of the row are too large.\nCheck "
                    "the row; if it is correct, fit the model again.",
                    *row));
  }
}

void require_finite_intervals(std::span<const double> bounds, std::size_t before) {
  if (const auto row = first_row_that_is_not_finite(bounds, before)) {
    throw DataError(
        fmt::format("the interval of row {} is not finite: an input is too far outside the training range.\nCheck the "
                    "row, or predict without intervals.",
                    *row));
  }
}

}  // namespace shrimp

#include "model/finite_predictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shrimp/errors.hpp"

namespace shrimp {

void require_finite(std::span<const double> predictions, std::size_t before) {
  const auto bad = std::ranges::find_if(predictions, [](double value) { return !std::isfinite(value); });
  if (bad == predictions.end()) return;
  throw DataError(
      fmt::format("the prediction of row {} is not finite: values of the model or of the row are too large.\nCheck the "
                  "row; if it is correct, fit the model again.",
                  before + static_cast<std::size_t>(bad - predictions.begin()) + 1));
}

}  // namespace shrimp

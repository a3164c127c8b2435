// Rows that predictions hold at the edge of the training range.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "data/names.hpp"
#include "shrimp/model.hpp"

namespace shrimp {

InputRange clipping_range(const Model& model) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::size_t inputs = model.inputs.size();
  InputRange range{std::vector<double>(inputs, -infinity), std::vector<double>(inputs, infinity)};
  if (model.scaling.input_lowest.empty()) return range;
  for (std::size_t k = 0; k < model.dictionary.columns(); ++k) {
    for (const std::uint32_t j : model.dictionary.support(k)) {
      range.lowest[j] = model.scaling.input_lowest[j];
      range.highest[j] = model.scaling.input_highest[j];
    }
  }
  return range;
}

ClippedRows clipped_rows(const Model& model, MatrixView X) {
  if (X.cols != model.inputs.size()) {
    throw std::invalid_argument(
        fmt::format("X has {} columns, but the model has {} inputs.", X.cols, model.inputs.size()));
  }
  ClippedRows clipped{X.rows, 0, std::vector<std::size_t>(X.cols, 0)};
  if (model.scaling.input_lowest.empty()) return clipped;
  const InputRange range = clipping_range(model);
  std::vector<bool> is_clipped(X.rows, false);
  for (std::size_t j = 0; j < X.cols; ++j) {
    for (std::size_t i = 0; i < X.rows; ++i) {
      const bool outside = X(i, j) < range.lowest[j] || X(i, j) > range.highest[j];
      if (!outside) continue;
      is_clipped[i] = true;
      ++clipped.by_input[j];
    }
  }
  clipped.rows = static_cast<std::size_t>(std::ranges::count(is_clipped, true));
  return clipped;
}

std::string clipping_warning(const Model& model, const ClippedRows& clipped) {
  if (clipped.rows == 0) return "";
  std::vector<std::size_t> order(clipped.by_input.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t j) { return clipped.by_input[j]; });
  std::vector<std::string> counts;
  for (const std::size_t j : order) {
    if (clipped.by_input[j] > 0) counts.push_back(fmt::format("{} ({})", model.inputs[j], clipped.by_input[j]));
  }
  return fmt::format("{} of {} row{} {} outside the training range and {} clipped to it: {}.", clipped.rows, clipped.of,
                     clipped.of == 1 ? "" : "s", clipped.rows == 1 ? "lies" : "lie", clipped.rows == 1 ? "was" : "were",
                     list_names(counts));
}

}  // namespace shrimp

#include "grow/input_spread.hpp"

#include <algorithm>

#include "data/present.hpp"
#include "data/standardize.hpp"

namespace shrimp {

InputSpread spread_of(std::span<const double> x) {
  constexpr double fence = 10.0;
  // A wave for every sixth of a standard deviation: beyond it columns look like noise to any table of a bearable
  // length.
  constexpr double largest = 40.0;
  std::vector<double> values = present(x);
  if (values.empty()) return {};
  std::ranges::sort(values);
  const double first_quartile = values[values.size() / 4];
  const double third_quartile = values[values.size() - 1 - values.size() / 4];
  const double width = third_quartile - first_quartile;
  // Where half of the values are the same, what the others do is no outlier.
  const double lowest = width > 0.0 ? std::max(values.front(), first_quartile - fence * width) : values.front();
  const double highest = width > 0.0 ? std::min(values.back(), third_quartile + fence * width) : values.back();
  std::vector<double> drawn_in;
  for (const double value : x) {
    if (!is_missing(value)) drawn_in.push_back(std::clamp(value, lowest, highest));
  }
  InputSpread spread{standard_deviation(drawn_in), largest};
  const auto inside = std::ranges::remove_if(values, [&](double v) { return v < lowest || v > highest; });
  values.erase(inside.begin(), inside.end());
  const auto repeated = std::ranges::unique(values);
  values.erase(repeated.begin(), repeated.end());
  const double gap = (values.back() - values.front()) / static_cast<double>(values.size());
  if (gap > 0.0) spread.largest_scale = std::min(largest, spread.deviation / gap);
  return spread;
}

std::vector<InputSpread> spreads_of(MatrixView X) {
  std::vector<InputSpread> spreads;
  for (std::size_t j = 0; j < X.cols; ++j) spreads.push_back(spread_of(X.col(j)));
  return spreads;
}

}  // namespace shrimp

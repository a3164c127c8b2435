#include "data/wild_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "data/present.hpp"

namespace shrimp {
namespace {

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// A value further than this from the median is an outlier; none where that is not known.
struct Bulk {
  double median = 0.0;
  std::optional<double> far;
};

Bulk bulk_of(std::span<const double> values) {
  constexpr std::size_t fewest = 20;
  constexpr double factor = 1e5;
  std::vector<double> work = present(values);
  if (work.size() < fewest) return {};
  const double median = median_of(work);
  for (double& value : work) value = std::abs(value - median);
  double spread = median_of(work);
  if (spread == 0.0) {
    // Half of the rows have the same value: the others say what is usual beside it.
    std::erase(work, 0.0);
    if (work.size() < 2) return {};
    spread = median_of(work);
  }
  return {median, factor * spread};
}

std::optional<std::size_t> farthest_outlier(const Bulk& bulk, std::span<const double> values) {
  if (!bulk.far) return std::nullopt;
  const auto distance = [&](double value) { return is_missing(value) ? 0.0 : std::abs(value - bulk.median); };
  const auto farthest = std::ranges::max_element(values, {}, distance);
  if (!(distance(*farthest) > *bulk.far)) return std::nullopt;
  return static_cast<std::size_t>(farthest - values.begin());
}

}  // namespace

std::vector<std::string> wild_value_warnings(const Dataset& data, const Dataset* range) {
  std::vector<std::string> warnings;
  const auto look_at = [&](std::span<const double> sample, std::span<const double> values, const char* what,
                           const std::string& name) {
    const std::optional<std::size_t> row = farthest_outlier(bulk_of(sample), values);
    if (!row) return;
    warnings.push_back(
        fmt::format("{} \"{}\" is {:.4g} in {}, an extreme outlier that determines the scaling of the column. If it is "
                    "an error, correct or remove the row.",
                    what, name, values[*row], range == nullptr ? fmt::format("row {}", *row + 1) : "some row"));
  };
  const Dataset& all = range == nullptr ? data : *range;
  for (std::size_t j = 0; j < data.X.cols(); ++j) look_at(data.X.col(j), all.X.col(j), "input", data.inputs[j]);
  look_at(data.y, all.y, "target", data.target);
  return warnings;
}

}  // namespace shrimp

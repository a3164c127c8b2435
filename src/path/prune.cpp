#include "path/prune.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/split.hpp"

namespace shrimp {

std::vector<std::size_t> keep_largest(std::span<const double> coefficients, std::size_t count) {
  std::vector<std::size_t> positions(coefficients.size());
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  std::ranges::nth_element(positions, positions.begin() + static_cast<std::ptrdiff_t>(count),
                           [&](std::size_t a, std::size_t b) {
                             const double size_a = std::abs(coefficients[a]);
                             const double size_b = std::abs(coefficients[b]);
                             return size_a != size_b ? size_a < size_b : a < b;
                           });
  std::vector<std::size_t> kept(positions.begin() + static_cast<std::ptrdiff_t>(count), positions.end());
  std::ranges::sort(kept);
  return kept;
}

PathStep restrict_step(const PathStep& step, std::span<const std::size_t> positions) {
  PathStep part = step;
  part.columns.clear();
  part.coefficients.clear();
  for (const std::size_t k : positions) {
    part.columns.push_back(step.columns[k]);
    part.coefficients.push_back(step.coefficients[k]);
  }
  return part;
}

PruneRule drop_smallest(double prune_rate, bool refit) {
  const auto keep = [prune_rate](const PathStep& step) {
    return keep_largest(step.coefficients, drop_count(step.columns.size(), prune_rate));
  };
  return {keep, refit};
}

PruneRule drop_smallest_but(std::vector<bool> kept, double prune_rate) {
  const auto keep = [kept = std::move(kept), prune_rate](const PathStep& step) {
    std::vector<std::size_t> staying;
    std::vector<std::size_t> free;
    std::vector<double> coefficients;
    for (std::size_t k = 0; k < step.columns.size(); ++k) {
      if (kept[step.columns[k]]) {
        staying.push_back(k);
      } else {
        free.push_back(k);
        coefficients.push_back(step.coefficients[k]);
      }
    }
    for (const std::size_t k : keep_largest(coefficients, drop_count(free.size(), prune_rate)))
      staying.push_back(free[k]);
    std::ranges::sort(staying);
    return staying;
  };
  return {keep, true};
}

PruneRule drop_at_random(double prune_rate, std::size_t columns, std::uint64_t seed) {
  const auto keep = [prune_rate, order = permutation(columns, seed)](const PathStep& step) {
    std::vector<double> places;
    for (const std::size_t column : step.columns) places.push_back(static_cast<double>(order[column]));
    return keep_largest(places, drop_count(step.columns.size(), prune_rate));
  };
  return {keep, true};
}

// A coefficient that is the threshold but for rounding stays.
PruneRule drop_below(double threshold) {
  constexpr double rounding = 1e-9;
  const auto keep = [least = threshold * (1.0 - rounding)](const PathStep& step) {
    std::vector<std::size_t> kept;
    for (std::size_t k = 0; k < step.coefficients.size(); ++k) {
      if (std::abs(step.coefficients[k]) >= least) kept.push_back(k);
    }
    return kept;
  };
  return {keep, true};
}

PruneRule keep_all() {
  return {[](const PathStep& step) {
    std::vector<std::size_t> positions(step.columns.size());
    std::iota(positions.begin(), positions.end(), std::size_t{0});
    return positions;
  }};
}

}  // namespace shrimp

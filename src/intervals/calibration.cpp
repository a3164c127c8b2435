#include "intervals/calibration.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "features/normal_quantile.hpp"

namespace shrimp {
namespace {

// Closer where intervals are asked for.
constexpr double kept_levels[] = {.05, .1,   .15, .2,   .25, .3,   .35, .4,   .45,  .5,   .55, .6,
                                  .65, .7,   .75, .8,   .84, .87,  .9,  .915, .93,  .945, .95, .955,
                                  .96, .965, .97, .975, .98, .985, .99, .993, .995, .997, .999};

double interpolate(std::span<const double> x, std::span<const double> y, double at) {
  const auto above = static_cast<std::size_t>(std::ranges::lower_bound(x, at) - x.begin());
  if (above == x.size()) return y.back();
  const double x0 = above > 0 ? x[above - 1] : 0.0;
  const double y0 = above > 0 ? y[above - 1] : 0.0;
  return y0 + (at - x0) / (x[above] - x0) * (y[above] - y0);
}

}  // namespace

void calibrate(Uncertainty& uncertainty, std::vector<double> scores, std::vector<double> weights) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return scores[i]; });
  weights.resize(scores.size(), 1.0);
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double all = total * (1.0 + 1.0 / static_cast<double>(scores.size()));
  std::vector<double> levels;
  std::vector<double> sorted;
  double below = 0.0;
  for (const std::size_t i : order) {
    below += weights[i];
    if (!(weights[i] > 0.0)) continue;
    levels.push_back(below / all);
    sorted.push_back(scores[i]);
  }
  uncertainty.levels.clear();
  uncertainty.quantiles.clear();
  for (const double level : kept_levels) {
    if (level >= levels.back()) break;
    uncertainty.levels.push_back(level);
    uncertainty.quantiles.push_back(interpolate(levels, sorted, level));
  }
  uncertainty.levels.push_back(std::min(levels.back(), 0.9999));
  uncertainty.quantiles.push_back(interpolate(levels, sorted, uncertainty.levels.back()));
}

void calibrate_as_normal(Uncertainty& uncertainty) {
  uncertainty.levels.assign(std::begin(kept_levels), std::end(kept_levels));
  uncertainty.quantiles.clear();
  for (const double level : kept_levels) uncertainty.quantiles.push_back(normal_quantile(0.5 + 0.5 * level));
}

double quantile_of(const Uncertainty& uncertainty, double level) {
  return interpolate(uncertainty.levels, uncertainty.quantiles, level);
}

}  // namespace shrimp

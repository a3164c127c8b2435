#include "data/marginals.hpp"

#include <algorithm>

#include "data/present.hpp"
#include "data/standardize.hpp"
#include "data/warp.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

constexpr std::size_t most_values = 64;
constexpr std::size_t most_rows = 20000;

// Sorted, equal values merged; the masses sum to 1.
Marginal exact(std::span<const double> column, std::span<const double> weights) {
  if (any_missing(column)) return exact(present(column), beside_present(column, weights));
  const std::size_t rows = std::min(column.size(), most_rows);
  std::vector<std::pair<double, double>> seen(rows);
  double total = 0.0;
  for (std::size_t k = 0; k < rows; ++k) {
    const std::size_t i = k * column.size() / rows;
    seen[k] = {column[i], weights.empty() ? 1.0 : weights[i]};
    total += seen[k].second;
  }
  std::ranges::sort(seen);
  Marginal marginal;
  for (const auto& [value, weight] : seen) {
    if (!(weight > 0.0)) continue;
    if (marginal.values.empty() || marginal.values.back() != value) {
      marginal.values.push_back(value);
      marginal.masses.push_back(0.0);
    }
    marginal.masses.back() += weight / total;
  }
  return marginal;
}

Marginal summarize(Marginal marginal) {
  if (marginal.values.size() <= most_values) return marginal;
  Marginal summary;
  summary.masses.assign(most_values, 1.0 / most_values);
  for (std::size_t k = 0; k < most_values; ++k) {
    summary.values.push_back(quantile(marginal, (static_cast<double>(k) + 0.5) / most_values));
  }
  return summary;
}

void reverse(Marginal& marginal) {
  std::ranges::reverse(marginal.values);
  std::ranges::reverse(marginal.masses);
}

}  // namespace

double quantile(const Marginal& marginal, double p) {
  double below = 0.0;
  for (std::size_t k = 0; k < marginal.values.size(); ++k) {
    below += marginal.masses[k];
    if (below >= p) return marginal.values[k];
  }
  return marginal.values.back();
}

double mean_of(const Marginal& marginal) {
  double mean = 0.0;
  for (std::size_t k = 0; k < marginal.values.size(); ++k) mean += marginal.masses[k] * marginal.values[k];
  return mean;
}

std::vector<Marginal> marginals_of(MatrixView X, std::span<const double> weights, const std::vector<bool>& used,
                                   std::span<const std::size_t> levels) {
  std::vector<Marginal> marginals(X.cols);
  parallel_for(X.cols, [&](std::size_t j) {
    if (!used.empty() && !used[j]) return;
    marginals[j] = exact(X.col(j), weights);
    if (levels.empty() || levels[j] == 0) marginals[j] = summarize(std::move(marginals[j]));
  });
  return marginals;
}

std::vector<Marginal> scale_marginals(std::vector<Marginal> marginals, const Scaling& scaling) {
  for (std::size_t j = 0; j < marginals.size(); ++j) {
    enter(marginals[j].values, scaling, j);
    for (double& value : marginals[j].values) value = (value - scaling.input_mean[j]) / scaling.input_scale[j];
    if (descends(warp_of(scaling, j))) reverse(marginals[j]);
  }
  return marginals;
}

std::vector<Marginal> unscale_marginals(std::vector<Marginal> marginals, const Scaling& scaling) {
  for (std::size_t j = 0; j < marginals.size(); ++j) {
    const Warp& warp = warp_of(scaling, j);
    for (double& value : marginals[j].values) {
      value = unwarped(warp, scaling.input_mean[j] + scaling.input_scale[j] * value);
    }
    if (descends(warp)) reverse(marginals[j]);
  }
  return marginals;
}

}  // namespace shrimp

#include "explain/input_laws.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "data/standardize.hpp"
#include "data/warp.hpp"
#include "explain/quadrature.hpp"

namespace shrimp {
namespace {

constexpr double deviations = 9.0;  // Beyond them a normal law has 2e-19 of its mass.
constexpr double most_phase = 6.0;  // Of the fastest integrand, in a panel.
constexpr std::size_t most_panels = 512;

double as_features_see(const Model& model, std::size_t j, double x) {
  double value = x;
  enter(std::span(&value, 1), model.scaling, j);
  return (value - model.scaling.input_mean[j]) / model.scaling.input_scale[j];
}

double in_own_units(const Model& model, std::size_t j, double z) {
  return unwarped(warp_of(model.scaling, j), model.scaling.input_mean[j] + model.scaling.input_scale[j] * z);
}

// The limits without the margin that they were widened by, which is in logarithms where the input enters so.
std::pair<double, double> range_inside_limits(const Model& model, std::size_t j, double margin) {
  const Warp& warp = warp_of(model.scaling, j);
  const bool logarithmic = warp.kind == Warp::Kind::log;
  const auto to = [&](double x) { return logarithmic ? warped(warp, x) : x; };
  const auto back = [&](double z) { return logarithmic ? unwarped(warp, z) : z; };
  const double lowest = to(model.scaling.input_lowest[j]);
  const double highest = to(model.scaling.input_highest[j]);
  const double middle = 0.5 * (lowest + highest);
  const double half = 0.5 * (highest - lowest) / (1.0 + 2.0 * margin);
  return {back(middle - half), back(middle + half)};
}

std::pair<double, double> training_range(const Model& model, std::size_t j) {
  const auto clip = model.options.find("clip");
  if (!model.scaling.input_lowest.empty() && clip != model.options.end()) {
    char* end = nullptr;
    const double margin = std::strtod(clip->second.c_str(), &end);
    if (end != clip->second.c_str() && margin >= 0.0) return range_inside_limits(model, j, margin);
  }
  // Quantiles stand in the middle of their masses: half a gap more on either side.
  constexpr std::size_t quantiles = 64;
  const std::vector<double>& values = model.marginals[j].values;
  if (values.size() < quantiles) return {values.front(), values.back()};
  return {1.5 * values.front() - 0.5 * values[1], 1.5 * values.back() - 0.5 * values[values.size() - 2]};
}

std::pair<double, double> mean_and_deviation(const Marginal& marginal) {
  double mean = 0.0;
  for (std::size_t k = 0; k < marginal.values.size(); ++k) mean += marginal.masses[k] * marginal.values[k];
  double variance = 0.0;
  for (std::size_t k = 0; k < marginal.values.size(); ++k) {
    variance += marginal.masses[k] * (marginal.values[k] - mean) * (marginal.values[k] - mean);
  }
  return {mean, std::sqrt(variance)};
}

// A law with its parameters: a density on an interval.
struct Density {
  bool is_normal = false;
  double mean = 0.0;
  double deviation = 1.0;
  double from = 0.0;
  double to = 0.0;

  // Up to a factor, which all masses have in common.
  [[nodiscard]] double at(double x) const {
    if (!is_normal) return 1.0;
    const double t = (x - mean) / deviation;
    return std::exp(-0.5 * t * t);
  }
};

Density density_of(const InputLaw& law, const Model& model, std::size_t j) {
  Density density;
  if (law.kind == InputLaw::Kind::normal) {
    const auto own = mean_and_deviation(model.marginals[j]);
    density.is_normal = true;
    density.mean = law.first.value_or(own.first);
    density.deviation = law.second.value_or(own.second);
    density.from = density.mean - deviations * density.deviation;
    density.to = density.mean + deviations * density.deviation;
  } else {
    const auto own = training_range(model, j);
    density.from = law.first.value_or(own.first);
    density.to = law.second.value_or(own.second);
  }
  return density;
}

// Panels inside which integrands are smooth and change little.
std::vector<double> panel_ends(const Density& density, const Model& model, std::size_t j,
                               const Integrands& integrands) {
  std::vector<double> ends = {density.from, density.to};
  if (density.is_normal) {
    for (double k = -deviations + 1.0; k < deviations; ++k) ends.push_back(density.mean + k * density.deviation);
  }
  if (!model.scaling.input_lowest.empty()) {
    ends.push_back(model.scaling.input_lowest[j]);
    ends.push_back(model.scaling.input_highest[j]);
  }
  const Warp& warp = warp_of(model.scaling, j);
  if (warp.kind == Warp::Kind::rank) ends.insert(ends.end(), warp.values.begin(), warp.values.end());
  for (const double kink : integrands.kinks) ends.push_back(in_own_units(model, j, kink));
  const double z_from = as_features_see(model, j, density.from);
  const double z_to = as_features_see(model, j, density.to);
  const double panels = std::clamp(std::ceil(std::abs(z_to - z_from) * integrands.frequency / most_phase), 1.0,
                                   static_cast<double>(most_panels));
  for (double k = 1.0; k < panels; ++k) {
    ends.push_back(in_own_units(model, j, z_from + (z_to - z_from) * k / panels));
  }
  std::erase_if(ends, [&](double end) { return !(end >= density.from && end <= density.to); });
  std::ranges::sort(ends);
  const double same = 1e-13 * (density.to - density.from);
  ends.erase(std::unique(ends.begin(), ends.end(), [&](double a, double b) { return b - a <= same; }), ends.end());
  return ends;
}

void add_panel(double from, double to, std::size_t count, const Density& density, Marginal& points) {
  static const std::array<GaussLegendre, 25> rules = [] {
    std::array<GaussLegendre, 25> made;
    for (std::size_t n = 1; n < made.size(); ++n) made[n] = gauss_legendre(n);
    return made;
  }();
  const GaussLegendre own = count < rules.size() ? GaussLegendre() : gauss_legendre(count);
  const GaussLegendre& rule = count < rules.size() ? rules[count] : own;
  const double half = 0.5 * (to - from);
  for (std::size_t k = 0; k < count; ++k) {
    const double x = 0.5 * (from + to) + half * rule.nodes[k];
    points.values.push_back(x);
    points.masses.push_back(half * rule.weights[k] * density.at(x));
  }
}

}  // namespace

Marginal law_points(const InputLaw& law, const Model& model, std::size_t j, Integrands integrands) {
  if (law.kind == InputLaw::Kind::empirical) return model.marginals[j];
  // A logarithm is a curve itself: panels of one unit of it.
  if (warp_of(model.scaling, j).kind == Warp::Kind::log) {
    integrands.frequency = std::max(integrands.frequency, most_phase * model.scaling.input_scale[j]);
  }
  const Density density = density_of(law, model, j);
  Marginal points;
  if (!(density.to > density.from)) return {{density.from}, {1.0}};
  if (integrands.grid_points > 0) {
    add_panel(density.from, density.to, integrands.grid_points, density, points);
  } else {
    const std::vector<double> ends = panel_ends(density, model, j, integrands);
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
      const double phase =
          integrands.frequency * std::abs(as_features_see(model, j, ends[k + 1]) - as_features_see(model, j, ends[k]));
      const double count = 5.0 + std::min(13.0, std::ceil(phase)) + (density.is_normal ? 6.0 : 0.0);
      add_panel(ends[k], ends[k + 1], static_cast<std::size_t>(count), density, points);
    }
  }
  double total = 0.0;
  for (const double mass : points.masses) total += mass;
  for (double& mass : points.masses) mass /= total;
  return points;
}

}  // namespace shrimp

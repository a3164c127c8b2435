#include "explain/effect_shape.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "shrimp/effects.hpp"
#include "shrimp/explain.hpp"

namespace shrimp {
namespace {

// Fractions of the effect's variance that a shape must explain to be named. Chosen by hand: a curve that leaves less
// unexplained looks like that shape on a page.
constexpr double linear_enough = 0.99;
constexpr double monotone_enough = 0.98;

// Fraction of the total variation that discontinuities must make up. Chosen by hand.
constexpr double stepped_enough = 0.8;

// A change between neighbours of an even grid counts as a discontinuity above this fraction of the effect's range,
// which is many times the change of a straight line. Chosen by hand.
constexpr double large_change = 0.05;

constexpr std::size_t points_of_even_grid = 257;

double weighted_mean(std::span<const double> values, std::span<const double> weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  return std::inner_product(values.begin(), values.end(), weights.begin(), 0.0) / total;
}

double sum_of_squares(std::span<const double> values, std::span<const double> weights) {
  const double mean = weighted_mean(values, weights);
  double sum = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += weights[i] * (values[i] - mean) * (values[i] - mean);
  return sum;
}

double correlation(const EffectValues& effect) {
  const double x_mean = weighted_mean(effect.x, effect.masses);
  const double f_mean = weighted_mean(effect.f, effect.masses);
  double product = 0.0;
  for (std::size_t i = 0; i < effect.x.size(); ++i) {
    product += effect.masses[i] * (effect.x[i] - x_mean) * (effect.f[i] - f_mean);
  }
  const double squares = sum_of_squares(effect.x, effect.masses) * sum_of_squares(effect.f, effect.masses);
  return squares > 0.0 ? product / std::sqrt(squares) : 0.0;
}

// Squared errors of isotonic regression on the first k + 1 values, for every k, by pooling adjacent violators.
std::vector<double> isotonic_errors(std::span<const double> values, std::span<const double> weights) {
  struct Pool {
    double weight = 0.0;
    double mean = 0.0;
    double error = 0.0;  // Of this pool and all before it.
  };
  std::vector<Pool> pools;
  std::vector<double> errors;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Pool last{weights[i], values[i], 0.0};
    double within = 0.0;
    while (!pools.empty() && pools.back().mean >= last.mean) {
      const Pool& previous = pools.back();
      const double before = pools.size() > 1 ? pools[pools.size() - 2].error : 0.0;
      const double weight = previous.weight + last.weight;
      const double gap = previous.mean - last.mean;
      if (weight > 0.0) within += previous.weight * last.weight / weight * gap * gap;
      within += previous.error - before;
      if (weight > 0.0) last.mean += previous.weight / weight * gap;
      last.weight = weight;
      pools.pop_back();
    }
    last.error = (pools.empty() ? 0.0 : pools.back().error) + within;
    pools.push_back(last);
    errors.push_back(last.error);
  }
  return errors;
}

std::vector<double> reversed(std::span<const double> values) { return {values.rbegin(), values.rend()}; }
std::vector<double> negated(std::span<const double> values) {
  std::vector<double> result(values.begin(), values.end());
  for (double& value : result) value = -value;
  return result;
}

// Smallest squared error of a function that rises up to some value and falls after it.
double unimodal_error(std::span<const double> values, std::span<const double> weights) {
  const std::vector<double> rising = isotonic_errors(values, weights);
  const std::vector<double> falling = isotonic_errors(reversed(values), reversed(weights));
  const std::size_t n = values.size();
  double least = std::min(rising.back(), falling.back());
  for (std::size_t k = 0; k + 1 < n; ++k) least = std::min(least, rising[k] + falling[n - 2 - k]);
  return least;
}

// Discontinuities keep their size on a fine grid; changes of a continuous function shrink with the grid.
bool is_stepped(std::span<const double> evenly) {
  if (evenly.size() < 2) return false;
  const auto [low, high] = std::ranges::minmax(evenly);
  double variation = 0.0;
  double jumps = 0.0;
  for (std::size_t i = 1; i < evenly.size(); ++i) {
    const double change = std::abs(evenly[i] - evenly[i - 1]);
    variation += change;
    if (change > large_change * (high - low)) jumps += change;
  }
  return jumps > stepped_enough * variation;
}

bool is_category(const Model& model, std::uint32_t input) {
  return !model.columns.empty() && model.columns[input].is_category();
}

bool has_steps(const Model& model, std::uint32_t input) {
  const Dictionary& dictionary = model.dictionary;
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    const auto support = dictionary.support(k);
    if (dictionary.functions[k] == Function::step && std::ranges::find(support, input) != support.end()) return true;
  }
  return false;
}

// Rows in which a main effect is evaluated: the marginal's values, then an even grid where one is wanted.
struct Points {
  std::size_t term = 0;
  std::uint32_t input = 0;
  std::vector<double> values;
  std::size_t count = 0;  // Of the marginal's values.
};

Points points_for(const Model& model, std::size_t term) {
  constexpr std::size_t few_values = 10;
  const std::uint32_t input = model.terms[term].variables.front();
  const std::vector<double>& values = model.marginals[input].values;
  Points points{term, input, values, values.size()};
  if (values.size() <= few_values || !has_steps(model, input)) return points;
  const double step = (values.back() - values.front()) / static_cast<double>(points_of_even_grid - 1);
  for (std::size_t i = 0; i < points_of_even_grid; ++i) {
    points.values.push_back(std::min(values.back(), values.front() + static_cast<double>(i) * step));
  }
  return points;
}

// Terms do not depend on inputs other than theirs, so that all main effects share the rows.
Matrix rows_for(const Model& model, const std::vector<Points>& all) {
  std::size_t count = 0;
  for (const Points& points : all) count = std::max(count, points.values.size());
  Matrix X(count, model.inputs.size());
  for (std::size_t j = 0; j < model.inputs.size(); ++j) {
    const std::vector<double>& values = model.marginals[j].values;
    std::ranges::fill(X.col(j), values.empty() ? 0.0 : values[values.size() / 2]);
  }
  for (const Points& points : all) std::ranges::copy(points.values, X.col(points.input).begin());
  return X;
}

std::string effect_of_missing(const std::string& words) {
  if (words == "increasing") return "higher where missing";
  return words == "decreasing" ? "lower where missing" : words;
}

}  // namespace

std::string describe_effect(const EffectValues& effect) {
  const double variation = sum_of_squares(effect.f, effect.masses);
  if (!(variation > 0.0)) return "";
  const auto explains = [&](double error) { return error <= (1.0 - monotone_enough) * variation; };
  const std::vector<double> falling = negated(effect.f);
  const double error_of_rising = isotonic_errors(effect.f, effect.masses).back();
  const double error_of_falling = isotonic_errors(falling, effect.masses).back();
  const bool is_monotone = explains(std::min(error_of_rising, error_of_falling));
  const std::string direction = error_of_rising <= error_of_falling ? "increasing" : "decreasing";
  if (effect.x.size() == 2) return direction;
  const double r = correlation(effect);
  if (r * r >= linear_enough) return r > 0.0 ? "increasing, linear" : "decreasing, linear";
  const bool stepped = is_stepped(effect.evenly);
  if (is_monotone) return direction + (stepped ? ", steps" : ", curved");
  const double error_of_peak = unimodal_error(effect.f, effect.masses);
  const double error_of_valley = unimodal_error(falling, effect.masses);
  const std::string steps = stepped ? ", steps" : "";
  if (!explains(std::min(error_of_peak, error_of_valley))) return "non-monotone" + steps;
  return (error_of_peak <= error_of_valley ? "rises, then falls" : "falls, then rises") + steps;
}

std::vector<std::string> term_effects(const Model& model, int threads) {
  constexpr std::size_t most_separated = 4;  // Inputs of a term that has a component of its own.
  std::vector<std::string> effects(model.terms.size());
  std::vector<Points> main_effects;
  const bool has_orders = model.results.contains("fraction_above_order_three");
  for (std::size_t k = 0; k < model.terms.size(); ++k) {
    const std::vector<std::uint32_t>& variables = model.terms[k].variables;
    if (variables.size() > 1) {
      effects[k] = variables.size() <= most_separated ? "interaction"
                   : has_orders                       ? "interactions above order 3"
                                                      : "main effects and interactions";
    } else if (is_category(model, variables.front())) {
      effects[k] = "by level";
    } else if (!model.marginals.empty() && model.marginals[variables.front()].values.size() > 1) {
      main_effects.push_back(points_for(model, k));
    }
  }
  if (main_effects.empty()) return effects;
  const Matrix values = term_values(model, rows_for(model, main_effects), threads);
  for (const Points& points : main_effects) {
    const auto f = values.col(1 + points.term);
    const Marginal& marginal = model.marginals[points.input];
    effects[points.term] = describe_effect({marginal.values, f.first(points.count), marginal.masses,
                                            f.subspan(points.count, points.values.size() - points.count)});
    const bool is_missing = !model.columns.empty() && model.columns[points.input].part == InputColumn::Part::missing;
    if (is_missing) effects[points.term] = effect_of_missing(effects[points.term]);
  }
  return effects;
}

}  // namespace shrimp

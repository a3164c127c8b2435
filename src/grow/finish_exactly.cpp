#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "grow/finish_parts.hpp"
#include "linalg/dense.hpp"
#include "path/prune.hpp"
#include "path/prune_paths.hpp"
#include "path/refit.hpp"
#include "ridge/leave_one_out_ridge.hpp"
#include "solvers/minimum_norm.hpp"

namespace shrimp {
namespace {

// Enough vectors to span what smooth functions of so many inputs span numerically.
std::size_t exact_weights_of(const TermShape& term) {
  if (term.is_fixed()) return weights_of(term);
  switch (term.variables.size()) {
    case 1:
      return 24;
    case 2:
      return 160;
    default:
      return 400;
  }
}

Dictionary draw_exact(const std::vector<TermShape>& terms, double stretch, std::size_t most_columns, const Grown& grown,
                      std::uint64_t seed) {
  std::size_t wanted = 1;
  for (const TermShape& term : terms) wanted += columns_of_a_weight(term) * exact_weights_of(term);
  const double share = std::min(1.0, static_cast<double>(most_columns) / static_cast<double>(wanted));
  Dictionary dictionary;
  for (TermShape term : terms) {
    for (double& scale : term.scales) scale *= stretch;
    const auto count = static_cast<std::size_t>(std::ceil(share * static_cast<double>(exact_weights_of(term))));
    dictionary.append(draw_term(term, count, grown.deviations, seed, grown.kinds));
  }
  return dictionary;
}

// Terms that still have a column; lines are taken apart, so that each can go by itself.
std::vector<TermShape> with_columns(const std::vector<TermShape>& terms, const Dictionary& dictionary) {
  std::vector<TermShape> kept;
  const auto has = [&](std::span<const std::uint32_t> support, bool line) {
    for (std::size_t k = 0; k < dictionary.columns(); ++k) {
      if ((dictionary.functions[k] == Function::identity) == line && std::ranges::equal(dictionary.support(k), support))
        return true;
    }
    return false;
  };
  for (const TermShape& term : terms) {
    if (!term.linear()) {
      if (has(term.variables, false)) kept.push_back(term);
      continue;
    }
    for (const std::uint32_t variable : term.variables) {
      TermShape line = term;
      line.variables = {variable};
      if (has(line.variables, true)) kept.push_back(line);
    }
  }
  return kept;
}

RowErrors errors_on(const Equations& judged, const PathStep& step) {
  std::vector<double> gap = judged.A->combine(step.columns, step.coefficients);
  for (std::size_t i = 0; i < gap.size(); ++i) gap[i] -= judged.y[i];
  RowErrors errors;
  errors.mean = squared_norm(gap) / judged.total_weight;
  const double share = static_cast<double>(gap.size()) / judged.total_weight;
  for (const double value : gap) errors.squares.push_back(share * value * value);
  return errors;
}

// A path costs about two factorisations.
double operations_of(std::size_t m, std::size_t n) {
  return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(std::min(m, n));
}

// Mean squared error up to which a fit's error may be rounding alone. Truncation at tolerance·σ_max(A) changes A c by
// at most tolerance·‖A‖_F·‖c‖; errors of clean functions reach six times that bound and vary by a factor of ten between
// processors. Noise inflates ‖c‖: what exceeds 1e-12 of the target's variance is not taken for rounding. The margin and
// that fraction were chosen by hand.
double rounding_level(const Equations& fitted, const PathStep& full, double rank_tolerance) {
  constexpr double margin = 100.0;
  constexpr double largest_fraction = 1e-12;
  const double tolerance =
      rank_tolerance > 0.0 ? rank_tolerance : default_rank_tolerance(fitted.y.size(), full.columns.size());
  const MatrixView A = *fitted.A->dense();
  double squares = 0.0;
  for (const std::size_t k : full.columns) squares += squared_norm(A.col(k));
  const double bound = tolerance * tolerance * squares * squared_norm(full.coefficients);
  return std::min(margin * bound, largest_fraction * squared_norm(fitted.y)) / fitted.total_weight;
}

// The step of least error, or a smaller one that is as good: both errors are at rounding level and differ by a factor
// of at most 1000 (30 in the root), or by less than the standard error of their difference.
std::size_t choose_step(const std::vector<RowErrors>& errors, double rounding) {
  constexpr double same_rounding = 1000.0;
  const auto mean = [](const RowErrors& step) { return step.mean; };
  const auto best = static_cast<std::size_t>(std::ranges::min_element(errors, {}, mean) - errors.begin());
  std::size_t chosen = best;
  for (std::size_t k = best + 1; k < errors.size(); ++k) {
    const bool both_rounding = errors[k].mean <= std::min(rounding, same_rounding * errors[best].mean);
    if (both_rounding || !errors[best].clearly_below(errors[k], 1.0)) chosen = k;
  }
  return chosen;
}

struct ExactFit {
  Finished model;
  bool is_at_rounding_level = false;
};

// One dictionary on the terms, pruned at every rate. Its first fit must be below `error_to_beat`.
ExactFit prune_exactly(const Dictionary& dictionary, const RowsToFinish& rows, double error_to_beat,
                       const FinishOptions& options, const GrowObserver& observer) {
  Matrix A = evaluate(dictionary, rows.train.X);
  const Centring centring(A, rows.train);
  const Equations fitted = centred(std::move(A), rows.train, centring);
  const Equations judged = centred(evaluate(dictionary, rows.held.X), rows.held, centring);
  Equations tested;
  if (rows.test != nullptr) tested = centred(evaluate(dictionary, rows.test->X), *rows.test, centring);
  const std::vector<bool> kept = columns_to_keep(dictionary, options.include);
  PathOptions path_options;
  path_options.rank_tolerance = options.rank_tolerance;
  PrunePaths paths(fitted.A, fitted.y, path_options);
  ExactFit result;
  Finished& best = result.model;
  best.error = std::numeric_limits<double>::infinity();
  for (const double rate : options.prune_rates) {
    std::vector<PathStep> steps;
    std::vector<RowErrors> errors;
    std::vector<PathRecord> records;
    paths.visit(drop_smallest_but(kept, rate), [&](const PathStep& step) {
      steps.push_back(step);
      errors.push_back(errors_on(judged, step));
      records.push_back(fitted.record(records.size(), step));
      records.back().validation_mse = errors.back().mean;
      if (rows.test != nullptr) records.back().test_mse = tested.mean_squared_error(step);
      return !observer.wants_to_end() && (steps.size() > 1 || errors.front().mean < error_to_beat);
    });
    const double rounding = rounding_level(fitted, steps.front(), options.rank_tolerance);
    const std::size_t chosen = choose_step(errors, rounding);
    if (!(errors[chosen].mean < best.error)) continue;
    result.is_at_rounding_level = errors[chosen].mean <= rounding;
    best.error = errors[chosen].mean;
    best.held = errors[chosen];
    best.rate = rate;
    best.chosen = chosen;
    best.dictionary = dictionary.subset(steps[chosen].columns);
    best.coefficients = steps[chosen].coefficients;
    best.records = std::move(records);
  }
  best.features_drawn = dictionary.weights.size();
  best.basis_functions_drawn = dictionary.columns();
  return result;
}

}  // namespace

bool may_be_exact(const Grown& grown) {
  constexpr double near_rounding = 100.0;
  return !grown.terms.empty() && grown.lambda <= near_rounding * least_lambda(grown.errors.squares.size());
}

// Exact fits of clean functions were better by 1e8 and more, those of other tables worse than the ridge: the share
// that is asked for with many rows lies between.
//
// A few rows may be predicted well by luck. If rows have noise, so have errors e_i on rows that were not fitted: for
// independent normal e_i of at least the error's variance, h of them have a mean square below its share s with a
// probability of at most (s·e)^(h/2) (Chernoff). Of all steps and rounds the best is taken; s keeps the chance that any
// gets there below a thousandth.
double exact_share_to_beat(std::size_t held_out) {
  constexpr double with_many_rows = 0.01;
  constexpr double chance = 1e-3;
  constexpr double tries = 400.0;
  return std::min(with_many_rows, std::pow(chance / tries, 2.0 / static_cast<double>(held_out)) / std::numbers::e);
}

Finished finish_exactly(const RowsToFinish& rows, const Grown& grown, double error_to_beat,
                        const FinishOptions& options, const GrowObserver& observer) {
  constexpr std::size_t most_rounds = 12;
  constexpr std::size_t enough_without_gain = 2;  // One for each way to stretch.
  constexpr double first_stretch = 1.4;
  Finished best;
  best.error = std::numeric_limits<double>::infinity();
  std::vector<TermShape> terms = grown.terms;
  // Scales that suited few features under ridge need not suit many without: they are stretched together, one way while
  // it helps, then the other.
  double stretch = 1.0;
  double factor = first_stretch;
  std::size_t without_gain = 0;
  double work = 0.0;
  for (std::size_t round = 0; round < most_rounds && without_gain < enough_without_gain && !terms.empty(); ++round) {
    const Dictionary dictionary = draw_exact(terms, stretch, options.most_columns, grown, options.seed + round);
    auto [here, is_at_rounding_level] = prune_exactly(dictionary, rows, error_to_beat, options, observer);
    work += operations_of(rows.train.size(), dictionary.columns());
    if (here.error < best.error) {
      terms = with_columns(terms, here.dictionary);
      best = std::move(here);
      without_gain = 0;
    } else {
      ++without_gain;
      stretch /= factor;
      factor = 1.0 / factor;
    }
    stretch *= factor;
    if (is_at_rounding_level) break;  // Another draw cannot be told from this one.
    if (!(best.error < error_to_beat) || work > options.budget || observer.wants_to_end()) break;
  }
  best.work = work;
  if (!(best.error < error_to_beat)) best.coefficients.clear();
  if (best.coefficients.empty()) return best;
  // Fitted again from the start, to all rows: what rounding the path gathered is gone.
  sort_columns(best);
  Matrix A = evaluate(best.dictionary, rows.all.X);
  const Centring centring(A, rows.all);
  const Equations equations = centred(std::move(A), rows.all, centring);
  best.coefficients = fit_columns(best.dictionary, equations, options.rank_tolerance, 0.0);
  best.constant = centring.intercept(all_columns(best.coefficients.size()), best.coefficients);
  return best;
}

}  // namespace shrimp

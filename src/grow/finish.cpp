#include "grow/finish.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "data/standardize.hpp"
#include "grow/ridge_path.hpp"
#include "linalg/dense.hpp"
#include "path/prune.hpp"
#include "path/prune_paths.hpp"
#include "path/refit.hpp"

namespace shrimp {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

void append(Dictionary& all, const Dictionary& more) {
  const auto first = static_cast<std::uint32_t>(all.weights.size());
  for (std::size_t j = 0; j < more.weights.size(); ++j) {
    all.weights.append(more.weights.support(j), more.weights.weights(j));
  }
  for (const std::uint32_t row : more.rows) all.rows.push_back(first + row);
  all.functions.insert(all.functions.end(), more.functions.begin(), more.functions.end());
}

// A model that is read from its file has its columns function by function; the same order gives the same sums.
void sort_columns(Finished& model) {
  std::vector<std::size_t> order = all_columns(model.dictionary.columns());
  std::ranges::stable_sort(
      order, {}, [&](std::size_t k) { return std::pair(model.dictionary.functions[k], model.dictionary.rows[k]); });
  std::vector<double> coefficients;
  Dictionary sorted = model.dictionary.subset(order);
  for (const std::size_t k : order) coefficients.push_back(model.coefficients[k]);
  model.dictionary = std::move(sorted);
  model.coefficients = std::move(coefficients);
}

double weighted_mean(std::span<const double> values, std::span<const double> weights) {
  if (weights.empty()) return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  return std::inner_product(values.begin(), values.end(), weights.begin(), 0.0) /
         std::accumulate(weights.begin(), weights.end(), 0.0);
}

// What a fitted constant takes out of the columns and of y.
struct Means {
  std::vector<double> columns;
  double y = 0.0;

  Means(const Matrix& A, const Rows& rows) : y(weighted_mean(rows.y, rows.weights)) {
    for (std::size_t j = 0; j < A.cols(); ++j) columns.push_back(weighted_mean(A.col(j), rows.weights));
  }

  [[nodiscard]] Matrix take_out(Matrix A) const {
    for (std::size_t j = 0; j < A.cols(); ++j) {
      for (double& value : A.col(j)) value -= columns[j];
    }
    return A;
  }

  [[nodiscard]] std::vector<double> take_out(std::vector<double> values) const {
    for (double& value : values) value -= y;
    return values;
  }

  [[nodiscard]] double constant(std::span<const std::size_t> kept, std::span<const double> c) const {
    double sum = y;
    for (std::size_t k = 0; k < kept.size(); ++k) sum -= c[k] * columns[kept[k]];
    return sum;
  }
};

// A c ≈ y with the means taken out, rows times the roots of their weights.
Equations centred(Matrix A, const Rows& rows, const Means& means) {
  Equations equations;
  A = means.take_out(std::move(A));
  equations.y = means.take_out(rows.y);
  equations.total_weight = static_cast<double>(rows.size());
  if (!rows.weights.empty()) {
    equations.total_weight = std::accumulate(rows.weights.begin(), rows.weights.end(), 0.0);
    for (const double weight : rows.weights) equations.roots.push_back(std::sqrt(weight));
    scale_rows(A, equations.roots);
    for (std::size_t i = 0; i < rows.size(); ++i) equations.y[i] *= equations.roots[i];
  }
  equations.A = std::make_shared<DenseRows>(std::move(A));
  return equations;
}

// Which columns belong to terms that must stay.
std::vector<bool> columns_to_keep(const Dictionary& dictionary, const std::vector<Support>& include) {
  std::vector<bool> kept;
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    const auto support = dictionary.support(k);
    kept.push_back(std::ranges::find(include, Support(support.begin(), support.end())) != include.end());
  }
  return kept;
}

// The grown terms' features with the scales of their columns.
struct ScaledDictionary {
  Dictionary dictionary;
  std::vector<double> scales;

  ScaledDictionary(const Rows& rows, const Grown& grown, std::uint64_t seed) {
    const std::vector<double> deviations = standard_deviations(rows.X);
    for (const TermShape& term : grown.terms) {
      const std::size_t count = weights_of(term);
      const Dictionary drawn = draw_term(term, count, deviations, seed);
      scales.insert(scales.end(), drawn.columns(), column_scale(term, count));
      append(dictionary, drawn);
    }
  }

  [[nodiscard]] Matrix evaluate_at(MatrixView X) const {
    Matrix A = evaluate(dictionary, X);
    for (std::size_t j = 0; j < A.cols(); ++j) {
      for (double& value : A.col(j)) value *= scales[j];
    }
    return A;
  }
};

void set_model(Finished& result, const ScaledDictionary& drawn, const Means& means, const RidgePath::Step& step) {
  result.features_drawn = drawn.dictionary.weights.size();
  result.columns_drawn = drawn.dictionary.columns();
  result.dictionary = drawn.dictionary.subset(step.columns);
  result.constant = means.constant(step.columns, step.coefficients);
  result.coefficients = step.coefficients;
  for (std::size_t k = 0; k < step.columns.size(); ++k) result.coefficients[k] *= drawn.scales[step.columns[k]];
  sort_columns(result);
}

}  // namespace

// λ was found for a target of variance 1, to which coefficients and errors are proportional: it holds as it is.
Finished fit_terms(const Rows& rows, const Grown& grown, std::uint64_t seed) {
  const ScaledDictionary drawn(rows, grown, seed);
  Matrix A = drawn.evaluate_at(rows.X);
  const Means means(A, rows);
  const std::vector<bool> keep_all(drawn.dictionary.columns(), true);
  constexpr double no_pruning = 0.5;
  const RidgePath path(means.take_out(std::move(A)), means.take_out(rows.y), rows.weights, grown.lambda, no_pruning,
                       keep_all);
  Finished result;
  set_model(result, drawn, means, path.steps().front());
  result.error = grown.errors.mean;
  result.ridge = grown.lambda;
  return result;
}

Finished finish_with_ridge(const Rows& rows, const Rows* validation, const Rows* test, const Grown& grown,
                           const FinishOptions& options) {
  const ScaledDictionary drawn(rows, grown, options.seed);
  Matrix A = drawn.evaluate_at(rows.X);
  const Means means(A, rows);
  A = means.take_out(std::move(A));
  const std::vector<double> y = means.take_out(rows.y);
  const RidgePath path(Matrix(A), y, rows.weights, grown.lambda, options.prune_rates.front(),
                       columns_to_keep(drawn.dictionary, options.include));
  const std::vector<RidgePath::Step> steps = path.steps();
  std::vector<RowErrors> errors;
  if (validation != nullptr) {
    const Matrix held = means.take_out(drawn.evaluate_at(validation->X));
    for (const RidgePath::Step& step : steps) {
      errors.push_back(RidgePath::errors_on(step, held, means.take_out(validation->y), validation->weights));
    }
  } else {
    errors = path.validate(std::min(options.folds, rows.size()), options.seed);
  }
  const std::size_t count = std::min(steps.size(), errors.size());
  const Matrix tested = test != nullptr ? means.take_out(drawn.evaluate_at(test->X)) : Matrix();
  Finished result;
  for (std::size_t k = 0; k < count; ++k) {
    PathRecord record;
    record.step = k;
    record.columns = steps[k].columns.size();
    record.rank = record.columns;
    record.ridge = grown.lambda;
    record.validation_mse = errors[k].mean;
    record.train_mse = RidgePath::errors_on(steps[k], A, y, rows.weights).mean;
    if (test != nullptr) {
      record.test_mse = RidgePath::errors_on(steps[k], tested, means.take_out(test->y), test->weights).mean;
    }
    result.records.push_back(record);
  }
  // Folds prune paths of their own. A step that fits all rows worse than folds predict them is not what they judged.
  const auto is_as_judged = [&](std::size_t k) { return result.records[k].train_mse <= errors[k].mean; };
  // The smallest model that cannot be told from the best.
  const double deviations_allowed = options.one_standard_error ? 1.0 : 0.1;
  std::size_t best = 0;
  for (std::size_t k = 1; k < count; ++k) {
    if (is_as_judged(k) && errors[k].mean < errors[best].mean) best = k;
  }
  result.chosen = best;
  for (std::size_t k = best + 1; k < count; ++k) {
    if (is_as_judged(k) && !errors[best].clearly_below(errors[k], deviations_allowed)) result.chosen = k;
  }
  set_model(result, drawn, means, steps[result.chosen]);
  result.error = errors[result.chosen].mean;
  result.ridge = grown.lambda;
  return result;
}

namespace {

// Enough vectors to span what smooth functions of so many inputs span numerically.
std::size_t exact_weights_of(const TermShape& term) {
  if (term.linear()) return term.variables.size();
  switch (term.variables.size()) {
    case 1:
      return 24;
    case 2:
      return 160;
    default:
      return 400;
  }
}

Dictionary draw_exact(const std::vector<TermShape>& terms, double stretch, std::size_t most_columns,
                      std::span<const double> deviations, std::uint64_t seed) {
  std::size_t wanted = 1;
  for (const TermShape& term : terms) wanted += (term.linear() ? 1 : 2) * exact_weights_of(term);
  const double share = std::min(1.0, static_cast<double>(most_columns) / static_cast<double>(wanted));
  Dictionary dictionary;
  for (TermShape term : terms) {
    for (double& scale : term.scales) scale *= stretch;
    const auto count = static_cast<std::size_t>(std::ceil(share * static_cast<double>(exact_weights_of(term))));
    append(dictionary, draw_term(term, count, deviations, seed));
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

// drop_smallest among the columns that may go.
PruneRule drop_smallest_but(const std::vector<bool>& kept, double rate) {
  PruneRule plain = drop_smallest(rate);
  plain.keep = [&kept, keep = plain.keep](const PathStep& step) {
    std::vector<std::size_t> positions = keep(step);
    for (std::size_t k = 0; k < step.columns.size(); ++k) {
      if (kept[step.columns[k]]) positions.push_back(k);
    }
    std::ranges::sort(positions);
    const auto repeated = std::ranges::unique(positions);
    positions.erase(repeated.begin(), repeated.end());
    return positions;
  };
  return plain;
}

// One dictionary on the terms, pruned at every rate.
Finished prune_exactly(const Dictionary& dictionary, const Rows& train, const Rows& held, const Rows* test,
                       const FinishOptions& options, const GrowObserver& observer) {
  Matrix A = evaluate(dictionary, train.X);
  const Means means(A, train);
  const Equations fitted = centred(std::move(A), train, means);
  const Equations judged = centred(evaluate(dictionary, held.X), held, means);
  Equations tested;
  if (test != nullptr) tested = centred(evaluate(dictionary, test->X), *test, means);
  const std::vector<bool> kept = columns_to_keep(dictionary, options.include);
  PathOptions path_options;
  path_options.rank_tolerance = options.rank_tolerance;
  PrunePaths paths(fitted.A, fitted.y, path_options);
  Finished best;
  best.error = infinite;
  for (const double rate : options.prune_rates) {
    std::vector<PathRecord> records;
    bool improved = false;
    paths.visit(drop_smallest_but(kept, rate), [&](const PathStep& step) {
      PathRecord record;
      record.step = records.size();
      record.columns = step.columns.size();
      record.rank = step.rank;
      record.train_mse = step.train_mse * static_cast<double>(train.size()) / fitted.total_weight;
      record.validation_mse = judged.mean_squared_error(step);
      if (test != nullptr) record.test_mse = tested.mean_squared_error(step);
      if (record.validation_mse < best.error) {
        improved = true;
        best.error = record.validation_mse;
        best.chosen = record.step;
        best.dictionary = dictionary.subset(step.columns);
        best.coefficients = step.coefficients;
      }
      records.push_back(record);
      return !observer.wants_to_end();
    });
    if (improved) best.records = std::move(records);
  }
  best.features_drawn = dictionary.weights.size();
  best.columns_drawn = dictionary.columns();
  return best;
}

}  // namespace

Finished finish_exactly(const Rows& train, const Rows& held, const Rows& all, const Rows* test, const Grown& grown,
                        double error_to_beat, const FinishOptions& options, const GrowObserver& observer) {
  constexpr std::size_t most_rounds = 12;
  constexpr std::size_t rounds_to_see = 2;
  constexpr std::size_t enough_without_gain = 3;
  constexpr double first_stretch = 1.4;
  const std::vector<double> deviations = standard_deviations(all.X);
  Finished best;
  best.error = infinite;
  std::vector<TermShape> terms = grown.terms;
  // Scales that suited few features under ridge need not suit many without: they are stretched together, one way while
  // it helps, then the other.
  double stretch = 1.0;
  double factor = first_stretch;
  std::size_t without_gain = 0;
  for (std::size_t round = 0; round < most_rounds && without_gain < enough_without_gain && !terms.empty(); ++round) {
    const Dictionary dictionary = draw_exact(terms, stretch, options.most_columns, deviations, options.seed + round);
    Finished here = prune_exactly(dictionary, train, held, test, options, observer);
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
    if (round + 1 >= rounds_to_see && !(best.error < error_to_beat)) break;
    if (observer.wants_to_end()) break;
  }
  if (best.coefficients.empty()) return best;
  // Fitted again from the start, to all rows: what rounding the path gathered is gone.
  sort_columns(best);
  Matrix A = evaluate(best.dictionary, all.X);
  const Means means(A, all);
  const Equations equations = centred(std::move(A), all, means);
  best.coefficients = fit_columns(best.dictionary, equations, options.rank_tolerance, 0.0);
  best.constant = means.constant(all_columns(best.coefficients.size()), best.coefficients);
  return best;
}

}  // namespace shrimp

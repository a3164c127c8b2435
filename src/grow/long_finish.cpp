#include "grow/long_finish.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "grow/column_sums.hpp"
#include "grow/finish_parts.hpp"
#include "linalg/cholesky.hpp"
#include "path/prune.hpp"
#include "path/refit.hpp"
#include "ridge/elimination.hpp"

namespace shrimp {
namespace {

// A Gram matrix of so many columns takes about as long as reading its rows from a text file.
constexpr std::size_t most_columns_to_sum = 1200;

// Half a percent of error nobody feels in a table of 4000 rows, whose sampling costs as much; of more rows, as much
// less.
double not_felt(std::size_t rows) { return 0.005 * std::min(1.0, 4000.0 / static_cast<double>(rows)); }

// Ridge regression with a constant that costs nothing, from sums over rows whose first column is 1.
class RidgeSums {
 public:
  explicit RidgeSums(const NormalEquations& sums) : sums_(sums) {}

  [[nodiscard]] std::size_t columns() const { return sums_.columns() - 1; }

  /// The equations of these columns, factorised; none where they are not positive definite.
  [[nodiscard]] std::optional<Cholesky> factor(std::span<const std::size_t> which, double lambda) const {
    Matrix M = Matrix::uninitialized(which.size(), which.size());
    for (std::size_t j = 0; j < which.size(); ++j) {
      for (std::size_t i = j; i < which.size(); ++i) M(i, j) = entry(which[i], which[j]);
      M(j, j) += lambda;
    }
    return Cholesky::factor(std::move(M));
  }

  [[nodiscard]] std::vector<double> products(std::span<const std::size_t> which) const {
    std::vector<double> b;
    for (const std::size_t j : which) b.push_back(sums_.target.products[1 + j] - mean(j) * sums_.target.products[0]);
    return b;
  }

  [[nodiscard]] double constant(std::span<const std::size_t> which, std::span<const double> c) const {
    double sum = sums_.target.products[0] / sums_.G(0, 0);
    for (std::size_t k = 0; k < which.size(); ++k) sum -= mean(which[k]) * c[k];
    return sum;
  }

 private:
  [[nodiscard]] double mean(std::size_t j) const { return sums_.G(1 + j, 0) / sums_.G(0, 0); }
  [[nodiscard]] double entry(std::size_t i, std::size_t j) const {
    return sums_.G(1 + std::max(i, j), 1 + std::min(i, j)) - mean(i) * mean(j) * sums_.G(0, 0);
  }

  const NormalEquations& sums_;
};

double mean_squared_error(const NormalEquations& sums, std::span<const std::size_t> which, std::span<const double> c,
                          double constant) {
  std::vector<double> all(sums.columns(), 0.0);
  all[0] = constant;
  for (std::size_t k = 0; k < which.size(); ++k) all[1 + which[k]] = c[k];
  return sums.squared_error(all) / sums.weight;
}

struct JudgedStep {
  PathStep step;
  double constant = 0.0;
  double error = std::numeric_limits<double>::infinity();
};

class LongFinish {
 public:
  LongFinish(const LongRows& rows, ScaledDictionary drawn, const std::set<Support>& own_effects,
             const FinishOptions& options, const std::function<void()>& check)
      : rows_(rows),
        options_(options),
        check_(check),
        drawn_(std::move(drawn)),
        kept_(columns_to_keep(drawn_.dictionary, options.include, own_effects)),
        all_(rows.sum_up(drawn_, {options.device, check})),
        choosing_(sums_of(rows.choosing)),
        telling_(sums_of(rows.telling)) {}

  /// `sizes`: sets of columns to choose among, ascending. λ is where the search for it starts.
  [[nodiscard]] LongFinished run(const std::vector<std::vector<std::size_t>>& sizes, double lambda) const {
    const NormalEquations judged = all_.without(NormalEquations(telling_));
    const NormalEquations train = judged.without(NormalEquations(choosing_));
    std::vector<JudgedStep> best;
    for (const std::vector<std::size_t>& size : sizes) {
      best.push_back(best_ridge(train, size, lambda));
      lambda = best.back().step.ridge;
    }
    const std::size_t chosen = smallest_good(best);
    return finish(train, judged, best[chosen].step);
  }

 private:
  [[nodiscard]] NormalEquations sums_of(const Rows& rows) const {
    return sum_columns(drawn_, [&](const auto& body) { body(rows); }, {options_.device, check_});
  }

  // λ is raised where rounding would decide.
  [[nodiscard]] JudgedStep fit(const NormalEquations& sums, std::vector<std::size_t> which, double lambda) const {
    const RidgeSums equations(sums);
    JudgedStep judged;
    judged.step.columns = std::move(which);
    for (; !judged.step.columns.empty(); lambda *= 10.0) {
      if (!std::isfinite(lambda)) throw std::logic_error("random features with NaN or infinite values");
      const std::optional<Cholesky> factor = equations.factor(judged.step.columns, lambda);
      if (!factor) continue;
      judged.step.coefficients = equations.products(judged.step.columns);
      factor->solve(judged.step.coefficients);
      break;
    }
    complete(sums, equations, lambda, judged);
    return judged;
  }

  void complete(const NormalEquations& sums, const RidgeSums& equations, double lambda, JudgedStep& judged) const {
    PathStep& step = judged.step;
    step.ridge = lambda;
    step.rank = step.columns.size();
    judged.constant = equations.constant(step.columns, step.coefficients);
    step.train_mse = mean_squared_error(sums, step.columns, step.coefficients, judged.constant);
    judged.error = mean_squared_error(choosing_, step.columns, step.coefficients, judged.constant);
  }

  /// Moves λ by factors of √10 while the error of the rows to choose by falls.
  [[nodiscard]] JudgedStep best_ridge(const NormalEquations& train, const std::vector<std::size_t>& which,
                                      double start) const {
    constexpr int most = 12;
    const double step = std::sqrt(10.0);
    JudgedStep best = fit(train, which, start);
    for (const double factor : {step, 1.0 / step}) {
      const double before = best.step.ridge;
      for (int k = 0; k < most; ++k) {
        check();
        JudgedStep next = fit(train, which, best.step.ridge * factor);
        if (!(next.error < best.error)) break;
        best = std::move(next);
      }
      if (best.step.ridge != before) break;
    }
    return best;
  }

  void check() const {
    if (check_) check_();
  }

  // The fewest columns that are not clearly worse than the best; of models of the same columns, the first.
  [[nodiscard]] std::size_t smallest_good(const std::vector<JudgedStep>& steps) const {
    const auto best = std::ranges::min_element(steps, {}, &JudgedStep::error);
    const double most =
        options_.one_standard_error
            ? best->error * (1.0 + std::sqrt(2.0 / static_cast<double>(std::max<std::size_t>(1, choosing_.rows))))
            : best->error * (1.0 + not_felt(rows_.rows));
    std::size_t chosen = static_cast<std::size_t>(best - steps.begin());
    for (std::size_t k = 0; k < steps.size(); ++k) {
      if (steps[k].error <= most && steps[k].step.columns.size() < steps[chosen].step.columns.size()) chosen = k;
    }
    return chosen;
  }

  [[nodiscard]] std::vector<JudgedStep> path(const NormalEquations& train, const PathStep& start, double rate) const {
    const EliminationRule rule{kept_, rate, support_numbers(drawn_.dictionary)};
    const RidgeSums equations(train);
    std::vector<JudgedStep> steps;
    PathStep step = start;
    for (bool ends = false; !ends;) {
      check();
      JudgedStep judged;
      judged.step = step;
      judged.step.coefficients = equations.products(step.columns);
      std::optional<Cholesky> factor;
      if (!step.columns.empty()) factor = equations.factor(step.columns, step.ridge);
      if (factor) factor->solve(judged.step.coefficients);
      complete(train, equations, step.ridge, judged);
      ends = !factor;  // Nothing is left: fewer columns are no worse conditioned than those before.
      if (factor) {
        const std::vector<std::size_t> stay = eliminate(*factor, judged.step.coefficients, step.columns, rule);
        ends = stay.size() == step.columns.size();
        step = restrict_step(judged.step, stay);
      }
      steps.push_back(std::move(judged));
    }
    return steps;
  }

  [[nodiscard]] LongFinished finish(const NormalEquations& train, const NormalEquations& judged,
                                    const PathStep& start) const {
    std::vector<JudgedStep> steps;
    std::size_t chosen = 0;
    double rate = options_.prune_rates.front();
    for (const double other : options_.prune_rates) {
      std::vector<JudgedStep> path_of_rate = path(train, start, other);
      const std::size_t own = smallest_good(path_of_rate);
      if (!steps.empty() && !(path_of_rate[own].error < steps[chosen].error)) continue;
      steps = std::move(path_of_rate);
      chosen = own;
      rate = other;
    }
    const PathStep& best = steps[chosen].step;
    const JudgedStep of_all = fit(all_, best.columns, best.ridge);
    LongFinished result;
    result.judged = model(fit(judged, best.columns, best.ridge), steps[chosen].error);
    result.all = model(of_all, steps[chosen].error);
    result.train_mse = of_all.step.train_mse;
    for (Finished* finished : {&result.judged, &result.all}) {
      finished->rate = rate;
      finished->chosen = chosen;
      for (std::size_t k = 0; k < steps.size(); ++k) {
        finished->records.emplace_back(k, steps[k].step);
        finished->records.back().validation_mse = steps[k].error;
      }
    }
    return result;
  }

  [[nodiscard]] Finished model(const JudgedStep& judged, double error) const {
    Finished result;
    set_model(result, drawn_, judged.constant, judged.step.columns, judged.step.coefficients);
    result.error = error;
    result.ridge = judged.step.ridge;
    return result;
  }

  const LongRows& rows_;
  const FinishOptions& options_;
  const std::function<void()>& check_;
  ScaledDictionary drawn_;
  std::vector<bool> kept_;
  NormalEquations all_;
  NormalEquations choosing_;
  NormalEquations telling_;
};

// Of the columns drawn with `factor` times the features, those of `part` times.
std::vector<std::size_t> columns_of_part(const Grown& grown, std::size_t factor, std::size_t part) {
  std::vector<std::size_t> columns;
  std::size_t first = 0;
  for (const TermShape& term : grown.terms) {
    const std::size_t few = weights_of(term);
    const bool is_fixed = term.is_fixed();
    const std::size_t drawn = is_fixed ? few : few * factor;
    const std::size_t wanted = is_fixed ? few : few * part;
    for (std::size_t function = 0; function < columns_of_a_weight(term); ++function, first += drawn) {
      for (std::size_t k = 0; k < wanted; ++k) columns.push_back(first + k);
    }
  }
  return columns;
}

std::size_t count_columns(const Grown& grown, std::size_t factor) {
  return columns_of_part(grown, factor, factor).size();
}

}  // namespace

LongFinished finish_long(const LongRows& rows, const Grown& grown, const Finished& pruned, const FinishOptions& options,
                         const std::function<void()>& check) {
  if (count_columns(grown, 1) > most_columns_to_sum || grown.terms.empty()) {
    Dictionary columns = pruned.dictionary.subset(all_columns(pruned.dictionary.columns()));
    const std::size_t count = columns.columns();
    return LongFinish(rows, {std::move(columns), pruned.scales}, grown.own_effects, options, check)
        .run({all_columns(count)}, std::max(pruned.ridge, grown.lambda));
  }
  std::size_t factor = 4;
  while (factor > 1 && count_columns(grown, factor) > most_columns_to_sum) factor /= 2;
  std::vector<std::vector<std::size_t>> sizes;
  for (std::size_t part = 1; part <= factor; part *= 2) sizes.push_back(columns_of_part(grown, factor, part));
  return LongFinish(rows, ScaledDictionary(grown, options.seed, factor), grown.own_effects, options, check)
      .run(sizes, grown.lambda);
}

}  // namespace shrimp

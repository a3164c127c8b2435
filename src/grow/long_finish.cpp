#include "grow/long_finish.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "grow/column_sums.hpp"
#include "grow/finish_parts.hpp"
#include "path/refit.hpp"
#include "ridge/elimination.hpp"
#include "ridge/lambda_search.hpp"

namespace shrimp {
namespace {

// A Gram matrix of so many columns takes about as long as reading its rows from a text file.
constexpr std::size_t most_columns_to_sum = 1200;

// Half a percent of error nobody feels in a table of 4000 rows, whose sampling costs as much; of more rows, as much
// less.
double not_felt(std::size_t rows) { return 0.005 * std::min(1.0, 4000.0 / static_cast<double>(rows)); }

struct JudgedFit : RidgeFit {
  double intercept = 0.0;
  double error = std::numeric_limits<double>::infinity();  // Of the validation rows.
};

double mean_squared_error(const NormalEquations& sums, const JudgedFit& fit) {
  std::vector<double> all(sums.columns(), 0.0);
  all[0] = fit.intercept;
  for (std::size_t k = 0; k < fit.columns.size(); ++k) all[1 + fit.columns[k]] = fit.coefficients[k];
  return sums.squared_error(all) / sums.weight;
}

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

  /// `sizes`: sets of columns to choose among, ascending. The search for λ starts at `lambda`.
  [[nodiscard]] LongFinished run(const std::vector<std::vector<std::size_t>>& sizes, double lambda) const {
    const NormalEquations judged = all_.without(NormalEquations(telling_));
    const NormalEquations train = judged.without(NormalEquations(choosing_));
    const CentredEquations centred(train);
    std::vector<JudgedFit> best;
    for (const std::vector<std::size_t>& size : sizes) {
      best.push_back(best_ridge(centred, size, lambda));
      lambda = best.back().lambda;
    }
    const std::size_t chosen = smallest_good(best);
    return finish(centred, judged, best[chosen]);
  }

 private:
  [[nodiscard]] NormalEquations sums_of(const Rows& rows) const {
    return sum_columns(drawn_, [&](const auto& body) { body(rows); }, {options_.device, check_});
  }

  [[nodiscard]] JudgedFit fit(const CentredEquations& rows, std::vector<std::size_t> columns, double lambda) const {
    RidgeFit fit;
    fit.columns = std::move(columns);
    fit.lambda = lambda;
    if (!fit.columns.empty()) raise_lambda(fit.lambda, [&](double) { return rows.fit(fit); });
    return judge(rows, std::move(fit));
  }

  [[nodiscard]] JudgedFit judge(const CentredEquations& rows, RidgeFit fit) const {
    JudgedFit judged{std::move(fit)};
    judged.intercept = rows.intercept(judged);
    judged.train_mse = mean_squared_error(rows.equations(), judged);
    judged.error = mean_squared_error(choosing_, judged);
    return judged;
  }

  /// λ of least error on the validation rows.
  [[nodiscard]] JudgedFit best_ridge(const CentredEquations& train, const std::vector<std::size_t>& columns,
                                     double start) const {
    JudgedFit best = fit(train, columns, start);
    search_lambda(best, [&](double lambda) {
      check();
      return std::optional(fit(train, columns, lambda));
    });
    return best;
  }

  void check() const {
    if (check_) check_();
  }

  // The fewest columns that are not clearly worse than the best; of models of the same columns, the first.
  [[nodiscard]] std::size_t smallest_good(const std::vector<JudgedFit>& steps) const {
    const auto best = std::ranges::min_element(steps, {}, &JudgedFit::error);
    const double most =
        options_.one_standard_error
            ? best->error * (1.0 + std::sqrt(2.0 / static_cast<double>(std::max<std::size_t>(1, choosing_.rows))))
            : best->error * (1.0 + not_felt(rows_.rows));
    std::size_t chosen = static_cast<std::size_t>(best - steps.begin());
    for (std::size_t k = 0; k < steps.size(); ++k) {
      if (steps[k].error <= most && steps[k].columns.size() < steps[chosen].columns.size()) chosen = k;
    }
    return chosen;
  }

  [[nodiscard]] std::vector<JudgedFit> path(const CentredEquations& train, const RidgeFit& start, double rate) const {
    const EliminationRule rule{kept_, rate, support_numbers(drawn_.dictionary)};
    std::vector<JudgedFit> steps;
    eliminate_backward(
        start, rule,
        [&](RidgeFit& fit) {
          check();
          const std::optional<Cholesky> M = train.fit(fit);
          return M ? std::optional(inverse_blocks(*M, fit.columns, rule)) : std::nullopt;
        },
        [&](const RidgeFit& fit) { steps.push_back(judge(train, fit)); });
    return steps;
  }

  [[nodiscard]] LongFinished finish(const CentredEquations& train, const NormalEquations& judged,
                                    const RidgeFit& start) const {
    std::vector<JudgedFit> steps;
    std::size_t chosen = 0;
    double rate = options_.prune_rates.front();
    for (const double other : options_.prune_rates) {
      std::vector<JudgedFit> path_of_rate = path(train, start, other);
      const std::size_t own = smallest_good(path_of_rate);
      if (!steps.empty() && !(path_of_rate[own].error < steps[chosen].error)) continue;
      steps = std::move(path_of_rate);
      chosen = own;
      rate = other;
    }
    const JudgedFit& best = steps[chosen];
    const JudgedFit of_all = fit(CentredEquations(all_), best.columns, best.lambda);
    LongFinished result;
    result.judged = model(fit(CentredEquations(judged), best.columns, best.lambda), best.error);
    result.all = model(of_all, best.error);
    result.train_mse = of_all.train_mse;
    for (Finished* finished : {&result.judged, &result.all}) {
      finished->rate = rate;
      finished->chosen = chosen;
      for (std::size_t k = 0; k < steps.size(); ++k) {
        finished->records.push_back(record_of(k, steps[k]));
        finished->records.back().validation_mse = steps[k].error;
      }
    }
    return result;
  }

  [[nodiscard]] Finished model(const JudgedFit& fit, double error) const {
    Finished result;
    set_model(result, drawn_, fit.intercept, fit.columns, fit.coefficients);
    result.error = error;
    result.ridge = fit.lambda;
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

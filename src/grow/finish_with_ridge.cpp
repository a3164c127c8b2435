#include <algorithm>
#include <numeric>
#include <optional>

#include "data/split.hpp"
#include "grow/finish_parts.hpp"
#include "linalg/dense.hpp"
#include "path/refit.hpp"
#include "ridge/elimination_path.hpp"

namespace shrimp {
namespace {

// Ridge regression of rows on all columns, with an intercept.
struct AllColumns {
  RidgeFit fit;
  double intercept = 0.0;

  AllColumns(Matrix A, const Rows& rows, double lambda, const std::shared_ptr<Device>& device) {
    const Centring centring(A, rows);
    fit = EliminationPath(centring.apply(std::move(A)), centring.apply(rows.y), rows.weights, lambda, {}, device).fit();
    intercept = centring.intercept(fit.columns, fit.coefficients);
  }
};

// Validation or test rows, centred as the fitted rows are.
struct JudgingRows {
  Matrix A;
  std::vector<double> y;
  std::span<const double> weights;

  [[nodiscard]] RowErrors errors_of(const RidgeFit& step) const {
    const std::vector<double> fitted = combine_columns(A, step.columns, step.coefficients);
    const double total =
        weights.empty() ? static_cast<double>(y.size()) : std::accumulate(weights.begin(), weights.end(), 0.0);
    RowErrors errors;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double weight = (weights.empty() ? 1.0 : weights[i]) * static_cast<double>(y.size()) / total;
      errors.squares.push_back(weight * (y[i] - fitted[i]) * (y[i] - fitted[i]));
      errors.mean += errors.squares.back() / static_cast<double>(y.size());
    }
    return errors;
  }
};

// One path at one rate, with the validation error of every step.
struct JudgedPath {
  double rate = 0.0;
  std::vector<RidgeFit> steps;
  std::vector<RowErrors> errors;
  std::size_t chosen = 0;

  [[nodiscard]] const RowErrors& error() const { return errors[chosen]; }
  [[nodiscard]] std::size_t columns() const { return steps[chosen].columns.size(); }
};

class RidgeFinish {
 public:
  /// `A`: the columns of `columns` in `rows`.
  RidgeFinish(const Rows& rows, const Grown& grown, const FinishOptions& options, const GrowObserver& observer,
              const ScaledDictionary& columns, Matrix A)
      : rows_(rows),
        options_(options),
        drawn_(columns),
        centring_(A, rows),
        kept_(columns_to_keep(drawn_.dictionary, options.include, grown.own_effects)),
        path_(
            centring_.apply(std::move(A)), centring_.apply(rows.y), rows.weights, grown.lambda,
            [&observer] { (void)observer.wants_to_end(); }, options.device) {}

  [[nodiscard]] JudgedPath judge(double rate, const Rows* validation) const {
    const EliminationRule rule{kept_, rate, support_numbers(drawn_.dictionary)};
    JudgedPath path{rate, {}, {}, 0};
    if (validation != nullptr) {
      const JudgingRows judging = centre(*validation);
      path.steps = path_.steps(rule);
      for (const RidgeFit& step : path.steps) path.errors.push_back(judging.errors_of(step));
    } else {
      ValidatedPath validated =
          path_.validate(rule, fold(rows_, std::min(options_.folds, count_units(rows_)), options_.seed));
      path.steps = std::move(validated.steps);
      path.errors = std::move(validated.errors);
    }
    std::vector<double> fitted;
    for (const RidgeFit& step : path.steps) fitted.push_back(step.train_mse);
    path.chosen = choose_step(path.errors, fitted, options_.one_standard_error);
    return path;
  }

  [[nodiscard]] double work() const { return path_.work(); }

  [[nodiscard]] Finished model_of(const JudgedPath& path, const Rows* test) const {
    Finished result;
    std::optional<JudgingRows> tested;
    if (test != nullptr) tested = centre(*test);
    for (std::size_t k = 0; k < path.steps.size(); ++k) {
      PathRecord record = record_of(k, path.steps[k]);
      record.validation_mse = path.errors[k].mean;
      if (tested) record.test_mse = tested->errors_of(path.steps[k]).mean;
      result.records.push_back(record);
    }
    result.chosen = path.chosen;
    result.rate = path.rate;
    const RidgeFit& step = path.steps[path.chosen];
    set_model(result, drawn_, centring_.intercept(step.columns, step.coefficients), step.columns, step.coefficients);
    result.error = path.error().mean;
    result.held = path.error();
    result.ridge = step.lambda;
    return result;
  }

 private:
  [[nodiscard]] JudgingRows centre(const Rows& rows) const {
    return {centring_.apply(drawn_.evaluate_at(rows.X)), centring_.apply(rows.y), rows.weights};
  }

  const Rows& rows_;
  const FinishOptions& options_;
  const ScaledDictionary& drawn_;
  Centring centring_;
  std::vector<bool> kept_;
  EliminationPath path_;
};

}  // namespace

// λ was found for a target of variance 1, to which coefficients and errors are proportional: it holds as it is.
Finished fit_terms(const Rows& rows, const Grown& grown, std::uint64_t seed, const std::shared_ptr<Device>& device) {
  const ScaledDictionary drawn(grown, seed);
  const AllColumns all(drawn.evaluate_at(rows.X), rows, grown.lambda, device);
  Finished result;
  set_model(result, drawn, all.intercept, all.fit.columns, all.fit.coefficients);
  result.error = grown.errors.mean;
  result.ridge = all.fit.lambda;
  return result;
}

Finished finish_with_ridge(const Rows& rows, const Rows* validation, const Rows* test, const Grown& grown,
                           const FinishOptions& options, const GrowObserver& observer) {
  const ScaledDictionary drawn(grown, options.seed);
  const RidgeFinish finish(rows, grown, options, observer, drawn, drawn.evaluate_at(rows.X));
  JudgedPath best = finish.judge(options.prune_rates.front(), validation);
  for (std::size_t k = 1; k < options.prune_rates.size(); ++k) {
    JudgedPath other = finish.judge(options.prune_rates[k], validation);
    const bool better = other.error().mean < best.error().mean;
    const bool smaller = other.error().mean == best.error().mean && other.columns() < best.columns();
    if (better || smaller) best = std::move(other);
  }
  Finished result = finish.model_of(best, test);
  result.work = finish.work();
  return result;
}

Finished refit_with_ridge(Finished model, const Rows& rows, const std::shared_ptr<Device>& device) {
  ScaledDictionary columns(std::move(model.dictionary), model.scales);
  const AllColumns all(columns.evaluate_at(rows.X), rows, model.ridge, device);
  model.dictionary = std::move(columns.dictionary);
  model.constant = all.intercept;
  model.coefficients = all.fit.coefficients;
  for (std::size_t k = 0; k < model.coefficients.size(); ++k) model.coefficients[k] *= model.scales[k];
  model.ridge = all.fit.lambda;
  return model;
}

}  // namespace shrimp

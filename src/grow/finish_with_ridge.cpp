#include <algorithm>
#include <optional>

#include "data/split.hpp"
#include "grow/finish_parts.hpp"
#include "path/refit.hpp"
#include "ridge/elimination_path.hpp"

namespace shrimp {
namespace {

void set_step(Finished& result, const ScaledDictionary& drawn, const Means& means, const RidgeFit& step) {
  set_model(result, drawn, means.constant(step.columns, step.coefficients), step.columns, step.coefficients);
}

// Rows that a path is judged by, as the path sees rows.
struct JudgingRows {
  Matrix A;
  std::vector<double> y;
  std::span<const double> weights;

  [[nodiscard]] RowErrors errors_of(const RidgeFit& step) const {
    return EliminationPath::errors_on(step, A, y, weights);
  }
};

// One path at one rate, with what the rows to choose by say of every step.
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
  RidgeFinish(const Rows& rows, const Grown& grown, const FinishOptions& options, const GrowObserver& observer)
      : RidgeFinish(rows, grown, options, observer, ScaledDictionary(grown, options.seed)) {}

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
    set_step(result, drawn_, means_, path.steps[path.chosen]);
    result.error = path.error().mean;
    result.held = path.error();
    result.ridge = path.steps[path.chosen].lambda;
    return result;
  }

 private:
  [[nodiscard]] JudgingRows centre(const Rows& rows) const {
    return {means_.take_out(drawn_.evaluate_at(rows.X)), means_.take_out(rows.y), rows.weights};
  }

  RidgeFinish(const Rows& rows, const Grown& grown, const FinishOptions& options, const GrowObserver& observer,
              ScaledDictionary drawn)
      : RidgeFinish(rows, grown, options, observer, drawn, drawn.evaluate_at(rows.X)) {}

  RidgeFinish(const Rows& rows, const Grown& grown, const FinishOptions& options, const GrowObserver& observer,
              ScaledDictionary drawn, Matrix A)
      : rows_(rows),
        options_(options),
        drawn_(std::move(drawn)),
        means_(A, rows),
        kept_(columns_to_keep(drawn_.dictionary, options.include, grown.own_effects)),
        path_(
            means_.take_out(std::move(A)), means_.take_out(rows.y), rows.weights, grown.lambda,
            [&observer] { (void)observer.wants_to_end(); }, options.device) {}

  const Rows& rows_;
  const FinishOptions& options_;
  ScaledDictionary drawn_;
  Means means_;
  std::vector<bool> kept_;
  EliminationPath path_;
};

}  // namespace

// λ was found for a target of variance 1, to which coefficients and errors are proportional: it holds as it is.
Finished fit_terms(const Rows& rows, const Grown& grown, std::uint64_t seed, const std::shared_ptr<Device>& device) {
  const ScaledDictionary drawn(grown, seed);
  Matrix A = drawn.evaluate_at(rows.X);
  const Means means(A, rows);
  const EliminationPath path(means.take_out(std::move(A)), means.take_out(rows.y), rows.weights, grown.lambda, {},
                             device);
  Finished result;
  const RidgeFit step = path.fit();
  set_step(result, drawn, means, step);
  result.error = grown.errors.mean;
  result.ridge = step.lambda;
  return result;
}

Finished finish_with_ridge(const Rows& rows, const Rows* validation, const Rows* test, const Grown& grown,
                           const FinishOptions& options, const GrowObserver& observer) {
  const RidgeFinish finish(rows, grown, options, observer);
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
  Matrix A = evaluate(model.dictionary, rows.X);
  for (std::size_t j = 0; j < A.cols(); ++j) {
    for (double& value : A.col(j)) value *= model.scales[j];
  }
  const Means means(A, rows);
  if (model.coefficients.empty()) {
    model.constant = means.y;
    return model;
  }
  const RidgeFit step =
      EliminationPath(means.take_out(std::move(A)), means.take_out(rows.y), rows.weights, model.ridge, {}, device)
          .fit();
  model.constant = means.constant(step.columns, step.coefficients);
  model.coefficients = step.coefficients;
  for (std::size_t k = 0; k < model.scales.size(); ++k) model.coefficients[k] *= model.scales[k];
  model.ridge = step.lambda;
  return model;
}

}  // namespace shrimp

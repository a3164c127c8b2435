#include <algorithm>
#include <cmath>
#include <memory>

#include "data/marginals.hpp"
#include "data/standardize.hpp"
#include "data/target_form.hpp"
#include "fit/own_units.hpp"
#include "fit/selection.hpp"
#include "model/terms.hpp"
#include "model/unused_inputs.hpp"
#include "shrimp/parameters.hpp"
#include "threads/threads.hpp"

namespace shrimp {

namespace {

// In the inputs' own units; empty for inputs that no column looks at.
std::vector<Marginal> marginals_of_used(const Dictionary& dictionary, const ModelFrame& frame) {
  const std::vector<bool> used = used_inputs(dictionary, frame.inputs.size());
  const std::span<const std::size_t> levels =
      frame.rows.kinds ? frame.rows.kinds->levels : std::span<const std::size_t>();
  return unscale_marginals(marginals_of(frame.rows.X, frame.rows.weights, used, levels), frame.scaling);
}

// None where all inputs are numbers under their own names.
std::vector<InputColumn> special_columns(const std::vector<InputColumn>& columns) {
  const auto is_special = [](const InputColumn& column) {
    return column.kind != ColumnKind::number || column.part != InputColumn::Part::value;
  };
  return std::ranges::any_of(columns, is_special) ? columns : std::vector<InputColumn>();
}

double training_error(const ModelFrame& frame, const Dictionary& dictionary, const std::vector<double>& coefficients,
                      double constant) {
  Equations equations = EquationMaker(std::make_shared<Dictionary>(dictionary), frame.rows, false).all();
  for (std::size_t i = 0; i < equations.y.size(); ++i) {
    equations.y[i] -= constant * (equations.roots.empty() ? 1.0 : equations.roots[i]);
  }
  PathStep step;
  step.columns = all_columns(coefficients.size());
  step.coefficients = coefficients;
  return equations.mean_squared_error(step);
}

// Where the target has a form: its mean squared error and variance in its own units.
void tell_errors_in_own_units(const ModelFrame& frame, const Scaling& scaling, const Finished& fitted, Model& model) {
  const std::vector<double> sums = predict_sums(fitted, frame.rows.X);
  std::vector<double> own;
  double squares = 0.0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double weight = frame.rows.weights.empty() ? 1.0 : frame.rows.weights[i];
    // Under a link rows have the target itself in units of its mean.
    const bool as_it_is = has_link(frame.options.loss);
    const double y = (as_it_is ? frame.target_unit : 1.0) * frame.rows.y[i];
    squares +=
        weight * (as_it_is ? std::pow(y - target_value(scaling, sums[i]), 2) : own_squared_error(scaling, y, sums[i]));
    own.push_back(as_it_is ? y : own_target(scaling, y));
  }
  const double unit = scaling.target_scale * scaling.target_scale;
  const double variance = weighted_variance(own, frame.rows.weights);
  model.results["train_mse"] = unit * squares / frame.rows.total_weight();
  if (!(variance > 0.0)) return;
  model.results["train_r2"] = 1.0 - model.results["train_mse"] / variance;
  if (model.results.contains("validation_mse")) {
    model.results["validation_r2"] = 1.0 - model.results["validation_mse"] / variance;
  }
}

}  // namespace

Model build_model(const ModelFrame& frame, Dictionary dictionary, std::vector<double> coefficients, double constant,
                  double validation_mse, std::optional<double> train_mse, std::optional<double> target_correction) {
  const ThreadScope scope(frame.options.machine.threads);  // An observer may call from a thread of its own.
  Model model;
  model.inputs = frame.inputs;
  model.columns = special_columns(frame.columns);
  model.target = frame.target;
  model.scaling = frame.scaling;
  if (target_correction) model.scaling.target_correction = *target_correction;
  model.scaling.target_mean += frame.scaling.target_scale * constant;
  for (const Parameter& parameter : fit_parameters()) {
    const std::string value = parameter.get(frame.options);
    if (parameter.name == "method") model.method = value;
    if (parameter.shapes_model) model.options[std::string(parameter.name)] = value;
  }
  model.given = frame.given;
  if (frame.validated_by_file) model.options["validation"] = "file";
  if (!frame.exposure.empty()) model.options["exposure"] = frame.exposure;
  model.classes = frame.classes;
  model.marginals = marginals_of_used(dictionary, frame);
  TermShares shares = make_terms(dictionary, scale_marginals(model.marginals, frame.scaling), frame.rows.X,
                                 frame.rows.weights, coefficients);
  model.terms = without_what_the_sample_made(std::move(shares.terms), frame.rows.size());
  if (shares.above_three) model.results["fraction_above_order_three"] = *shares.above_three;
  if (shares.covariance) model.results["covariance_fraction"] = *shares.covariance;
  const double unit = frame.scaling.target_scale * frame.scaling.target_scale;
  model.results["rows"] = static_cast<double>(frame.rows.size());
  model.results["train_mse"] =
      unit * (train_mse ? *train_mse : training_error(frame, dictionary, coefficients, constant));
  if (std::isfinite(validation_mse)) model.results["validation_mse"] = validation_mse;
  // Both beside the variance of the rows that were fitted.
  if (const double variance = unit * weighted_variance(frame.rows.y, frame.rows.weights); variance > 0.0) {
    model.results["train_r2"] = 1.0 - model.results["train_mse"] / variance;
    if (std::isfinite(validation_mse)) model.results["validation_r2"] = 1.0 - validation_mse / variance;
  }
  if (frame.scaling.target_form != TargetForm::identity) {
    Scaling scaling = frame.scaling;
    scaling.target_correction = model.scaling.target_correction;
    Finished fitted;
    fitted.dictionary = dictionary.subset(all_columns(dictionary.columns()));
    fitted.coefficients = coefficients;
    fitted.constant = constant;
    tell_errors_in_own_units(frame, scaling, fitted, model);
  }
  forget_unused_forms(model.scaling, dictionary);
  dictionary.marginals = std::make_shared<const std::vector<Marginal>>(scale_marginals(model.marginals, model.scaling));
  model.dictionary = std::move(dictionary);
  model.coefficients = std::move(coefficients);
  return model;
}

}  // namespace shrimp

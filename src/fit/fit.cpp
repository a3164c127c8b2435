#include "shrimp/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <set>

#include "data/blocks.hpp"
#include "data/encode.hpp"
#include "data/marginals.hpp"
#include "data/row_weights.hpp"
#include "data/standardize.hpp"
#include "data/target_form.hpp"
#include "data/wild_values.hpp"
#include "fit/autocorrelation.hpp"
#include "fit/check.hpp"
#include "fit/dependence.hpp"
#include "fit/device_choice.hpp"
#include "fit/fit_by_loss.hpp"
#include "fit/fit_classes.hpp"
#include "fit/forms.hpp"
#include "fit/grow_and_prune.hpp"
#include "fit/long_fit.hpp"
#include "fit/own_units.hpp"
#include "fit/p_values.hpp"
#include "fit/search_options.hpp"
#include "fit/selection.hpp"
#include "fit/storage.hpp"
#include "fit/uncertainty.hpp"
#include "fit/uncertainty_by_loss.hpp"
#include "methods/method.hpp"
#include "objective/objective.hpp"
#include "ridge/intercept.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/methods.hpp"
#include "shrimp/parameters.hpp"
#include "threads/stop.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// Predictions stay within the range of the target and a margin.
void limit_target(Scaling& scaling, const ModelFrame& frame) {
  const double margin = *frame.options.terms.clip * (frame.highest_target - frame.lowest_target);
  scaling.target_lowest = own_target(frame.scaling, frame.lowest_target - margin);
  scaling.target_highest = own_target(frame.scaling, frame.highest_target + margin);
}

// Whether the covariance between terms is more than a sample of independent inputs has.
void add_dependence(Model& model, const ModelFrame& frame) {
  std::set<std::uint32_t> inputs;
  for (const Term& term : model.terms) inputs.insert(term.variables.begin(), term.variables.end());
  const std::optional<double> p =
      independence_p_value(frame.rows, std::vector(inputs.begin(), inputs.end()), frame.options.seed);
  if (p) model.results["independence_p_value"] = *p;
}

// Alerts: printed even under --quiet, because the model may be useless.
std::vector<std::string> alerts_of(const Model& model, const ModelFrame& frame, bool is_out_of_time) {
  if (frame.lowest_target == frame.highest_target) {
    return {fmt::format("target \"{}\" has the same value in every row; the model is this constant.", model.target)};
  }
  if (!model.coefficients.empty()) return {};
  if (is_out_of_time) {
    return {
        fmt::format("the model has no terms: the time budget ended the search before an effect on \"{}\" was "
                    "detected, so all predictions are equal. Give more seconds.",
                    model.target)};
  }
  return {fmt::format("the model has no terms: no effect on \"{}\" was detected, so all predictions are equal.",
                      model.target)};
}

}  // namespace

namespace {

// Error and size of the model of low order that a kernel term replaced.
void add_low_order(FitResult& result, const ModelFrame& frame, Choice& choice) {
  if (!choice.low_order || choice.low_order->coefficients.empty()) return;  // A constant is no alternative.
  result.model.results["readable_mse"] = std::pow(frame.target_unit, 2) * choice.low_order->error;
  result.model.results["readable_max_order"] = choice.low_order->orders.back();
  if (frame.options.loss != Loss::squared) {
    const std::string metric(objective_of(frame.options.loss).metric.key);
    result.model.results["readable_" + metric] = choice.low_order->results.at("validation_" + metric);
  }
  if (frame.more) return;  // Its coefficients are those of the rows that were searched alone.
  result.readable = make_result(frame, std::move(*choice.low_order)).model;
  result.model.results["readable_basis_functions"] = static_cast<double>(result.readable->coefficients.size());
  result.model.results["readable_terms"] = static_cast<double>(result.readable->terms.size());
}

}  // namespace

FitResult make_result(const ModelFrame& frame, Choice choice) {
  const double unit = frame.target_unit * frame.target_unit;
  FitResult result;
  if (frame.device != nullptr && has_work_for_device(frame.rows.size(), frame.options))
    result.device = frame.device->name();
  result.warnings = std::move(choice.warnings);
  result.order = choice.orders;
  result.prune_rate = choice.rate;
  result.ridge = choice.ridge;
  result.penalty = choice.penalty;
  result.converged = choice.converged;
  result.duality_gap = choice.duality_gap;
  result.features_drawn = choice.features_drawn;
  result.basis_functions_drawn = choice.basis_functions_drawn;
  result.validation_mse = unit * choice.error;
  if (choice.standard_error) result.validation_se = unit * *choice.standard_error;
  result.chosen = choice.step;
  result.path = std::move(choice.records);
  for (PathRecord& record : result.path) {
    record.train_mse *= unit;
    record.validation_mse *= unit;
    if (record.test_mse) *record.test_mse *= unit;
  }
  result.model = build_model(frame, std::move(choice.dictionary), std::move(choice.coefficients), choice.constant,
                             result.validation_mse, choice.train_mse, choice.target_correction);
  const Objective& objective = objective_of(frame.options.loss);
  const bool is_squared = frame.options.loss == Loss::squared;
  const bool by_sums = method_named(frame.options.method).refits_by_sums && objective.updates_by_steps;
  if (by_sums) {
    // Under a log link, of targets in their own units.
    const double unit_of_loss = objective.link == TargetForm::log
                                    ? std::pow(frame.target_unit, objective.degree(loss_function(frame).parameters()))
                                    : 1.0;
    result.model.penalty = penalty_of(result.model.dictionary, unit_of_loss * choice.ridge, choice.scales);
  }
  const bool is_identity = frame.scaling.target_form == TargetForm::identity;
  const FittedRows fitted{frame.rows,
                          choice.fitted_weight.value_or(frame.rows.total_weight()),
                          method_named(frame.options.method).candidates == nullptr,
                          is_identity ? result.model.results["train_mse"] / unit : 0.0,
                          by_sums && is_squared,
                          result.model.penalty};
  result.model.uncertainty = has_link(frame.options.loss) ? uncertainty_by_loss(result.model, frame, choice)
                                                          : uncertainty_of(result.model, fitted, choice.left_out);
  if (choice.limits_target && frame.options.terms.clip) limit_target(result.model.scaling, frame);
  add_p_values(result.model, frame, choice);
  add_dependence(result.model, frame);
  std::map<std::string, double>& results = result.model.results;
  if (result.validation_se) results["validation_se"] = *result.validation_se;
  results.insert(choice.results.begin(), choice.results.end());
  result.train_mse = results["train_mse"];
  results["features_drawn"] = static_cast<double>(result.features_drawn);
  results["basis_functions_drawn"] = static_cast<double>(result.basis_functions_drawn);
  results["pruning_rate"] = result.prune_rate;
  results["ridge"] = result.ridge;
  if (result.penalty > 0.0) results["penalty"] = result.penalty;
  results["step"] = static_cast<double>(result.chosen);
  results["lowest_order"] = result.order.front();
  results["highest_order"] = result.order.back();
  const bool is_out_of_time = std::ranges::find(result.warnings, seconds_are_over_warning) != result.warnings.end();
  result.alerts = alerts_of(result.model, frame, is_out_of_time);
  add_low_order(result, frame, choice);
  const Method& method = method_named(frame.options.method);
  if (method.has_a_column_for_every_row && choice.rank < result.model.coefficients.size()) {
    result.warnings.push_back(
        fmt::format("the kernel matrix is singular (rank {} for {} rows); the minimum-norm solution was used.",
                    choice.rank, result.model.coefficients.size()));
  }
  return result;
}

namespace {

// What differs from what it would be if nothing were said.
std::map<std::string, std::string> options_given(const FitOptions& options) {
  std::map<std::string, std::string> given;
  for (const Parameter& parameter : fit_parameters()) {
    const std::string value = parameter.get(options);
    if (parameter.shapes_model && value != parameter.get(FitOptions())) given[std::string(parameter.name)] = value;
  }
  return given;
}

/// `judging` rows have to have the target's form, too.
FormOptions form_options(const FitOptions& options, std::span<const Dataset* const> judging,
                         const FitObserver& observer, std::chrono::steady_clock::time_point began) {
  constexpr double share_of_seconds = 0.25;  // Chosen by hand: terms say more than transforms do.
  FormOptions forms;
  // Forms are judged by squares of 0 and 1, or of counts, which ask for bounded inputs where the link is what bounds.
  forms.choose_inputs = options.terms.warps_inputs && options.standardize && !has_link(options.loss);
  forms.target = options.loss == Loss::squared ? options.terms.target_form : TargetForm::identity;
  for (const Dataset* data : judging) {
    const bool is_positive = data == nullptr || can_take_form(data->y, TargetForm::log);
    if (!is_positive && !forms.target) forms.target = TargetForm::identity;
  }
  forms.seed = options.seed;
  forms.is_over = [&observer, began, seconds = options.terms.budget_seconds] {
    if (observer.stop != nullptr && observer.stop->load()) throw Interrupted();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began;
    return seconds > 0.0 && elapsed.count() > share_of_seconds * seconds;
  };
  return forms;
}

}  // namespace

namespace {

std::size_t count_rows(const Dataset& train, const Dataset* validation, const Dataset* test) {
  return train.y.size() + (validation != nullptr ? validation->y.size() : 0) + (test != nullptr ? test->y.size() : 0);
}

std::shared_ptr<const InputKinds> kinds_of(const Dataset& data, const Rows& rows) {
  InputKinds kinds;
  for (const InputColumn& column : data.columns) kinds.levels.push_back(column.levels.size());
  kinds.marginals = marginals_of(rows.X, rows.weights, {}, kinds.levels);
  return std::make_shared<const InputKinds>(std::move(kinds));
}

}  // namespace

namespace {

// Classes are named by their numbers.
std::vector<std::string> numbered_classes(std::span<const double> y, Loss loss) {
  std::vector<std::string> names;
  if (loss != Loss::logistic && loss != Loss::multinomial) return names;
  const double last = loss == Loss::logistic ? 1.0 : *std::ranges::max_element(y);
  for (double k = 0.0; k <= last; ++k) names.push_back(fmt::format("{:.0f}", k));
  return names;
}

}  // namespace

std::shared_ptr<ModelFrame> frame_of(const Dataset& train, const FitOptions& options, const Dataset* validation,
                                     const Dataset* test, const FitObserver& observer) {
  const bool grows = method_named(options.method).candidates == nullptr;
  auto frame = std::make_shared<ModelFrame>();
  frame->options = complete_options(options, train.inputs.size());
  frame->device = choose_device(frame->options);
  frame->stores_A = frame->device != nullptr && !grows
                        ? options.machine.storage != Storage::recompute  // It is the device's memory that counts.
                        : choose_storage(count_rows(train, validation, test), train.inputs.size(), frame->options);
  frame->inputs = train.inputs;
  frame->columns = train.columns;
  frame->target = train.target;
  frame->scaling = options.standardize ? standardizing(train) : Scaling::none(train.inputs.size());
  const TargetForm link = objective_of(options.loss).link;
  if (has_link(options.loss)) {
    frame->scaling.target_mean = 0.0;
    // Under a log link the constant of the fit is the logarithm of a unit: the mean, so that no result depends on it.
    frame->scaling.target_scale = link == TargetForm::log ? weighted_mean(train.y, train.weights) : 1.0;
  }
  if (grows) {
    const Forms forms =
        choose_forms(train, form_options(options, std::array{validation, test}, observer, frame->began));
    if (!forms.inputs.empty()) warp_inputs(frame->scaling, train, forms.inputs);
    if (forms.target != TargetForm::identity) form_target(frame->scaling, train, forms.target);
  }
  frame->target_unit = frame->scaling.target_scale;
  if (grows && options.terms.clip) limit_inputs(frame->scaling, train.X, *options.terms.clip);
  frame->given = options_given(options);
  frame->orders_upward = options.orders.empty();
  frame->validated_by_file = validation != nullptr;
  frame->rows = scale(train, frame->scaling);
  frame->rows.in_order = options.choice.blocks;
  frame->rows.kinds = kinds_of(train, frame->rows);
  const auto [lowest, highest] = std::ranges::minmax(frame->rows.y);
  frame->lowest_target = lowest;
  frame->highest_target = highest;
  frame->classes = train.classes;
  if (frame->classes.empty()) frame->classes = numbered_classes(train.y, options.loss);
  frame->exposure = train.exposure_column;
  frame->exposure_of_weight = train.exposure_of_weight;
  if (link != TargetForm::identity) {
    frame->scaling.target_form = link;
    frame->scaling.target_scale = 1.0;
    frame->scaling.target_mean = link == TargetForm::log ? std::log(frame->target_unit) : 0.0;
    frame->scaling.target_correction = link == TargetForm::log ? 1.0 : 0.0;
  }
  return frame;
}

namespace {

void copy_baselines(FitResult& result) {
  for (const auto& [name, value] : result.model.results) {
    if (result.readable && name.starts_with("baseline_")) result.readable->results[name] = value;
  }
}

FitResult fit_checked(const Dataset& train, const FitOptions& options, const Dataset* validation, const Dataset* test,
                      const FitObserver& observer) {
  const auto frame = frame_of(train, options, validation, test, observer);
  std::optional<Rows> judged;
  std::optional<Rows> tested;
  Scaling scaling = frame->scaling;
  if (has_link(options.loss)) {
    scaling.target_form = TargetForm::identity;
    scaling.target_mean = 0.0;
    scaling.target_scale = frame->target_unit;
  }
  if (validation != nullptr) judged = scale(rates_of(*validation), scaling);
  if (test != nullptr) tested = scale(rates_of(*test), scaling);
  const Rows* const judging_rows = judged ? &*judged : nullptr;
  const Rows* const test_rows = tested ? &*tested : nullptr;
  if (options.loss == Loss::multinomial) return fit_by_classes(frame, judging_rows, observer);
  const bool grows = method_named(options.method).candidates == nullptr;
  Choice choice = options.loss != Loss::squared ? fit_by_loss(frame, judging_rows, test_rows, observer)
                  : grows                       ? grow_and_prune(frame, judging_rows, test_rows, observer)
                                                : select(frame, judging_rows, test_rows, observer);
  const HeldOutParts held_out = choice.held_out;
  FitResult result = make_result(*frame, std::move(choice));
  const std::optional<Dataset> rates = validation != nullptr ? std::optional(rates_of(*validation)) : std::nullopt;
  add_baselines(train, held_out, rates ? &*rates : nullptr, options, result.model.results);
  copy_baselines(result);
  return result;
}

double sum_of_weights(const Dataset& data) {
  if (data.weights.empty()) return static_cast<double>(data.y.size());
  return std::accumulate(data.weights.begin(), data.weights.end(), 0.0);
}

// Rows that are not what they were given as: in blocks, or fewer because some are copies of others. Blocks come first,
// for their order is the rows'; none where the rows are to be fitted as they are.
std::optional<Dataset> rearrange(const Dataset& train, bool are_rates, const FitOptions& options) {
  if (!options.choice.blocks && !has_repeated_rows(train)) return std::nullopt;
  Dataset rows = train;
  if (options.choice.blocks) rows.groups = consecutive_blocks(train.y, options.choice.folds);
  rows = merge_repeated_rows(std::move(rows));
  rows.exposure_of_weight *= sum_of_weights(train) / sum_of_weights(rows);  // Merged weights are relative.
  // A rate is one observation, whatever it was counted over, which is its weight.
  return are_rates ? rows : repeat_observations(std::move(rows));
}

// Number of rows before equal rows were merged. Whole-number weights count repetitions, so that a weight of 2 and the
// same row twice give the same model file.
double count_given_rows(const Dataset& train, const Dataset& merged, bool are_rates) {
  const auto is_whole = [](double weight) { return weight == std::floor(weight); };
  if (!are_rates && std::ranges::all_of(merged.weights, is_whole)) {
    return merged.weights.empty() ? static_cast<double>(merged.y.size())
                                  : std::accumulate(merged.weights.begin(), merged.weights.end(), 0.0);
  }
  return static_cast<double>(count_weighted_rows(train));
}

// Of rates they are for an exposure of 1; told is what a row has.
void tell_deviances_of_counts(const Dataset& counts, std::map<std::string, double>& results) {
  double exposure = 0.0;
  double total = 0.0;
  for (std::size_t i = 0; i < counts.y.size(); ++i) {
    const double weight = counts.weights.empty() ? 1.0 : counts.weights[i];
    exposure += weight * counts.exposure[i];
    total += weight;
  }
  for (const char* name : {"train_deviance", "validation_deviance", "validation_deviance_se", "baseline_mean_deviance",
                           "baseline_linear_deviance"}) {
    if (const auto found = results.find(name); found != results.end()) found->second *= exposure / total;
  }
}

}  // namespace

namespace {

std::optional<Dataset> encode_like(const Dataset& train, const Dataset* data) {
  return data == nullptr ? std::nullopt : std::optional(encode(*data, train.inputs, train.columns));
}

// The same with the inputs of a model in the place of a table's columns.
FitResult fit_encoded(const Dataset& table, const FitOptions& options, const Dataset* validation, const Dataset* test,
                      const FitObserver& observer) {
  const Dataset train = encode_inputs(table);
  const std::optional<Dataset> judging = encode_like(train, validation);
  const std::optional<Dataset> testing = encode_like(train, test);
  FitResult result = fit(train, options, judging ? &*judging : nullptr, testing ? &*testing : nullptr, observer);
  const auto added = train.warnings.begin() + static_cast<std::ptrdiff_t>(table.warnings.size());
  result.warnings.insert(result.warnings.begin(), added, train.warnings.end());
  return result;
}

}  // namespace

FitResult fit(const Dataset& train, const FitOptions& options, const Dataset* validation, const Dataset* test,
              const FitObserver& observer) {
  const auto start = std::chrono::steady_clock::now();
  if (train.X.rows() == train.y.size() && needs_encoding(train)) {
    return fit_encoded(train, options, validation, test, observer);
  }
  check_fit(train, options, validation, test);
  if (validation == nullptr && test == nullptr && is_long(train.y.size(), train.inputs.size(), options)) {
    return fit(*blocks_of(train), options, observer);
  }
  const ThreadScope scope(threads_in_memory(count_rows(train, validation, test), train.inputs.size(), options));
  const StopScope stoppable(observer.stop);
  const std::optional<Dataset> rates = train.exposure.empty() ? std::nullopt : std::optional(rates_of(train));
  const Dataset& given = rates ? *rates : train;
  const std::optional<Dataset> rearranged = rearrange(given, rates.has_value(), options);
  const Dataset& rows = rearranged ? *rearranged : given;
  check_groups(rows, options);
  FitResult result = fit_checked(rows, options, validation, test, observer);
  if (rates) tell_deviances_of_counts(train, result.model.results);
  if (rearranged) {
    const double count = count_given_rows(train, *rearranged, rates.has_value());
    if (count != result.model.results["rows"]) {
      result.model.results["rows_given"] = count;
      if (result.class_model) result.class_model->shared.results["rows_given"] = count;
      if (result.readable) result.readable->results["rows_given"] = count;
    }
  }
  result.threads = thread_count(0);
  for (std::string& warning : device_warnings(rows.y.size(), rows.inputs.size(), options))
    result.warnings.push_back(std::move(warning));
  for (std::string& warning : ignored_option_warnings(options)) result.warnings.push_back(std::move(warning));
  for (std::string& warning : constant_column_warnings(rows)) result.warnings.push_back(std::move(warning));
  for (std::string& alert : wild_value_warnings(train)) result.alerts.insert(result.alerts.begin(), std::move(alert));
  if (!rearranged && train.groups.empty() && validation == nullptr && !result.class_model) {
    const std::string warning = autocorrelation_warning(result.model, given, options.machine.threads);
    if (!warning.empty()) result.warnings.push_back(warning);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace shrimp

#include "report/fit_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "data/loss.hpp"
#include "model/model_loss.hpp"
#include "report/words.hpp"

namespace shrimp::report {
namespace {

std::pair<const char*, const char*> metric_of(Loss loss) {
  switch (loss) {
    case Loss::squared:
      return {"RMSE", "mse"};
    case Loss::logistic:
    case Loss::multinomial:
      return {"log loss", "log_loss"};
    case Loss::poisson:
      return {"deviance", "deviance"};
    case Loss::huber:
      return {"Huber loss", "huber_loss"};
  }
  return {"", ""};
}

// Folds that choose the terms of a simplified model also estimate its error.
bool uses_other_rows(const Model& model) {
  if (model.results.contains("simplified_from")) return false;
  const auto quick = model.options.find("quick-error");
  return quick != model.options.end() && quick->second != "true";
}

}  // namespace

FitErrors fit_errors(const Model& model) {
  const bool is_squared = loss_of(model) == Loss::squared;
  FitErrors errors;
  std::tie(errors.metric, errors.key) = metric_of(loss_of(model));
  // A model that was refitted from sufficient statistics has errors on the scale that was fitted.
  const std::string form = std::isnan(result_of(model, "transformed_train_mse")) ? "" : "transformed_";
  const auto value_of = [&](const std::string& kind) {
    const double value = result_of(model, form + kind + "_" + errors.key);
    return is_squared ? std::sqrt(value) : value;
  };
  errors.estimated = value_of("validation");
  errors.training = value_of("train");
  errors.constant = value_of("baseline_mean");
  errors.linear = value_of("baseline_linear");
  errors.standard_error = result_of(model, form + (is_squared ? "validation_se" : "validation_" + errors.key + "_se"));
  if (is_squared) {
    errors.standard_error /= 2.0 * errors.estimated;  // Of the root, by the delta method.
    errors.r2 = result_of(model, form + "validation_r2");
    errors.training_r2 = result_of(model, form + "train_r2");
  }
  errors.is_independent = std::isfinite(errors.standard_error) && uses_other_rows(model);
  if (!form.empty() && model.scaling.target_form != TargetForm::identity) {
    errors.metric += " of " + fitted_target(model);
  }
  return errors;
}

BaselineNames baseline_names(const Model& model) {
  switch (loss_of(model)) {
    case Loss::logistic:
      return {"constant probability", "logistic regression"};
    case Loss::poisson:
      return {"constant rate", "Poisson regression"};
    case Loss::huber:
      return {"constant", "linear model"};
    case Loss::multinomial:
      return {"constant probabilities", "linear model"};
    case Loss::squared:
      break;
  }
  return {"mean", "linear model"};
}

std::optional<ReadableModel> readable_model(const Model& model) {
  const FitErrors errors = fit_errors(model);
  const double error = result_of(model, "readable_" + errors.key);
  if (std::isnan(error)) return std::nullopt;
  ReadableModel readable;
  readable.metric = errors.metric;
  readable.error = loss_of(model) == Loss::squared ? std::sqrt(error) : error;
  readable.max_order = static_cast<int>(result_of(model, "readable_max_order"));
  readable.increase = readable.error / errors.estimated - 1.0;
  return readable;
}

std::string increase_text(const ReadableModel& readable) {
  if (readable.increase >= 1.0) return fmt::format("{:.1f} times as large", 1.0 + readable.increase);
  const double percent = std::round(100.0 * readable.increase);
  if (percent == 0.0) return "equal";
  return fmt::format("{:.0f} % {}", std::abs(percent), percent > 0.0 ? "more" : "less");
}

bool is_above_order_three(const Model& model, const Term& term) {
  constexpr std::size_t most_inputs_of_a_component = 4;
  return term.variables.size() > most_inputs_of_a_component && model.results.contains("fraction_above_order_three");
}

std::optional<WideTerms> wide_terms(const Model& model) {
  double fraction = 0.0;
  bool any = false;
  for (const Term& term : model.terms) {
    if (!is_above_order_three(model, term)) continue;
    any = true;
    fraction += term.fraction;
  }
  if (!any) return std::nullopt;
  const double above = std::min(fraction, result_of(model, "fraction_above_order_three"));
  return WideTerms{above, fraction - above};
}

std::string p_value_text(const Term& term) {
  constexpr double smallest = 1e-9;
  if (!term.p_value) return "";
  return *term.p_value < smallest ? "< 1e-9" : fmt::format("{:.1g}", *term.p_value);
}

}  // namespace shrimp::report

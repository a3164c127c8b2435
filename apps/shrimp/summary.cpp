#include "summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <vector>

#include "data/scores.hpp"
#include "data/target_form.hpp"
#include "data/warp.hpp"
#include "model/formula.hpp"
#include "model/model_loss.hpp"
#include "report/fit_errors.hpp"
#include "shrimp/effects.hpp"
#include "shrimp/intervals.hpp"
#include "text.hpp"

namespace shrimp::cli {

std::string bar(double share) {
  constexpr double width = 20.0;
  const auto length = static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * width));
  return std::string(length, '#');
}

namespace {

constexpr std::size_t label_width = 19;

// Two spaces, a label, and text that is wrapped to its right; nothing if the text is empty.
std::string labelled(const char* label, const std::string& text) {
  if (text.empty()) return "";
  return fmt::format("  {:<{}}{}\n", label, label_width - 2, wrap(text, label_width, label_width));
}

bool is_standardized(const Model& model) {
  const auto as_they_are = model.options.find("no-standardize");
  return as_they_are == model.options.end() || as_they_are->second != "true";
}

std::string scaling_text(const Model& model) {
  if (!is_standardized(model)) return "none";
  if (loss_of(model) == Loss::multinomial) return "inputs to mean 0 and variance 1";
  if (has_link(loss_of(model))) {
    return fmt::format("inputs to mean 0 and variance 1 ({} = {:.4g} + the sum of basis functions)",
                       fitted_target(model), model.scaling.target_mean);
  }
  return fmt::format(
      "inputs and target to mean 0 and variance 1 ({} = {:.4g} + {:.4g} times the sum of basis functions)",
      fitted_target(model), model.scaling.target_mean, model.scaling.target_scale);
}

std::string input_scaling_text(const Model& model, std::size_t j) {
  const bool as_it_is = warp_of(model.scaling, j).kind == Warp::Kind::none;
  return fmt::format("{:{}}{}: mean {:.4g}, standard deviation {:.4g}\n", "", label_width,
                     as_it_is ? model.inputs[j] : formula_input(model, j), model.scaling.input_mean[j],
                     model.scaling.input_scale[j]);
}

// "x1, x4 by rank; x2 by logarithm"
std::string forms_text(const Model& model) {
  std::vector<std::string> parts;
  for (const auto& [form, words] : {std::pair("rank", "by rank"), std::pair("log", "by logarithm")}) {
    std::vector<std::string> names;
    for (const auto& [input, own] : input_forms(model)) {
      if (own == form) names.push_back(model.inputs[input]);
    }
    if (!names.empty()) parts.push_back(fmt::format("{} {}", fmt::join(names, ", "), words));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string target_form_text(const Model& model) {
  if (model.scaling.target_form == TargetForm::identity) return "";
  if (model.classes.size() == 2) {
    return fmt::format("classes {} and {}; predictions are probabilities of {}; terms refer to its log odds",
                       model.classes[0], model.classes[1], model.classes[1]);
  }
  if (loss_of(model) == Loss::poisson) {
    const std::string over = exposure_of(model);
    return fmt::format("counts{}; predictions are rates{}; terms refer to the logarithm of the rate",
                       over.empty() ? "" : " over " + over, over.empty() ? "" : fmt::format(" for {} of 1", over));
  }
  return fmt::format("fitted as {0}, to which terms refer; predictions and errors refer to {1}", fitted_target(model),
                     model.target);
}

// "82.2 % ± 0.3": the standard error is half the width of the 90 % interval, divided by its normal quantile.
std::string variance_text(const Term& term, const FractionInterval& interval) {
  constexpr double normal_quantile = 1.6449;
  constexpr double rounds_to_zero = 0.05;
  std::string text = fmt::format("{:.1f} %", 100.0 * term.fraction);
  if (!interval) return text;
  const double standard_error = 100.0 * (interval->second - interval->first) / (2.0 * normal_quantile);
  if (standard_error < rounds_to_zero) return text;
  return text + fmt::format(" ± {:.1f}", standard_error);
}

// Pads with spaces on the right.
std::string left_aligned(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, display_width(text)), ' ');
}

// Rows of cells; columns are as wide as their widest cell, and numbers end in line where they begin alike.
std::string table_text(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], display_width(row[k]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k) line += "  " + left_aligned(row[k], widths[k]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string small_percent(double fraction) {
  constexpr double rounds_to_zero = 5e-4;
  return fraction < rounds_to_zero ? "< 0.1 %" : fmt::format("{:.1f} %", 100.0 * fraction);
}

// "… and 3 more terms, 0.2 % in all", and the fraction of variance of a kernel term's interactions.
std::string rest_text(std::size_t hidden, double rest, const std::optional<report::WideTerms>& wide) {
  constexpr double rounds_to_zero = 5e-4;
  std::string text;
  if (wide) rest += wide->others;
  if (hidden > 0) {
    text = fmt::format("  … and {} more term{}, {} in all\n", hidden, hidden == 1 ? "" : "s", small_percent(rest));
  } else if (rest >= rounds_to_zero) {
    text = fmt::format("  … and small interactions, {} in all\n", small_percent(rest));
  }
  if (wide) text += fmt::format("  interactions above order 3: {}\n", small_percent(wide->above_order_three));
  return text;
}

std::string terms_table(const Model& model, bool all) {
  constexpr std::size_t most = 20;
  constexpr double least = 0.001;
  // The intervals of more basis functions take several seconds.
  constexpr std::size_t most_basis_functions = 1000;
  const std::vector<FractionInterval> intervals = model.coefficients.size() <= most_basis_functions
                                                      ? intervals_of_fractions(model)
                                                      : std::vector<FractionInterval>(model.terms.size());
  const std::vector<std::string> effects = term_effects(model);
  std::vector<std::size_t> shown;
  std::size_t hidden = 0;
  double rest = 0.0;
  for (std::size_t k = 0; k < model.terms.size(); ++k) {
    const Term& term = model.terms[k];
    if (report::is_above_order_three(model, term)) continue;
    if (all || (shown.size() < most && term.fraction >= least)) {
      shown.push_back(k);
    } else {
      ++hidden;
      rest += term.fraction;
    }
  }
  const bool has_p_values =
      std::ranges::any_of(shown, [&](std::size_t k) { return model.terms[k].p_value.has_value(); });
  std::size_t digits = 0;  // Before and after the decimal point of the largest fraction.
  for (const std::size_t k : shown)
    digits = std::max(digits, fmt::format("{:.1f}", 100.0 * model.terms[k].fraction).size());
  std::vector<std::vector<std::string>> rows = {{"term", "variance"}};
  if (has_p_values) rows.front().emplace_back("p-value");
  rows.front().emplace_back("effect");
  for (const std::size_t k : shown) {
    const Term& term = model.terms[k];
    const std::size_t own = fmt::format("{:.1f}", 100.0 * term.fraction).size();
    rows.push_back({model.short_term_name(term), std::string(digits - own, ' ') + variance_text(term, intervals[k])});
    if (has_p_values) rows.back().push_back(report::p_value_text(term));
    rows.back().push_back(effects[k]);
  }
  std::string text = shown.empty() ? "" : table_text(rows);
  return text + rest_text(hidden, rest, report::wide_terms(model));
}

// Nothing if terms vary independently, or nearly so.
std::string covariance_text(const Model& model) {
  const double fraction = report::notable_covariance(model);
  if (fraction == 0.0) return "";
  return fmt::format(
      "{:.0f} % of the variance is covariance between terms of dependent inputs. The fractions exclude "
      "it; shrimp sensitivity --data includes it.",
      100.0 * fraction);
}

std::string error_text(const report::FitErrors& errors, const Model& model) {
  std::string text = fmt::format("{} {:.3g}", errors.metric, errors.estimated);
  if (std::isfinite(errors.standard_error)) text += fmt::format(" ± {:.1g}", errors.standard_error);
  std::vector<std::string> others;
  const report::BaselineNames names = report::baseline_names(model);
  if (std::isfinite(errors.constant)) others.push_back(fmt::format("{} {:.3g}", names.constant, errors.constant));
  if (std::isfinite(errors.linear)) others.push_back(fmt::format("{} {:.3g}", names.linear, errors.linear));
  if (!others.empty()) text += fmt::format(" ({})", fmt::join(others, ", "));
  if (std::isfinite(errors.r2)) text += fmt::format(", R² {}", r2_text(errors.r2));
  return text;
}

std::string training_text(const report::FitErrors& errors) {
  if (!std::isfinite(errors.training)) return "";
  std::string text = fmt::format("{} {:.3g}", errors.metric, errors.training);
  if (std::isfinite(errors.training_r2)) text += fmt::format(", R² {}", r2_text(errors.training_r2));
  return text;
}

std::string errors_text(const Model& model) {
  const report::FitErrors errors = report::fit_errors(model);
  if (!std::isfinite(errors.estimated)) return labelled("training error", training_text(errors));
  return labelled(errors.is_independent ? "estimated error" : "validation error", error_text(errors, model)) +
         labelled("training error", training_text(errors));
}

// Error of the model without kernel term, and how to get it.
std::string readable_text(const Model& model) {
  const std::optional<report::ReadableModel> readable = report::readable_model(model);
  if (!readable) return "";
  return fmt::format("{} {:.3g} ({}) without the kernel term: fit with --max-order {}", readable->metric,
                     readable->error, report::increase_text(*readable), readable->max_order);
}

// As one would type it.
std::string flag_text(const std::string& name, const std::string& value) {
  if (value == "true") return fmt::format("--{}", name);
  const bool plain = value.find_first_of(" \"'*|&;<>()$`\\#~") == std::string::npos;
  return plain ? fmt::format("--{} {}", name, value) : fmt::format("--{} '{}'", name, value);
}

std::string all_options_text(const Model& model) {
  std::vector<std::string> options;
  for (const auto& [name, value] : model.options) options.push_back(fmt::format("{} {}", name, value));
  return fmt::format("{}", fmt::join(options, ", "));
}

// "auto with --seed 3, 300 rows"
std::string method_text(const Model& model) {
  std::string text = model.method;
  if (model.given) {
    std::vector<std::string> flags;
    for (const auto& [name, value] : *model.given) {
      if (name != "method") flags.push_back(flag_text(name, value));
    }
    text += flags.empty() ? " (defaults)" : fmt::format(" with {}", fmt::join(flags, " "));
  }
  const double rows = report::fitted_rows(model);
  return std::isnan(rows) ? text : fmt::format("{}, {:.0f} row{}", text, rows, rows == 1.0 ? "" : "s");
}

// The number of basis functions before pruning.
std::string path_text(const Model& model) {
  const auto drawn = model.results.find("basis_functions_drawn");
  const auto step = model.results.find("step");
  if (drawn == model.results.end() || step == model.results.end()) return "";
  if (const auto penalty = model.results.find("penalty"); penalty != model.results.end()) {
    return labelled(model.method == "stlsq" ? "threshold" : "lambda",
                    fmt::format("{:.4g} on {:.0f} basis functions", penalty->second, drawn->second));
  }
  const auto rate = model.results.find("pruning_rate");
  const bool pruned =
      step->second > 0.0 && (model.method == "imp-linear" || rate == model.results.end() || rate->second > 0.0);
  if (!pruned) return labelled("selected", fmt::format("from {:.0f} basis functions", drawn->second));
  return labelled("pruned", fmt::format("from {:.0f} basis functions in {:.0f} step{}", drawn->second, step->second,
                                        step->second == 1.0 ? "" : "s"));
}

std::string simplified_text(const Model& model) {
  const double before = result_of(model, "simplified_from");
  return std::isnan(before) ? "" : labelled("simplified", fmt::format("from {:.0f} basis functions", before));
}

}  // namespace

std::string describe(const Model& model, bool all) {
  const auto count = [](std::size_t number, const char* noun) {
    return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
  };
  std::string text = fmt::format("{} from {}, {}, {}\n\n", model.target, count(model.inputs.size(), "input"),
                                 count(model.terms.size(), "term"), count(model.coefficients.size(), "basis function"));
  text += errors_text(model) + labelled("readable model", readable_text(model));
  text += labelled("target", target_form_text(model)) + labelled("method", method_text(model));
  if (!model.terms.empty()) text += "\n" + terms_table(model, all);
  std::string details = labelled("covariance", covariance_text(model)) + labelled("transforms", forms_text(model));
  details += path_text(model) + simplified_text(model);
  if (all) {
    details += labelled("scaling", scaling_text(model));
    for (std::size_t j = 0; is_standardized(model) && j < model.inputs.size(); ++j)
      details += input_scaling_text(model, j);
    details += labelled("options", all_options_text(model));
  }
  return details.empty() ? text : text + "\n" + details;
}

namespace {

// A line per term: its fraction of all variances, and of that of each class where the classes fit next to each other.
std::string class_terms_table(const ClassModel& model, bool all) {
  constexpr std::size_t most_terms = 20;
  constexpr std::size_t most_classes = 6;
  constexpr double least = 0.001;
  const bool shows_classes = all || model.classes.size() <= most_classes;
  std::vector<std::vector<std::string>> rows = {{"term", "variance"}};
  if (shows_classes) rows.front().insert(rows.front().end(), model.classes.begin(), model.classes.end());
  std::size_t hidden = 0;
  double rest = 0.0;
  for (std::size_t t = 0; t < model.shared.terms.size(); ++t) {
    const Term& term = model.shared.terms[t];
    if (!all && (rows.size() > most_terms || term.fraction < least)) {
      ++hidden;
      rest += term.fraction;
      continue;
    }
    rows.push_back({model.shared.short_term_name(term), fmt::format("{:5.1f} %", 100.0 * term.fraction)});
    for (std::size_t k = 0; shows_classes && k < model.classes.size(); ++k) {
      rows.back().push_back(fmt::format("{:5.1f} %", 100.0 * model.fractions[k][t]));
    }
  }
  return (rows.size() > 1 ? table_text(rows) : "") + rest_text(hidden, rest, report::wide_terms(model.shared));
}

}  // namespace

std::string describe(const ClassModel& model, bool all) {
  const Model& shared = model.shared;
  std::string text =
      fmt::format("{} from {} inputs, {} classes, {} terms, {} basis functions\n\n", shared.target,
                  shared.inputs.size(), model.classes.size(), shared.terms.size(), shared.dictionary.columns());
  text += errors_text(shared);
  text += labelled("target", fmt::format("classes {}; predictions are their probabilities; terms refer to the linear "
                                         "predictors of the softmax",
                                         fmt::join(model.classes, ", ")));
  text += labelled("method", method_text(shared));
  if (!shared.terms.empty()) text += "\n" + class_terms_table(model, all);
  if (!all) return text;
  text += "\n" + labelled("scaling", scaling_text(shared));
  for (std::size_t j = 0; is_standardized(shared) && j < shared.inputs.size(); ++j)
    text += input_scaling_text(shared, j);
  return text + labelled("options", all_options_text(shared));
}

std::vector<FractionInterval> intervals_of_fractions(const Model& model) {
  std::vector<FractionInterval> none(model.terms.size());
  if (!knows_coefficients(model) || model.marginals.empty()) return none;
  try {
    return fraction_intervals(model, sensitivity(model));
  } catch (const std::invalid_argument&) {  // Too many components, or integrals without a closed form.
    return none;
  }
}

Json terms_json(const Model& model) {
  const std::vector<std::string> effects = term_effects(model);
  Json terms = Json::array();
  for (const Term& term : model.terms) {
    std::vector<std::string> names;
    for (const std::uint32_t variable : term.variables) names.push_back(model.inputs[variable]);
    const Json p_value = term.p_value ? Json(*term.p_value) : Json(nullptr);
    terms.push_back({{"variables", names},
                     {"basis_functions", term.basis_functions},
                     {"fraction", term.fraction},
                     {"p_value", p_value},
                     {"effect", effects[terms.size()]}});
  }
  return terms;
}

Json terms_json(const ClassModel& model) {
  Json terms = Json::array();
  for (std::size_t t = 0; t < model.shared.terms.size(); ++t) {
    const Term& term = model.shared.terms[t];
    std::vector<std::string> names;
    for (const std::uint32_t variable : term.variables) names.push_back(model.shared.inputs[variable]);
    Json fractions = Json::object();
    for (std::size_t k = 0; k < model.classes.size(); ++k) fractions[model.classes[k]] = model.fractions[k][t];
    terms.push_back({{"variables", names},
                     {"basis_functions", term.basis_functions},
                     {"fraction", term.fraction},
                     {"fractions", fractions}});
  }
  return terms;
}

Json forms_json(const Model& model) {
  Json forms = Json::object();
  for (const auto& [input, form] : input_forms(model)) forms[model.inputs[input]] = form;
  return forms;
}

std::string target_form_name(const Model& model) { return std::string(name_of(model.scaling.target_form)); }

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace shrimp::cli

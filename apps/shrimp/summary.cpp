#include "summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "data/loss.hpp"
#include "data/scores.hpp"
#include "data/target_form.hpp"
#include "data/warp.hpp"
#include "model/formula.hpp"
#include "model/model_loss.hpp"
#include "text.hpp"

namespace shrimp::cli {

std::string bar(double share) {
  constexpr double width = 20.0;
  const auto length = static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * width));
  return std::string(length, '#');
}

namespace {

constexpr std::size_t label_width = 12;

// A label of two spaces and ten columns, and lines beside it; nothing where there is nothing to say.
std::string labelled(const char* label, const std::string& text) {
  if (text.empty()) return "";
  return fmt::format("  {:<{}}{}\n", label, label_width - 2, wrap(text, label_width, label_width));
}

bool is_standardized(const Model& model) {
  const auto as_they_are = model.options.find("no-standardize");
  return as_they_are == model.options.end() || as_they_are->second != "true";
}

std::string scaling_text(const Model& model) {
  if (!is_standardized(model)) return "none: inputs and target as they are";
  if (has_link(loss_of(model))) {
    return fmt::format("inputs to mean 0 and variance 1 ({} = {:.4g} + the columns' sum)", fitted_target(model),
                       model.scaling.target_mean);
  }
  return fmt::format("inputs and target to mean 0 and variance 1 ({} = {:.4g} + {:.4g} times the columns' sum)",
                     fitted_target(model), model.scaling.target_mean, model.scaling.target_scale);
}

std::string input_scaling_text(const Model& model, std::size_t j) {
  const bool as_it_is = warp_of(model.scaling, j).kind == Warp::Kind::none;
  return fmt::format("{:{}}{}: mean {:.4g}, deviation {:.4g}\n", "", label_width,
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

// What a link's predictions are.
std::string target_form_text(const Model& model) {
  if (model.scaling.target_form == TargetForm::identity) return "";
  if (model.classes.size() == 2) {
    return fmt::format("two classes, {} and {}; predictions are the probability of {}; shares are of its log odds",
                       model.classes[0], model.classes[1], model.classes[1]);
  }
  if (loss_of(model) == Loss::poisson) {
    const std::string over = exposure_of(model);
    return fmt::format("counts{}; predictions are the rate{}; shares are of its logarithm",
                       over.empty() ? "" : " over " + over, over.empty() ? "" : fmt::format(" for {} of 1", over));
  }
  return fmt::format("fitted as {0}, predictions are means of {1}; shares are of {0}", fitted_target(model),
                     model.target);
}

std::string chance_text(const Term& term) {
  constexpr double surely_not = 1e-9;
  if (!term.p_value) return "";
  return *term.p_value < surely_not ? "< 1e-9" : fmt::format("{:.1g}", *term.p_value);
}

// Which terms' columns carry the effect of one that has none of its own.
std::string carried_by(const Model& model, const Term& term) {
  std::vector<std::string> carriers;
  for (const Term& other : model.terms) {
    if (other.basis_functions > 0 && std::ranges::includes(other.variables, term.variables)) {
      carriers.push_back(model.short_term_name(other));
    }
  }
  if (carriers.empty()) return "";
  return fmt::format("through {}{}", carriers.front(), carriers.size() > 1 ? ", …" : "");
}

std::string terms_table(const Model& model, bool all) {
  constexpr std::size_t most = 30;
  constexpr double least = 0.001;
  const auto small = std::ranges::find_if(model.terms, [](const Term& term) { return term.fraction < least; });
  const auto shown =
      std::span(model.terms)
          .first(all ? model.terms.size() : std::min(most, static_cast<std::size_t>(small - model.terms.begin())));
  std::size_t width = 4;
  for (const Term& term : shown) width = std::max(width, display_width(model.short_term_name(term)));
  const std::size_t bar_width = shown.empty() ? 0 : bar(shown.front().fraction).size();
  const bool chances = std::ranges::any_of(shown, [](const Term& term) { return term.p_value.has_value(); });
  std::string text = fmt::format("  {:<{}}  columns    share{}\n", "term", width, chances ? "   chance" : "");
  for (const Term& term : shown) {
    const std::string name = model.short_term_name(term);
    const bool carried = term.basis_functions == 0;
    std::string line = fmt::format("  {}{}  {:>7}  {:>5.1f} %", name, std::string(width - display_width(name), ' '),
                                   carried ? "-" : fmt::format("{}", term.basis_functions), 100.0 * term.fraction);
    if (chances) line += fmt::format("  {:>7}", chance_text(term));
    line += fmt::format("  {:<{}}  {}", bar(term.fraction), bar_width, carried ? carried_by(model, term) : "");
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  if (shown.size() < model.terms.size()) {
    double rest = 0.0;
    for (const Term& term : std::span(model.terms).subspan(shown.size())) rest += term.fraction;
    const std::size_t count = model.terms.size() - shown.size();
    text += fmt::format("  … and {} more term{}, {:.2g} % in all\n", count, count == 1 ? "" : "s", 100.0 * rest);
  }
  return text;
}

// Nothing where no column looks at more than three inputs.
std::string higher_text(const Model& model) {
  const double share = result_of(model, "fraction_above_order_three");
  if (std::isnan(share)) return "";
  return labelled("higher", fmt::format("{:.1f} % of the explained variance is of order above three", 100.0 * share));
}

// Nothing where terms vary independently, or nearly so.
std::string covariance_text(const Model& model) {
  const double share = report::notable_covariance(model);
  if (share == 0.0) return "";
  return labelled("dependent",
                  fmt::format("{:.0f} % of the variance over the training rows is covariance between terms, as their "
                              "inputs depend on each other; shares leave it out (shrimp sensitivity --data has it in)",
                              100.0 * share));
}

// Errors by a loss other than the squared one, beside the variance that is explained; "" elsewhere.
std::string loss_text(const Model& model) {
  for (const auto& [name, words] :
       {std::pair("log_loss", "log loss"), std::pair("deviance", "deviance"), std::pair("huber_loss", "Huber loss")}) {
    const double validation = result_of(model, fmt::format("validation_{}", name).c_str());
    if (std::isnan(validation)) continue;
    const double standard_error = result_of(model, fmt::format("validation_{}_se", name).c_str());
    const double r2 = result_of(model, "validation_r2");
    return fmt::format("validation {} {:.4g}{}{}, training {:.4g}", words, validation,
                       std::isnan(standard_error) ? "" : fmt::format(" ± {:.1g}", standard_error),
                       std::isnan(r2) ? "" : fmt::format(" (R2 {})", r2_text(r2)),
                       result_of(model, fmt::format("train_{}", name).c_str()));
  }
  return "";
}

std::string error_text(const Model& model) {
  // Models that were fitted again by sums have errors of what was fitted, which may be a form of the target.
  const std::string form = std::isnan(result_of(model, "transformed_train_mse")) ? "" : "transformed_";
  const auto of = [&](const std::string& kind) {
    const std::string name = form + kind;
    const double mse = result_of(model, (name + "_mse").c_str());
    const double r2 = result_of(model, (name + "_r2").c_str());
    const double standard_error = result_of(model, (name + "_se").c_str());
    if (std::isnan(mse)) return std::string("unknown");
    return fmt::format("{:.4g}{}{}", mse, std::isnan(standard_error) ? "" : fmt::format(" ± {:.1g}", standard_error),
                       std::isnan(r2) ? "" : fmt::format(" (R2 {})", r2_text(r2)));
  };
  const std::string loss = loss_text(model);
  if (!loss.empty()) return fmt::format("{}, {:.0f} rows", loss, report::fitted_rows(model));
  return fmt::format("validation MSE{} {}, training {}, {:.0f} rows",
                     form.empty() ? "" : fmt::format(" of {}", fitted_target(model)), of("validation"), of("train"),
                     report::fitted_rows(model));
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

std::string given_text(const Model& model) {
  if (!model.given) return all_options_text(model);
  if (model.given->empty()) return "defaults alone";
  std::vector<std::string> flags;
  for (const auto& [name, value] : *model.given) flags.push_back(flag_text(name, value));
  return fmt::format("{} (all else default)", fmt::join(flags, " "));
}

// How many columns there were, and what was done to them.
std::string path_text(const Model& model) {
  const auto drawn = model.results.find("basis_functions_drawn");
  const auto step = model.results.find("step");
  if (drawn == model.results.end() || step == model.results.end()) return "";
  if (const auto penalty = model.results.find("penalty"); penalty != model.results.end()) {
    return fmt::format("  chosen    {} {:.4g} on {:.0f} columns\n", model.method == "stlsq" ? "threshold" : "lambda",
                       penalty->second, drawn->second);
  }
  const auto rate = model.results.find("pruning_rate");
  const bool pruned =
      step->second > 0.0 && (model.method == "imp-linear" || rate == model.results.end() || rate->second > 0.0);
  return pruned ? fmt::format("  pruned    from {:.0f} columns in {:.0f} step{}\n", drawn->second, step->second,
                              step->second == 1.0 ? "" : "s")
                : fmt::format("  chosen    from {:.0f} columns\n", drawn->second);
}

std::string simplified_text(const Model& model) {
  const double before = result_of(model, "simplified_from");
  return std::isnan(before) ? "" : fmt::format("  smaller   simplified from {:.0f} columns\n", before);
}

}  // namespace

std::string describe(const Model& model, bool all) {
  const auto count = [](std::size_t number, const char* noun) {
    return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
  };
  std::string text = fmt::format("{} from {}, {}, {}\n\n", model.target, count(model.inputs.size(), "input"),
                                 count(model.terms.size(), "term"), count(model.coefficients.size(), "column"));
  text += terms_table(model, all);
  text += "\n" + higher_text(model) + covariance_text(model) + labelled("error", error_text(model)) + path_text(model);
  text += simplified_text(model);
  text += labelled("forms", forms_text(model)) + labelled("target", target_form_text(model));
  text += labelled("scaling", scaling_text(model));
  for (std::size_t j = 0; all && is_standardized(model) && j < model.inputs.size(); ++j) {
    text += input_scaling_text(model, j);
  }
  text += labelled("made with", given_text(model));
  if (all) text += labelled("made by", all_options_text(model));
  return text;
}

Json terms_json(const Model& model) {
  Json terms = Json::array();
  for (const Term& term : model.terms) {
    std::vector<std::string> names;
    for (const std::uint32_t variable : term.variables) names.push_back(model.inputs[variable]);
    const Json p_value = term.p_value ? Json(*term.p_value) : Json(nullptr);
    terms.push_back({{"variables", names},
                     {"basis_functions", term.basis_functions},
                     {"fraction", term.fraction},
                     {"p_value", p_value}});
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

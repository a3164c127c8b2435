#include "summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace shrimp::cli {
namespace {

std::string result_text(const Model& model, const char* name) {
  const auto found = model.results.find(name);
  return found == model.results.end() ? "unknown" : fmt::format("{:.4g}", found->second);
}

std::string bar(double share) {
  constexpr double width = 30.0;
  const auto length = static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * width));
  return std::string(length, '#');
}

// Display columns, counting UTF-8 characters and not bytes.
std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string scaling_text(const Model& model, bool all) {
  const auto standardized = model.options.find("no-standardize");
  if (standardized != model.options.end() && standardized->second == "true")
    return "none: inputs and target as they are";
  std::string text =
      fmt::format("inputs and target to mean 0 and variance 1 ({} = {:.4g} + {:.4g} times the columns' sum)",
                  model.target, model.scaling.target_mean, model.scaling.target_scale);
  if (!all) return text;
  for (std::size_t j = 0; j < model.inputs.size(); ++j) {
    text += fmt::format("\n            {}: mean {:.4g}, deviation {:.4g}", model.inputs[j], model.scaling.input_mean[j],
                        model.scaling.input_scale[j]);
  }
  return text;
}

// How many columns there were, and what was done to them.
std::string path_text(const Model& model) {
  const auto drawn = model.results.find("columns_drawn");
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

}  // namespace

std::string describe(const Model& model, bool all_terms) {
  std::string text =
      fmt::format("{} from {} input{}, {} term{}, {} column{}\n\n", model.target, model.inputs.size(),
                  model.inputs.size() == 1 ? "" : "s", model.terms.size(), model.terms.size() == 1 ? "" : "s",
                  model.coefficients.size(), model.coefficients.size() == 1 ? "" : "s");
  constexpr std::size_t most = 20;
  constexpr double least = 0.0005;  // Less would print as 0.0 %.
  const auto small = std::ranges::find_if(model.terms, [](const Term& term) { return term.share < least; });
  const std::size_t shown =
      all_terms ? model.terms.size() : std::min(most, static_cast<std::size_t>(small - model.terms.begin()));
  std::size_t width = 4;
  for (std::size_t k = 0; k < shown; ++k) width = std::max(width, display_width(model.term_name(model.terms[k])));
  text += fmt::format("  {:<{}}  columns    share\n", "term", width);
  for (std::size_t k = 0; k < shown; ++k) {
    const Term& term = model.terms[k];
    const std::string name = model.term_name(term);
    std::string line = fmt::format("  {}{}  {:>7}  {:>5.1f} %  {}", name, std::string(width - display_width(name), ' '),
                                   term.columns, 100.0 * term.share, bar(term.share));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  if (shown < model.terms.size()) {
    double rest = 0.0;
    for (std::size_t k = shown; k < model.terms.size(); ++k) rest += model.terms[k].share;
    text += fmt::format("  and {} more with {:.2g} % together\n", model.terms.size() - shown, 100.0 * rest);
  }
  std::vector<std::string> options;
  for (const auto& [name, value] : model.options) options.push_back(fmt::format("{} {}", name, value));
  text +=
      fmt::format("\n  error     validation MSE {}, training MSE {} on {} rows\n", result_text(model, "validation_mse"),
                  result_text(model, "train_mse"), result_text(model, "rows"));
  text += path_text(model);
  text += fmt::format("  scaling   {}\n  made by   {}\n", scaling_text(model, all_terms), fmt::join(options, ", "));
  return text;
}

Json terms_json(const Model& model) {
  Json terms = Json::array();
  for (const Term& term : model.terms) {
    std::vector<std::string> names;
    for (const std::uint32_t variable : term.variables) names.push_back(model.inputs[variable]);
    terms.push_back({{"variables", names}, {"columns", term.columns}, {"share", term.share}});
    if (term.chance) terms.back()["chance"] = *term.chance;
  }
  return terms;
}

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace shrimp::cli

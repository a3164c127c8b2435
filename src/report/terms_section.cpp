#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/html.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"
#include "report/words.hpp"
#include "shrimp/sensitivity.hpp"

namespace shrimp::report {
namespace {

constexpr std::size_t most_open = 15;
constexpr std::size_t most_inputs = 30;
constexpr std::size_t most_rows = 300;

std::string chance_text(const Term& term) {
  constexpr double surely_not = 1e-9;
  if (!term.chance) return "";
  return *term.chance < surely_not ? "&lt; 1e−9" : fmt::format("{:.1g}", *term.chance);
}

// A link to its picture, where there may be one.
std::string name_of(const Model& model, std::size_t term) {
  const Term& own = model.terms[term];
  const std::string name = escaped(model.short_term_name(own));
  if (own.variables.size() > 2 || model.marginals.empty()) return name;
  return fmt::format("<a href=\"#term-{}\">{}</a>", term + 1, name);
}

std::string terms_table(const Model& model, std::size_t first, std::size_t last) {
  const bool chances = std::ranges::any_of(model.terms, [](const Term& term) { return term.chance.has_value(); });
  std::vector<Cell> header = {{"term", "text"}, {"share"}, {"", "text"}, {"columns"}};
  if (chances) header.push_back({"chance"});
  std::vector<std::vector<Cell>> rows;
  for (std::size_t k = first; k < last; ++k) {
    const Term& term = model.terms[k];
    std::vector<Cell> row = {{name_of(model, k), "text"},
                             {percent_text(term.share)},
                             {bar(term.share), "bars"},
                             {term.columns == 0 ? "–" : fmt::format("{}", term.columns)}};
    if (chances) row.push_back({chance_text(term)});
    rows.push_back(row);
  }
  return table(header, rows, "terms");
}

std::string range_text(const Model& model, std::size_t input) {
  if (model.marginals.empty() || model.marginals[input].values.empty()) return "not used";
  const auto& values = model.marginals[input].values;
  const auto ends = with_minus_signs(plain_numbers(std::array{values.front(), values.back()}));
  return fmt::format("{} to {}", ends[0], ends[1]);
}

std::string interval_text(const SobolIndex& index) {
  if (!index.low || !index.high) return "";
  return fmt::format(" ({:.1f} to {:.1f})", 100.0 * *index.low, 100.0 * *index.high);
}

std::string inputs_table(const Model& model, const Sensitivity& found) {
  std::vector<InputSensitivity> order = found.inputs;
  std::ranges::stable_sort(order, std::greater<>(), [](const InputSensitivity& input) { return input.total.value; });
  const std::size_t all = order.size();
  std::erase_if(order, [](const InputSensitivity& input) { return input.total.value <= 0.0; });
  if (order.size() > most_inputs) order.resize(most_inputs);
  std::vector<std::vector<Cell>> rows;
  for (const InputSensitivity& input : order) {
    const double low = input.total.low.value_or(0.0);
    const double high = input.total.high.value_or(-1.0);
    rows.push_back({{escaped(model.inputs[input.input]), "text"},
                    {percent_text(input.first.value) + interval_text(input.first)},
                    {percent_text(input.total.value) + interval_text(input.total)},
                    {bar(input.total.value, low, high), "bars"},
                    {range_text(model, input.input)}});
  }
  std::string markup = table({{"input", "text"}, {"alone"}, {"in all"}, {"", "text"}, {"in the training rows"}}, rows, "terms");
  if (order.size() < all) {
    markup += paragraph(fmt::format("The other {} do{} nothing, or next to it.", count_text(all - order.size(), "input"),
                                    all - order.size() == 1 ? "es" : ""),
                        "soft");
  }
  return markup;
}

std::string inputs_part(const Model& model, int threads) {
  std::string markup = "<h3>By input</h3>\n";
  try {
    const Sensitivity found = sensitivity(model, {}, threads);
    markup += paragraph(
        "What each input does alone, and in all terms that it is part of: Sobol' indices for inputs that vary "
        "independently, as in the training rows.");
    return markup + inputs_table(model, found);
  } catch (const std::invalid_argument& why) {
    return markup + paragraph(std::string("There are no Sobol' indices of this model: ") + why.what(), "note");
  }
}

std::string dependence_note(const Model& model) {
  constexpr double much = 0.05;
  const double share = result_of(model, "covariance_share");
  if (std::isnan(share) || std::abs(share) <= much) return "";
  return paragraph(
      fmt::format("Inputs depend on each other: {} of the variance over the training rows is covariance between terms, "
                  "which shares leave out. shrimp sensitivity --data has it in.",
                  percent_text(share)),
      "note");
}

}  // namespace

std::string terms_section(const Model& model, int threads) {
  if (model.terms.empty()) {
    return section("terms", "What it is made of",
                   paragraph("The model has no terms: it says the same, whatever the inputs are."));
  }
  std::string markup = paragraph(fmt::format(
      "The model is a constant plus terms: what one input does alone, or what a few do together that they do not do "
      "alone. A share is the part of the variance of {} that a term makes; shares sum to 100 %.",
      fitted_target(model)));
  markup += dependence_note(model);
  const std::size_t open = std::min(most_open, model.terms.size());
  markup += terms_table(model, 0, open);
  if (model.terms.size() > open) {
    double rest = 0.0;
    for (std::size_t k = open; k < model.terms.size(); ++k) rest += model.terms[k].share;
    const std::size_t shown = std::min(most_rows, model.terms.size());
    std::string more = terms_table(model, open, shown);
    if (shown < model.terms.size()) {
      more += paragraph(fmt::format("{} more are in the model file: shrimp inspect -v lists them.",
                                    model.terms.size() - shown));
    }
    markup += folded(fmt::format("{}, {} in all", count_text(model.terms.size() - open, "more term"), percent_text(rest)), more);
  }
  if (std::ranges::any_of(model.terms, [](const Term& term) { return term.chance.has_value(); })) {
    markup += paragraph("Chance is the probability that such a term would be found where there is nothing.", "soft");
  }
  if (std::ranges::any_of(model.terms, [](const Term& term) { return term.columns == 0; })) {
    markup += paragraph("A dash for columns: columns of more inputs carry the term.", "soft");
  }
  return section("terms", "What it is made of", markup + inputs_part(model, threads));
}

}  // namespace shrimp::report

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/html.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"
#include "report/words.hpp"

namespace shrimp::report {
namespace {

constexpr std::size_t most_listed = 12;
constexpr std::size_t most_named_inputs = 12;

std::string words_of_order(std::size_t order) {
  if (order == 1) return "one input";
  return fmt::format("{} inputs together", order == 2 ? "two" : order == 3 ? "three" : fmt::format("{}", order));
}

// Of the wide terms a part is of lower order; the model tells how much is above three.
std::string orders_table(const Model& model) {
  std::map<std::size_t, double> shares;
  for (const Term& term : model.terms) shares[term.variables.size()] += term.fraction;
  std::vector<std::vector<Cell>> rows;
  for (const auto& [order, share] : shares) {
    rows.push_back({{words_of_order(order), "text"}, {percent_text(share)}, {bar(share), "bars"}});
  }
  return table({{"terms of", "text"}, {"variance"}, {"", "text"}}, rows);
}

std::string inputs_of(const Model& model, const Term& term) {
  std::string names;
  const std::size_t shown = std::min(term.variables.size(), most_named_inputs);
  for (std::size_t k = 0; k < shown; ++k) names += (k == 0 ? "" : ", ") + model.inputs[term.variables[k]];
  return shown < term.variables.size() ? fmt::format("{}, … ({} inputs)", names, term.variables.size()) : names;
}

}  // namespace

std::string higher_orders_section(const Model& model) {
  constexpr const char* title = "Interactions of three or more inputs";
  std::vector<const Term*> higher;
  for (const Term& term : model.terms) {
    if (term.variables.size() > 2) higher.push_back(&term);
  }
  std::string markup = model.terms.empty() ? "" : orders_table(model);
  if (higher.empty()) {
    return section("higher", title,
                   paragraph("The model has none: it is the sum of the effects plotted above.") + markup);
  }
  double share = 0.0;
  for (const Term* term : higher) share += term->fraction;
  markup = paragraph(fmt::format("{} of the variance comes from {} of three or more inputs, which are not plotted. "
                                 "shrimp explain lists their contributions to a prediction.",
                                 percent_text(share), count_text(higher.size(), "term"))) +
           markup;
  const double above = result_of(model, "fraction_above_order_three");
  if (!std::isnan(above)) {
    markup += paragraph(
        fmt::format("{} of the variance comes from interactions of more than three inputs.", percent_text(above)));
  }
  std::vector<std::vector<Cell>> rows;
  for (const Term* term : std::span(higher).first(std::min(most_listed, higher.size()))) {
    rows.push_back({{escaped(inputs_of(model, *term)), "text"}, {percent_text(term->fraction)}});
  }
  markup += table({{"largest terms", "text"}, {"variance"}}, rows);
  return section("higher", title, markup);
}

}  // namespace shrimp::report

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "report/effect_figures.hpp"
#include "report/html.hpp"
#include "report/sections.hpp"
#include "report/words.hpp"
#include "shrimp/intervals.hpp"

namespace shrimp::report {
namespace {

constexpr std::size_t most_open_effects = 12;
constexpr std::size_t most_drawn = 200;
constexpr std::size_t most_named = 40;
// So that a page stays below a megabyte, whatever the model.
constexpr std::size_t most_bytes_of_curves = 180'000;
constexpr std::size_t most_bytes_of_maps = 620'000;

constexpr const char* no_marginals =
    "There are no pictures of terms: the model file was saved without its inputs' marginals, which they are taken "
    "over. "
    "Fit the model again to have them.";

std::vector<std::size_t> terms_of_order(const Model& model, std::size_t order) {
  std::vector<std::size_t> terms;
  for (std::size_t k = 0; k < model.terms.size(); ++k) {
    if (model.terms[k].variables.size() == order) terms.push_back(k);
  }
  return terms;
}

// As many as a page may have room for.
std::span<const std::size_t> drawn(std::span<const std::size_t> terms) {
  return terms.first(std::min(most_drawn, terms.size()));
}

std::string names_of(const Model& model, std::span<const std::size_t> terms) {
  std::vector<std::string> names;
  for (const std::size_t term : terms.first(std::min(terms.size(), most_named))) {
    names.push_back(model.short_term_name(model.terms[term]));
  }
  return fmt::format("{}{}", fmt::join(names, ", "), terms.size() > most_named ? ", …" : "");
}

// The first dozen open, others folded, as many as there is room for.
std::string charts(const Model& model, std::span<const std::size_t> terms, std::size_t most_bytes, const char* noun,
                   const std::function<std::string(std::size_t)>& chart) {
  std::string open;
  std::string more;
  std::size_t shown = 0;
  for (; shown < drawn(terms).size() && open.size() + more.size() < most_bytes; ++shown) {
    (shown < most_open_effects ? open : more) += chart(shown);
  }
  std::string markup = "<div class=\"charts\">\n" + open + "</div>\n";
  if (!more.empty()) {
    double share = 0.0;
    for (const std::size_t term : terms.subspan(most_open_effects, shown - most_open_effects))
      share += model.terms[term].fraction;
    markup +=
        folded(fmt::format("{}, {} in all", count_text(shown - most_open_effects, fmt::format("more {}", noun).c_str()),
                           percent_text(share)),
               "<div class=\"charts\">\n" + more + "</div>\n");
  }
  if (shown < terms.size()) {
    const auto left_out = terms.subspan(shown);
    markup += paragraph(
        fmt::format("To keep the page small, {} {} not drawn: {}. In Python, MainEffectDisplay and InteractionDisplay "
                    "draw any term.",
                    count_text(left_out.size(), noun), left_out.size() == 1 ? "is" : "are", names_of(model, left_out)),
        "note");
  }
  return markup;
}

}  // namespace

std::string main_effects_section(const Model& model, int threads) {
  constexpr const char* title = "What each input does alone";
  const std::vector<std::size_t> terms = terms_of_order(model, 1);
  if (terms.empty()) return section("inputs", title, paragraph("No input does anything alone in this model."));
  if (model.marginals.empty()) return section("inputs", title, paragraph(no_marginals, "note"));
  const std::vector<Curve> curves = curves_of(model, drawn(terms), threads);
  std::string markup = paragraph(fmt::format(
      "How much {} moves from its mean as one input changes. Ticks along the foot are values of the input in the "
      "training rows, or quantiles of them: where there are none, nothing is known.",
      fitted_target(model)));
  if (knows_coefficients(model)) {
    markup += paragraph("The band is where the curve lies, point by point, with a probability of 90 %.");
  }
  markup += paragraph("Point at a chart to read its values, or go there by Tab and use the arrow keys.", "soft hint");
  markup += charts(model, terms, most_bytes_of_curves, "main effect",
                   [&](std::size_t k) { return curve_figure(model, curves[k]); });
  return section("inputs", title, markup);
}

std::string pairs_section(const Model& model, int threads) {
  constexpr const char* title = "What two inputs do together";
  const std::vector<std::size_t> terms = terms_of_order(model, 2);
  if (terms.empty()) return section("pairs", title, paragraph("The model has no terms of two inputs."));
  if (model.marginals.empty()) return section("pairs", title, paragraph(no_marginals, "note"));
  const std::vector<Surface> surfaces = surfaces_of(model, drawn(terms), threads);
  std::string markup = paragraph(fmt::format(
      "What both inputs add to {} beyond what each does alone: orange raises it, blue lowers it, none leaves it.",
      fitted_target(model)));
  markup +=
      charts(model, terms, most_bytes_of_maps, "pair", [&](std::size_t k) { return map_figure(model, surfaces[k]); });
  return section("pairs", title, markup);
}

}  // namespace shrimp::report

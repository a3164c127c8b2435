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
    "Effect plots need the marginal distributions of the inputs, which the model file was saved without. Fit the model "
    "again to get them.";

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
        fmt::format("To keep the page small, {} {} not plotted: {}. In Python, MainEffectDisplay and "
                    "InteractionDisplay plot any term.",
                    count_text(left_out.size(), noun), left_out.size() == 1 ? "is" : "are", names_of(model, left_out)),
        "note");
  }
  return markup;
}

}  // namespace

std::string main_effects_section(const Model& model, int threads) {
  constexpr const char* title = "Main effects";
  const std::vector<std::size_t> terms = terms_of_order(model, 1);
  if (terms.empty()) return section("inputs", title, paragraph("The model has no main effects."));
  if (model.marginals.empty()) return section("inputs", title, paragraph(no_marginals, "note"));
  const std::vector<Curve> curves = curves_of(model, drawn(terms), threads);
  std::string markup =
      paragraph(fmt::format("Change of {} from its mean as one input varies. Ticks on the axis are values or quantiles "
                            "of the input in the training rows: the curve is uncertain far from them.",
                            fitted_target(model)));
  if (knows_coefficients(model)) {
    markup += paragraph(
        fmt::format("The band is a pointwise 90 % interval of the curve, on the scale of {}.", fitted_target(model)));
  }
  markup += paragraph("To read values, point at a chart, or move to it with Tab and use the arrow keys.", "soft hint");
  markup += charts(model, terms, most_bytes_of_curves, "main effect",
                   [&](std::size_t k) { return curve_figure(model, curves[k]); });
  return section("inputs", title, markup);
}

std::string pairs_section(const Model& model, int threads) {
  constexpr const char* title = "Interactions of two inputs";
  const std::vector<std::size_t> terms = terms_of_order(model, 2);
  if (terms.empty()) return section("pairs", title, paragraph("The model has no interactions of two inputs."));
  if (model.marginals.empty()) return section("pairs", title, paragraph(no_marginals, "note"));
  const std::vector<Surface> surfaces = surfaces_of(model, drawn(terms), threads);
  std::string markup = paragraph(fmt::format(
      "Contribution of both inputs to {} in addition to their main effects: orange is positive, blue is negative.",
      fitted_target(model)));
  markup +=
      charts(model, terms, most_bytes_of_maps, "pair", [&](std::size_t k) { return map_figure(model, surfaces[k]); });
  return section("pairs", title, markup);
}

}  // namespace shrimp::report

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

#include "data/dates.hpp"
#include "data/loss.hpp"
#include "model/model_loss.hpp"
#include "report/html.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"
#include "report/words.hpp"
#include "shrimp/intervals.hpp"
#include "shrimp/sensitivity.hpp"

namespace shrimp::report {
namespace {

constexpr std::size_t most_open_terms = 15;
constexpr std::size_t most_inputs = 30;
constexpr std::size_t most_rows = 200;

std::string chance_text(const Term& term) {
  constexpr double surely_not = 1e-9;
  if (!term.p_value) return "";
  return *term.p_value < surely_not ? "&lt; 1e−9" : fmt::format("{:.1g}", *term.p_value);
}

// A link to its picture, where there is one.
std::string name_of(const Model& model, std::size_t term, const std::string& pictures) {
  std::string name = escaped(model.short_term_name(model.terms[term]));
  const std::string id = fmt::format("term-{}", term + 1);
  if (pictures.find(fmt::format(" id=\"{}\"", id)) == std::string::npos) return name;
  return fmt::format("<a href=\"#{}\">{}</a>", id, name);
}

std::string interval_text(const FractionInterval& interval) {
  if (!interval) return "";
  return fmt::format("{:.1f} to {:.1f}", 100.0 * interval->first, 100.0 * interval->second);
}

// As long as it is beside the largest, whose bar is nearly as long as there is room.
std::string share_bar(double share, const FractionInterval& interval, double largest) {
  const double unit = largest > 0.0 ? 0.92 / largest : 0.0;
  return interval ? bar(unit * share, unit * interval->first, unit * interval->second) : bar(unit * share);
}

std::string terms_table(const Model& model, const std::vector<FractionInterval>& intervals, const std::string& pictures,
                        std::size_t first, std::size_t last) {
  const bool chances = std::ranges::any_of(model.terms, [](const Term& term) { return term.p_value.has_value(); });
  const bool unsure = std::ranges::any_of(intervals, [](const FractionInterval& own) { return own.has_value(); });
  std::vector<Cell> header = {{"term", "text"}, {"share"}, {"", "text"}, {"columns"}};
  if (unsure) header.insert(header.begin() + 2, Cell{"90 % interval"});
  if (chances) header.push_back({"chance"});
  std::vector<std::vector<Cell>> rows;
  for (std::size_t k = first; k < last; ++k) {
    const Term& term = model.terms[k];
    std::vector<Cell> row = {{name_of(model, k, pictures), "text"},
                             {percent_text(term.fraction)},
                             {share_bar(term.fraction, intervals[k], model.terms.front().fraction), "bars"},
                             {term.basis_functions == 0 ? "–" : fmt::format("{}", term.basis_functions)}};
    if (unsure) row.insert(row.begin() + 2, Cell{interval_text(intervals[k]), "soft"});
    if (chances) row.push_back({chance_text(term)});
    rows.push_back(row);
  }
  return table(header, rows, "terms");
}

// Levels by their names where these are few.
std::string levels_text(const InputColumn& column) {
  constexpr std::size_t few = 3;
  if (column.levels.size() > few) return count_text(column.levels.size(), "level");
  std::vector<std::string> names;
  for (const std::string& level : column.levels) names.push_back(escaped(level));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string range_text(const Model& model, std::size_t input) {
  if (model.marginals.empty() || model.marginals[input].values.empty()) return "not used";
  if (!model.columns.empty()) {
    const InputColumn& column = model.columns[input];
    if (column.is_category()) return levels_text(column);
    if (column.kind == ColumnKind::date) {
      const auto& days = model.marginals[input].values;
      return fmt::format("{} to {}", date_text(days.front()), date_text(days.back()));
    }
  }
  const auto& values = model.marginals[input].values;
  const auto ends = with_minus_signs(plain_numbers(std::array{values.front(), values.back()}));
  return fmt::format("{} to {}", ends[0], ends[1]);
}

FractionInterval interval_of(const SobolIndex& index) {
  return index.low && index.high ? FractionInterval({*index.low, *index.high}) : std::nullopt;
}

std::string inputs_table(const Model& model, const Sensitivity& found) {
  std::vector<InputSensitivity> order = found.inputs;
  std::ranges::stable_sort(order, std::greater<>(), [](const InputSensitivity& input) { return input.total.value; });
  const std::size_t all = order.size();
  std::erase_if(order, [](const InputSensitivity& input) { return input.total.value <= 0.0; });
  if (order.size() > most_inputs) order.resize(most_inputs);
  std::vector<std::vector<Cell>> rows;
  for (const InputSensitivity& input : order) {
    const FractionInterval interval = interval_of(input.total);
    rows.push_back({{escaped(model.inputs[input.input]), "text"},
                    {percent_text(input.first.value)},
                    {percent_text(input.total.value)},
                    {share_bar(input.total.value, interval, order.front().total.value), "bars"},
                    {range_text(model, input.input)}});
    if (interval) rows.back().insert(rows.back().begin() + 3, Cell{interval_text(interval), "soft"});
  }
  std::vector<Cell> header = {{"input", "text"}, {"alone"}, {"in all"}, {"", "text"}, {"in the training rows"}};
  if (!order.empty() && interval_of(order.front().total)) header.insert(header.begin() + 3, Cell{"90 % interval"});
  std::string markup = table(header, rows, "terms");
  if (order.size() < all) {
    markup += paragraph(fmt::format("The other {} do{} nothing, or next to it.",
                                    count_text(all - order.size(), "input"), all - order.size() == 1 ? "es" : ""),
                        "soft");
  }
  return markup;
}

// Sobol' indices, or why there are none.
struct Indices {
  Indices(const Model& model, int threads) {
    try {
      found = sensitivity(model, {}, threads);
    } catch (const std::invalid_argument& why) {
      reason = why.what();
    }
  }

  std::optional<Sensitivity> found = {};
  std::string reason = {};
};

std::string inputs_part(const Model& model, const Indices& indices) {
  std::string markup = "<h3>By input</h3>\n";
  if (!indices.found) return markup + paragraph("There are no Sobol' indices: " + indices.reason, "note");
  markup += paragraph(
      "What each input does alone, and in all terms that it is part of: Sobol' indices for inputs that vary "
      "independently, as in the training rows.");
  return markup + inputs_table(model, *indices.found);
}

std::string about_intervals(const Model& model) {
  if (knows_coefficients(model)) {
    return paragraph(
        "The line over a bar is where the share lies with a probability of 90 %, as noise moves the "
        "coefficients; terms that were not found are not in it.",
        "soft");
  }
  if (has_link(loss_of(model))) {
    return paragraph("Shares and curves have no intervals: models of classes and counts do not have them.", "soft");
  }
  return paragraph(model.uncertainty
                       ? "Shares and curves have no intervals: the model does not tell how sure its "
                         "coefficients are; those of exact fits and of kernels do not."
                       : "This model file has no intervals: shares and curves stand without. A model that "
                         "is fitted again has them.",
                   "soft");
}

std::string dependence_note(const Model& model) {
  const double share = notable_covariance(model);
  if (share == 0.0) return "";
  return paragraph(
      fmt::format("Inputs depend on each other: {} of the variance over the training rows is covariance between terms, "
                  "which shares leave out. shrimp sensitivity --data has it in.",
                  percent_text(share)),
      "note");
}

}  // namespace

std::string terms_section(const Model& model, const std::string& pictures, int threads) {
  if (model.terms.empty()) {
    return section("terms", "What it is made of",
                   paragraph("The model has no terms: it says the same, whatever the inputs are."));
  }
  std::string markup = paragraph(fmt::format(
      "The model is a constant plus terms: what one input does alone, or what a few do together that they do not do "
      "alone. A share is the part of the variance of {} that a term makes; shares sum to 100 %.",
      fitted_target(model)));
  markup += dependence_note(model);
  const Indices indices(model, threads);
  const std::vector<FractionInterval> intervals =
      indices.found ? fraction_intervals(model, *indices.found) : std::vector<FractionInterval>(model.terms.size());
  const std::size_t open = std::min(most_open_terms, model.terms.size());
  markup += terms_table(model, intervals, pictures, 0, open);
  if (model.terms.size() > open) {
    double rest = 0.0;
    for (std::size_t k = open; k < model.terms.size(); ++k) rest += model.terms[k].fraction;
    const std::size_t shown = std::min(most_rows, model.terms.size());
    std::string more = terms_table(model, intervals, pictures, open, shown);
    if (shown < model.terms.size()) {
      more += paragraph(
          fmt::format("{} more are in the model file: shrimp inspect -v lists them.", model.terms.size() - shown));
    }
    markup += folded(
        fmt::format("{}, {} in all", count_text(model.terms.size() - open, "more term"), percent_text(rest)), more);
  }
  if (std::ranges::any_of(model.terms, [](const Term& term) { return term.p_value.has_value(); })) {
    markup += paragraph(
        "Chance is the p-value of a term given the other terms, adjusted for all terms that could have been found.",
        "soft");
  }
  if (std::ranges::any_of(model.terms, [](const Term& term) { return term.basis_functions == 0; })) {
    markup += paragraph("A dash for columns: columns of more inputs carry the term.", "soft");
  }
  markup += about_intervals(model) + inputs_part(model, indices);
  return section("terms", "What it is made of", markup);
}

}  // namespace shrimp::report

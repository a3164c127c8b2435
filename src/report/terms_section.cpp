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
#include "model/model_loss.hpp"
#include "report/fit_errors.hpp"
#include "report/html.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"
#include "report/words.hpp"
#include "shrimp/effects.hpp"
#include "shrimp/intervals.hpp"
#include "shrimp/sensitivity.hpp"

namespace shrimp::report {
namespace {

constexpr std::size_t most_open_terms = 15;
constexpr std::size_t most_inputs = 30;
constexpr std::size_t most_rows = 200;

// A link to its figure, if it has one.
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

// Its length is relative to the largest bar, which leaves room for the end of its interval.
std::string share_bar(double share, const FractionInterval& interval, double largest) {
  const double unit = largest > 0.0 ? 0.92 / largest : 0.0;
  return interval ? bar(unit * share, unit * interval->first, unit * interval->second) : bar(unit * share);
}

// Terms that have rows, in the model's order.
struct TermRows {
  const Model& model;
  std::vector<FractionInterval> intervals;
  std::vector<std::string> effects;
  const std::string& figures;
  std::vector<std::size_t> terms;
};

std::string terms_table(const TermRows& rows, std::size_t first, std::size_t last) {
  const Model& model = rows.model;
  const bool has_p_values = std::ranges::any_of(model.terms, [](const Term& term) { return term.p_value.has_value(); });
  const bool has_intervals =
      std::ranges::any_of(rows.intervals, [](const FractionInterval& own) { return own.has_value(); });
  std::vector<Cell> header = {{"term", "text"}, {"variance"}};
  if (has_intervals) header.push_back({"90 % interval"});
  header.push_back({"", "text"});
  if (has_p_values) header.push_back({"p-value"});
  header.push_back({"effect", "words"});
  std::vector<std::vector<Cell>> cells;
  for (std::size_t place = first; place < last; ++place) {
    const std::size_t k = rows.terms[place];
    const Term& term = model.terms[k];
    std::vector<Cell> row = {{name_of(model, k, rows.figures), "text"}, {percent_text(term.fraction)}};
    if (has_intervals) row.push_back({interval_text(rows.intervals[k]), "soft"});
    row.push_back({share_bar(term.fraction, rows.intervals[k], model.terms.front().fraction), "bars"});
    if (has_p_values) row.push_back({escaped(p_value_text(term))});
    row.push_back({rows.effects[k], "words"});
    cells.push_back(row);
  }
  return table(header, cells, "terms");
}

std::string wide_terms_note(const Model& model) {
  const std::optional<WideTerms> wide = wide_terms(model);
  if (!wide) return "";
  return paragraph(fmt::format("Interactions above order 3: {}.", percent_text(wide->above_order_three)));
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
    markup += paragraph(fmt::format("The other {} {} no effect, or nearly none.",
                                    count_text(all - order.size(), "input"), all - order.size() == 1 ? "has" : "have"),
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
      "Sobol' indices for independent inputs with their distributions in the training rows. Alone is the first-order "
      "index, in all is the total index, which includes interactions.");
  return markup + inputs_table(model, *indices.found);
}

std::string about_intervals(const Model& model) {
  if (knows_coefficients(model)) {
    return paragraph(
        "The line on each bar is a 90 % interval for noise in the coefficients. It does not cover effects that were "
        "not "
        "detected.",
        "soft");
  }
  if (has_link(loss_of(model))) {
    return paragraph("Fractions and curves have no intervals: the fit had no held-out rows to estimate noise from.",
                     "soft");
  }
  return paragraph(
      model.uncertainty
          ? "Fractions and curves have no intervals: exact fits and kernel models do not determine the "
            "uncertainty of their coefficients."
          : "Fractions and curves have no intervals, because this model file has none. Fit the model again "
            "to get them.",
      "soft");
}

std::string dependence_note(const Model& model) {
  const double fraction = notable_covariance(model);
  if (fraction == 0.0) return "";
  return paragraph(
      fmt::format(
          "The inputs are dependent: {} of the variance over the training rows is covariance between terms. The "
          "fractions exclude it; shrimp sensitivity --data includes it.",
          percent_text(fraction)),
      "note");
}

}  // namespace

std::string terms_section(const Model& model, const std::string& pictures, int threads) {
  constexpr const char* title = "Terms";
  if (model.terms.empty()) {
    return section("terms", title, paragraph("The model has no terms: its prediction is the same for all inputs."));
  }
  std::string markup = paragraph(
      fmt::format("The model is a constant plus terms: main effects of one input, and interactions of several. The "
                  "fractions of the variance of {} sum to 100 %.",
                  fitted_target(model)));
  markup += dependence_note(model);
  const Indices indices(model, threads);
  TermRows rows{model, std::vector<FractionInterval>(model.terms.size()), term_effects(model, threads), pictures, {}};
  if (indices.found) rows.intervals = fraction_intervals(model, *indices.found);
  for (std::size_t k = 0; k < model.terms.size(); ++k) {
    if (!is_above_order_three(model, model.terms[k])) rows.terms.push_back(k);
  }
  const std::size_t open = std::min(most_open_terms, rows.terms.size());
  markup += terms_table(rows, 0, open) + wide_terms_note(model);
  if (rows.terms.size() > open) {
    double rest = wide_terms(model).value_or(WideTerms()).others;
    for (std::size_t k = open; k < rows.terms.size(); ++k) rest += model.terms[rows.terms[k]].fraction;
    const std::size_t shown = std::min(most_rows, rows.terms.size());
    std::string more = terms_table(rows, open, shown);
    if (shown < rows.terms.size()) {
      more += paragraph(
          fmt::format("{} more are in the model file: shrimp inspect -v lists them.", rows.terms.size() - shown));
    }
    markup += folded(
        fmt::format("{}, {} in all", count_text(rows.terms.size() - open, "more term"), percent_text(rest)), more);
  }
  if (std::ranges::any_of(model.terms, [](const Term& term) { return term.p_value.has_value(); })) {
    markup += paragraph(
        "The p-value tests that a term has no effect given the other terms. It is adjusted for all candidate terms.",
        "soft");
  }
  markup += about_intervals(model) + inputs_part(model, indices);
  return section("terms", title, markup);
}

}  // namespace shrimp::report

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "data/class_scores.hpp"
#include "model/model_loss.hpp"
#include "report/class_figures.hpp"
#include "report/count_figures.hpp"
#include "report/html.hpp"
#include "report/sections.hpp"
#include "report/test_figures.hpp"
#include "report/text.hpp"
#include "report/words.hpp"

namespace shrimp::report {
namespace {

constexpr std::size_t most_dots = 600;
constexpr std::size_t fewest_calibrated = 20;
constexpr std::size_t worst_listed = 10;

// With `classes`, observed values are shown by the names of that model's classes.
std::string worst_rows(std::vector<TestedRow> rows, const Model* classes = nullptr) {
  const std::size_t count = std::min(worst_listed, rows.size());
  const auto size = [](const TestedRow& row) { return std::abs(row.observed - row.predicted); };
  std::ranges::partial_sort(rows, rows.begin() + static_cast<std::ptrdiff_t>(count), std::greater<>(), size);
  std::vector<std::vector<Cell>> cells;
  for (const TestedRow& row : std::span(rows).first(count)) {
    cells.push_back(
        {{fmt::format("{}", row.row + 1)},
         {number_text(row.predicted)},
         {classes == nullptr ? number_text(row.observed) : escaped(class_text(*classes, row.observed == 1.0 ? 1 : 0))},
         {number_text(row.observed - row.predicted)}});
  }
  return folded(
      fmt::format("The {} with the largest absolute error{}", count_text(count, "row"), count == 1 ? "" : "s"),
      table({{"row", "text"}, {"predicted"}, {"observed"}, {"error"}}, cells));
}

std::string coverage_part(const TestRows::Content& content) {
  std::string markup = "<h3>Intervals</h3>\n";
  if (content.coverage.empty()) {
    return markup + paragraph(
                        "This model file has no prediction intervals. A fit with held-out rows has them, except with "
                        "loss quantile.");
  }
  const auto rows = static_cast<double>(content.rows);
  std::vector<std::vector<Cell>> cells;
  for (const Coverage& own : content.coverage) {
    const double within = static_cast<double>(own.within) / rows;
    const double unsure = 2.0 * std::sqrt(own.level * (1.0 - own.level) / rows);
    cells.push_back({{fmt::format("{:.0f} %", 100.0 * own.level)},
                     {fmt::format("{:.1f} %", 100.0 * within)},
                     {bar(within, own.level - unsure, own.level + unsure), "bars"},
                     {"± " + number_text(0.5 * own.width / rows)}});
  }
  markup += paragraph(
      "Fraction of rows within their prediction intervals, which should match the level. The line on each bar is the "
      "range that 95 of 100 calibrated models would reach on this number of rows. Intervals of counts may cover more.");
  return markup + table({{"level"}, {"coverage"}, {"", "text"}, {"mean half-width"}}, cells, "errors");
}

std::string about_dots(std::size_t dots, std::size_t sampled, std::size_t rows) {
  if (dots == rows) return "";
  return paragraph(fmt::format("Points are {} rows, chosen at random; the histogram and the means use {} rows.", dots,
                               sampled < rows ? fmt::format("{}", sampled) : "all"),
                   "soft");
}

std::string in_two_columns(const std::string& charts) { return "<div class=\"charts two\">\n" + charts + "</div>\n"; }

std::string number_part(const Model& model, const TestRows::Content& content, const std::string& note) {
  const std::vector<TestedRow> all = content.sample(content.rows);
  std::string markup = paragraph(fmt::format(
      "Absolute errors on {} of {}: the median is {}, the 90\u00A0% quantile is {}.", count_text(content.rows, "row"),
      content.source, number_text(error_quantile(all, 0.5)), number_text(error_quantile(all, 0.9))));
  const std::vector<TestedRow> dots = content.sample(most_dots);
  markup += note + about_dots(dots.size(), all.size(), content.rows);
  std::string charts = observed_figure(model, dots) + residuals_figure(model, dots, all) + histogram_figure(model, all);
  if (all.size() >= fewest_calibrated) charts += calibration_figure(model, all);
  markup += in_two_columns(charts) + coverage_part(content);
  if (all.size() == content.rows) markup += worst_rows(all);
  return markup;
}

std::string class_part(const Model& model, const TestRows::Content& content, const std::string& note) {
  const ClassScores scores = score_classes(content.predicted, content.observed);
  const double ones = std::accumulate(content.observed.begin(), content.observed.end(), 0.0);
  const auto rows = static_cast<double>(content.rows);
  std::string markup =
      paragraph(fmt::format("{} of {} in {} are classified correctly; predicting the more frequent class would give "
                            "{}. Brier score {}, calibration error {}.",
                            percent_text(scores.accuracy), count_text(content.rows, "row"), content.source,
                            percent_text(std::max(ones, rows - ones) / rows), number_text(scores.brier),
                            number_text(scores.calibration_error)));
  std::string charts;
  if (content.rows >= fewest_calibrated) charts += reliability_figure(model, content.predicted, content.observed);
  if (ones > 0.0 && ones < rows) charts += roc_figure(model, content.predicted, content.observed, scores.auc);
  charts += probability_figure(model, content.predicted, content.observed);
  markup += note + in_two_columns(charts) + confusion_table(model, content.predicted, content.observed);
  const std::vector<TestedRow> all = content.sample(content.rows);
  if (all.size() == content.rows) markup += worst_rows(all, &model);
  return markup;
}

std::string count_part(const Model& model, const TestRows::Content& content, const std::string& note) {
  const std::vector<TestedRow> all = content.sample(content.rows);
  const std::vector<TestedRow> dots = content.sample(most_dots);
  const auto total = [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
  };
  std::string markup = paragraph(
      fmt::format("The counts of {} in {} sum to {}; the model expects {}.", count_text(content.rows, "row"),
                  content.source, number_text(total(content.observed)), number_text(total(content.predicted))));
  markup += note + about_dots(dots.size(), all.size(), content.rows);
  std::string charts = observed_figure(model, dots);
  if (std::ranges::max(content.observed) <= largest_drawn_count) {
    std::vector<double> expected;
    std::vector<double> counts;
    for (const TestedRow& row : all) expected.push_back(row.predicted), counts.push_back(row.observed);
    charts += count_frequency_figure(model, expected, counts);
  }
  if (all.size() >= fewest_calibrated) charts += calibration_figure(model, all);
  markup += in_two_columns(charts) + coverage_part(content);
  if (all.size() == content.rows) markup += worst_rows(all);
  return markup;
}

}  // namespace

std::string test_section(const Model& model, const TestRows* test) {
  constexpr const char* title = "Test rows";
  if (test == nullptr) {
    return section("test", title,
                   paragraph("No test rows were given. To add errors and calibration on test rows, run shrimp report "
                             "MODEL.json --data TEST.csv, or call report(path, X, y) in Python."));
  }
  const TestRows::Content& content = test->content();
  if (content.rows == 0) return section("test", title, paragraph(content.source + " has no rows.", "note"));
  const std::string clipped = clipping_warning(model, content.clipped);
  const std::string note = clipped.empty() ? "" : paragraph(clipped, "note");
  const Loss loss = loss_of(model);
  const std::string markup = loss == Loss::logistic  ? class_part(model, content, note)
                             : loss == Loss::poisson ? count_part(model, content, note)
                                                     : number_part(model, content, note);
  return section("test", title, markup);
}

}  // namespace shrimp::report

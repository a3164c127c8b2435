#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "report/html.hpp"
#include "report/sections.hpp"
#include "report/test_figures.hpp"
#include "report/words.hpp"

namespace shrimp::report {
namespace {

constexpr std::size_t most_dots = 600;
constexpr std::size_t fewest_calibrated = 20;
constexpr std::size_t worst_listed = 10;

std::string worst_rows(std::vector<TestedRow> rows) {
  const std::size_t count = std::min(worst_listed, rows.size());
  const auto size = [](const TestedRow& row) { return std::abs(row.observed - row.predicted); };
  std::ranges::partial_sort(rows, rows.begin() + static_cast<std::ptrdiff_t>(count), std::greater<>(), size);
  std::vector<std::vector<Cell>> cells;
  for (const TestedRow& row : std::span(rows).first(count)) {
    cells.push_back({{fmt::format("{}", row.row + 1)},
                     {number_text(row.predicted)},
                     {number_text(row.observed)},
                     {number_text(row.observed - row.predicted)}});
  }
  return folded(fmt::format("The {} that {} furthest off", count_text(count, "row"), count == 1 ? "is" : "are"),
                table({{"row", "text"}, {"predicted"}, {"observed"}, {"off by"}}, cells));
}

std::string coverage_part(const TestRows::Content& content) {
  std::string markup = "<h3>Intervals</h3>\n";
  if (content.coverage.empty()) {
    return markup +
           paragraph("This model file has no intervals about predictions. A model that is fitted again has them.");
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
      "How many rows lie within their prediction intervals, which should be as many as the level says. The line over a "
      "bar is where it would end in 95 of 100 tables of this length, if the intervals were right.");
  return markup + table({{"level"}, {"rows within"}, {"", "text"}, {"mean half width"}}, cells, "errors");
}

}  // namespace

std::string test_section(const Model& model, const TestRows* test) {
  constexpr const char* title = "Beside a test table";
  if (test == nullptr) {
    return section("test", title,
                   paragraph("No table was given. shrimp report MODEL.json --data TEST.csv, or report(path, X, y) in "
                             "Python, adds the errors and the calibration on rows that the model has not seen."));
  }
  const TestRows::Content& content = test->content();
  const std::vector<TestedRow> all = content.sample(content.rows);
  if (all.empty()) return section("test", title, paragraph(content.source + " has no rows.", "note"));
  std::string markup =
      paragraph(fmt::format("Of {} in {}, half are predicted to within ±\u00A0{} and nine of ten to within ±\u00A0{}.",
                            count_text(content.rows, "row"), content.source, number_text(error_quantile(all, 0.5)),
                            number_text(error_quantile(all, 0.9))));
  const std::string clipped = clipping_warning(model, content.clipped);
  if (!clipped.empty()) markup += paragraph(clipped, "note");
  const std::vector<TestedRow> dots = content.sample(most_dots);
  if (dots.size() < content.rows) {
    markup +=
        paragraph(fmt::format("Points are {} of the rows, chosen at random; the histogram and the means are of {}.",
                              dots.size(), all.size() < content.rows ? fmt::format("{}", all.size()) : "all"),
                  "soft");
  }
  std::string charts = observed_figure(model, dots) + residuals_figure(model, dots, all) + histogram_figure(model, all);
  if (all.size() >= fewest_calibrated) charts += calibration_figure(model, all);
  markup += "<div class=\"charts two\">\n" + charts + "</div>\n";
  markup += coverage_part(content);
  if (all.size() == content.rows) markup += worst_rows(all);
  return section("test", title, markup);
}

}  // namespace shrimp::report

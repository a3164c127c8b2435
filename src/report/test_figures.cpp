#include "report/test_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/figure.hpp"
#include "report/frame.hpp"
#include "report/words.hpp"

namespace shrimp::report {
namespace {

double error_of(const TestedRow& row) { return row.observed - row.predicted; }

// Rows of like predictions.
struct Bin {
  double rows = 0.0;
  double predicted = 0.0;  // Means.
  double observed = 0.0;
  double error = 0.0;  // Two standard errors of the mean of observed − predicted.
};

std::vector<Bin> bins_of(std::span<const TestedRow> all) {
  std::vector<TestedRow> rows(all.begin(), all.end());
  std::ranges::stable_sort(rows, {}, &TestedRow::predicted);
  const std::size_t count = std::clamp<std::size_t>(rows.size() / 10, 1, 10);
  std::vector<Bin> bins;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t first = k * rows.size() / count;
    const auto own = std::span(rows).subspan(first, (k + 1) * rows.size() / count - first);
    Bin bin{.rows = static_cast<double>(own.size())};
    for (const TestedRow& row : own) {
      bin.predicted += row.predicted / bin.rows;
      bin.observed += row.observed / bin.rows;
    }
    double squares = 0.0;
    for (const TestedRow& row : own) squares += std::pow(error_of(row) - (bin.observed - bin.predicted), 2);
    bin.error = bin.rows > 1.0 ? 2.0 * std::sqrt(squares / (bin.rows - 1.0) / bin.rows) : 0.0;
    bins.push_back(bin);
  }
  return bins;
}

std::vector<double> column(std::span<const TestedRow> rows, double (*get)(const TestedRow&)) {
  std::vector<double> values;
  for (const TestedRow& row : rows) values.push_back(get(row));
  return values;
}

std::vector<double> column(std::span<const Bin> bins, double Bin::*member) {
  std::vector<double> values;
  for (const Bin& bin : bins) values.push_back(bin.*member);
  return values;
}

// In the order of predictions, which is that of the arrow keys.
std::vector<TestedRow> ordered(std::span<const TestedRow> rows) {
  std::vector<TestedRow> sorted(rows.begin(), rows.end());
  std::ranges::stable_sort(sorted, {}, &TestedRow::predicted);
  return sorted;
}

std::vector<double> row_numbers(std::span<const TestedRow> rows) {
  return column(rows, [](const TestedRow& row) { return static_cast<double>(row.row + 1); });
}

double dot_radius(std::size_t count) {
  return std::clamp(40.0 / std::sqrt(static_cast<double>(count) + 1.0), 1.3, 2.6);
}

void draw_whiskers(Canvas& canvas, const Frame& frame, std::span<const Bin> bins, bool as_errors) {
  for (const Bin& bin : bins) {
    const double middle = as_errors ? bin.observed - bin.predicted : bin.observed;
    canvas.polyline(
        std::array{frame.at(bin.predicted, middle - bin.error), frame.at(bin.predicted, middle + bin.error)},
        {.colour = Colour::of_page("warm"), .width = 1.6});
    canvas.fill_circle(frame.at(bin.predicted, middle), 3.0, Colour::of_page("warm"));
  }
}

}  // namespace

double error_quantile(std::span<const TestedRow> all, double share) {
  std::vector<double> sizes = column(all, [](const TestedRow& row) { return std::abs(error_of(row)); });
  const auto place = static_cast<std::ptrdiff_t>(
      std::min(static_cast<double>(sizes.size()) - 1.0, std::floor(share * static_cast<double>(sizes.size()))));
  std::ranges::nth_element(sizes, sizes.begin() + place);
  return sizes[static_cast<std::size_t>(place)];
}

std::string observed_figure(const Model& model, std::span<const TestedRow> rows) {
  const std::vector<TestedRow> sorted = ordered(rows);
  const std::vector<double> predicted = column(sorted, [](const TestedRow& row) { return row.predicted; });
  const std::vector<double> observed = column(sorted, [](const TestedRow& row) { return row.observed; });
  std::vector<double> both = predicted;
  both.insert(both.end(), observed.begin(), observed.end());
  const Frame frame({.axis = {.label = "predicted " + model.target}, .values = both},
                    {.axis = {.label = "observed " + model.target}, .values = both}, wide_figure_width,
                    wide_figure_height);
  Canvas canvas(wide_figure_width, wide_figure_height, Ground::page);
  frame.draw(canvas);
  const auto [low, high] = std::ranges::minmax(both);
  canvas.polyline(std::array{frame.at(low, low), frame.at(high, high)}, Frame::guide);
  std::vector<Point> points;
  for (std::size_t i = 0; i < sorted.size(); ++i) points.push_back(frame.at(predicted[i], observed[i]));
  canvas.dots(points, dot_radius(points.size()), Colour::of_page("curve", 0.55));
  return figure(
      {"Observed and predicted", "",
       fmt::format("{} rows, observed against predicted {}. Arrow keys read values.", sorted.size(), model.target)},
      canvas,
      {.points = points,
       .columns = {row_numbers(sorted), predicted, observed},
       .says = "row {0}: predicted {1}, observed {2}",
       .along_x = false});
}

std::string residuals_figure(const Model& model, std::span<const TestedRow> rows, std::span<const TestedRow> all) {
  const std::vector<TestedRow> sorted = ordered(rows);
  const std::vector<double> predicted = column(sorted, [](const TestedRow& row) { return row.predicted; });
  std::vector<double> errors = column(sorted, error_of);
  const std::vector<Bin> bins = bins_of(all);
  std::vector<double> heights = errors;
  heights.push_back(0.0);
  const Frame frame({.axis = {.label = "predicted " + model.target}, .values = predicted},
                    {.axis = {.label = "observed − predicted"}, .values = heights}, wide_figure_width,
                    wide_figure_height);
  Canvas canvas(wide_figure_width, wide_figure_height, Ground::page);
  frame.draw(canvas);
  canvas.polyline(std::array{Point{frame.area().left, frame.at(predicted.front(), 0.0).y},
                             Point{frame.area().right(), frame.at(predicted.front(), 0.0).y}},
                  Frame::guide);
  std::vector<Point> points;
  for (std::size_t i = 0; i < sorted.size(); ++i) points.push_back(frame.at(predicted[i], errors[i]));
  canvas.dots(points, dot_radius(points.size()), Colour::of_page("curve", 0.55));
  if (bins.size() > 1) draw_whiskers(canvas, frame, bins, true);
  return figure({"Errors", bins.size() > 1 ? "orange: means of ten groups" : "",
                 "Observed minus predicted against predicted. Arrow keys read values."},
                canvas,
                {.points = points,
                 .columns = {row_numbers(sorted), predicted, errors},
                 .says = "row {0}: predicted {1}, error {2}",
                 .along_x = false});
}

std::string histogram_figure(const Model& model, std::span<const TestedRow> all) {
  constexpr std::size_t bars = 25;
  constexpr double nearly_all = 0.995;
  double reach = error_quantile(all, nearly_all);
  if (reach <= 0.0) reach = 1.0;
  const double width = 2.0 * reach / bars;
  std::vector<double> counts(bars, 0.0);
  for (const TestedRow& row : all) {
    const double place = std::floor((error_of(row) + reach) / width);
    counts[static_cast<std::size_t>(std::clamp(place, 0.0, bars - 1.0))] += 1.0;
  }
  const Frame frame(
      {.axis = {.label = "observed − predicted " + model.target}, .values = {-reach, reach}, .flush = true},
      {.axis = {.label = "rows"}, .values = counts, .from_zero = true}, wide_figure_width, wide_figure_height);
  Canvas canvas(wide_figure_width, wide_figure_height, Ground::page);
  frame.draw(canvas);
  std::vector<Rectangle> shapes;
  Places places{.points = {}, .columns = std::vector<std::vector<double>>(3), .says = "{0} to {1}: {2} rows"};
  for (std::size_t k = 0; k < bars; ++k) {
    const double from = -reach + static_cast<double>(k) * width;
    const Point left = frame.at(from, counts[k]);
    const Point right = frame.at(from + width, 0.0);
    shapes.push_back({left.x + 0.5, left.y, right.x - left.x - 1.0, right.y - left.y});
    places.points.push_back({0.5 * (left.x + right.x), left.y});
    places.columns[0].push_back(from);
    places.columns[1].push_back(from + width);
    places.columns[2].push_back(counts[k]);
  }
  canvas.fill(shapes, Colour::of_page("curve", 0.8));
  return figure({"Distribution of errors", "the outer bars include larger errors",
                 fmt::format("Histogram of observed minus predicted {}. Arrow keys read values.", model.target)},
                canvas, places);
}

std::string calibration_figure(const Model& model, std::span<const TestedRow> all) {
  const std::vector<Bin> bins = bins_of(all);
  std::vector<double> x = column(bins, &Bin::predicted);
  std::vector<double> both = x;
  for (const Bin& bin : bins) both.insert(both.end(), {bin.observed - bin.error, bin.observed + bin.error});
  const Frame frame({.axis = {.label = "mean predicted " + model.target}, .values = both},
                    {.axis = {.label = "mean observed " + model.target}, .values = both}, wide_figure_width,
                    wide_figure_height);
  Canvas canvas(wide_figure_width, wide_figure_height, Ground::page);
  frame.draw(canvas);
  const auto [low, high] = std::ranges::minmax(both);
  canvas.polyline(std::array{frame.at(low, low), frame.at(high, high)}, Frame::guide);
  draw_whiskers(canvas, frame, bins, false);
  std::vector<Point> points;
  for (const Bin& bin : bins) points.push_back(frame.at(bin.predicted, bin.observed));
  return figure({"Calibration", "groups of rows by prediction, ± 2 standard errors",
                 fmt::format("Mean observed against mean predicted {} in {} groups of rows. Arrow keys read values.",
                             model.target, bins.size())},
                canvas,
                {.points = points,
                 .columns = {column(bins, &Bin::rows), x, column(bins, &Bin::observed), column(bins, &Bin::error)},
                 .says = "{0} rows: mean prediction {1}, mean observation {2} ± {3}"});
}

}  // namespace shrimp::report

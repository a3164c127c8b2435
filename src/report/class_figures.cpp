#include "report/class_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "data/class_scores.hpp"
#include "report/figure.hpp"
#include "report/frame.hpp"
#include "report/html.hpp"
#include "report/text.hpp"
#include "report/words.hpp"

namespace shrimp::report {
namespace {

constexpr std::array<double, 2> whole_range = {0.0, 1.0};

Frame unit_frame(const std::string& x, const std::string& y) {
  const std::vector<double> range(whole_range.begin(), whole_range.end());
  return Frame({.axis = {.label = x}, .values = range, .flush = true},
               {.axis = {.label = y}, .values = range, .flush = true}, wide_figure_width, wide_figure_height);
}

void draw_diagonal(Canvas& canvas, const Frame& frame) {
  canvas.polyline(std::array{frame.at(0.0, 0.0), frame.at(1.0, 1.0)}, Frame::guide);
}

/// Rates of one threshold: rows at or above it are predicted as class 1.
struct Rates {
  double threshold = 0.0;
  double false_positives = 0.0;
  double true_positives = 0.0;
};

// One point for each different probability, from the highest threshold on.
std::vector<Rates> rates_by_threshold(std::span<const double> probability, std::span<const double> y) {
  std::vector<std::size_t> order(y.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return probability[i]; });
  const double ones = std::accumulate(y.begin(), y.end(), 0.0);
  const double zeros = static_cast<double>(y.size()) - ones;
  std::vector<Rates> rates;
  double positives = 0.0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    positives += y[order[k]];
    const double threshold = probability[order[k]];
    if (k + 1 < order.size() && probability[order[k + 1]] == threshold) continue;
    rates.push_back({threshold, (static_cast<double>(k + 1) - positives) / zeros, positives / ones});
  }
  return rates;
}

// As many points as a page has room for, the first and the last among them.
std::vector<Rates> thinned(const std::vector<Rates>& all) {
  constexpr std::size_t most = 200;
  if (all.size() <= most) return all;
  std::vector<Rates> some;
  for (std::size_t k = 0; k < most; ++k) some.push_back(all[k * (all.size() - 1) / (most - 1)]);
  return some;
}

/// Counts of rows by observed and predicted class.
using Confusion = std::array<std::array<std::size_t, 2>, 2>;

Confusion count_confusion(std::span<const double> probability, std::span<const double> y) {
  Confusion counts = {};
  for (std::size_t i = 0; i < y.size(); ++i) ++counts[y[i] == 1.0 ? 1 : 0][probability[i] > 0.5 ? 1 : 0];
  return counts;
}

std::string fraction_text(std::size_t part, std::size_t whole) {
  if (whole == 0) return "–";
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace

std::string reliability_figure(const Model& model, std::span<const double> probability, std::span<const double> y) {
  const std::string name = class_text(model);
  const Frame frame = unit_frame("mean predicted probability of " + name, "observed fraction of " + name);
  Canvas canvas(wide_figure_width, wide_figure_height, Ground::page);
  frame.draw(canvas);
  draw_diagonal(canvas, frame);
  Places places{.points = {},
                .columns = std::vector<std::vector<double>>(4),
                .says = "{0} rows: predicted {1}, observed {2} ± {3}"};
  for (const CalibrationBin& bin : calibration_bins(probability, y)) {
    const double error = 2.0 * std::sqrt(bin.share * (1.0 - bin.share) / static_cast<double>(bin.rows));
    canvas.polyline(std::array{frame.at(bin.probability, std::max(0.0, bin.share - error)),
                               frame.at(bin.probability, std::min(1.0, bin.share + error))},
                    {.colour = Colour::of_page("warm"), .width = 1.6});
    places.points.push_back(frame.at(bin.probability, bin.share));
    places.columns[0].push_back(static_cast<double>(bin.rows));
    places.columns[1].push_back(bin.probability);
    places.columns[2].push_back(bin.share);
    places.columns[3].push_back(error);
  }
  canvas.polyline(places.points, {.colour = Colour::of_page("curve"), .width = 1.8});
  for (const Point& point : places.points) canvas.fill_circle(point, 3.0, Colour::of_page("warm"));
  return figure({"Calibration", "ten groups by probability, ± 2 standard errors",
                 fmt::format("Observed fraction of {} against its mean predicted probability in {} groups of rows. "
                             "Arrow keys read values.",
                             name, places.points.size())},
                canvas, places);
}

std::string roc_figure(const Model& model, std::span<const double> probability, std::span<const double> y, double auc) {
  const Frame frame = unit_frame("false positive rate", "true positive rate");
  Canvas canvas(wide_figure_width, wide_figure_height, Ground::page);
  frame.draw(canvas);
  draw_diagonal(canvas, frame);
  Places places{.points = {},
                .columns = std::vector<std::vector<double>>(3),
                .says = "threshold {0}: true positive rate {1}, false positive rate {2}",
                .along_x = false};
  std::vector<Point> curve = {frame.at(0.0, 0.0)};
  for (const Rates& rates : thinned(rates_by_threshold(probability, y))) {
    places.points.push_back(frame.at(rates.false_positives, rates.true_positives));
    places.columns[0].push_back(rates.threshold);
    places.columns[1].push_back(rates.true_positives);
    places.columns[2].push_back(rates.false_positives);
  }
  curve.insert(curve.end(), places.points.begin(), places.points.end());
  canvas.polyline(curve, {.colour = Colour::of_page("curve"), .width = 2.2});
  return figure({"ROC curve", fmt::format("area {:.3f}; diagonal: random guessing", auc),
                 fmt::format("Receiver operating characteristic for {}: true positive rate against false positive "
                             "rate, area {:.3f}. Arrow keys read values.",
                             class_text(model), auc)},
                canvas, places);
}

std::string probability_figure(const Model& model, std::span<const double> probability, std::span<const double> y) {
  constexpr std::size_t bins = 20;
  constexpr double width = 1.0 / bins;
  std::array<std::vector<double>, 2> counts = {std::vector<double>(bins, 0.0), std::vector<double>(bins, 0.0)};
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double place = std::clamp(std::floor(probability[i] * bins), 0.0, bins - 1.0);
    counts[y[i] == 1.0 ? 1 : 0][static_cast<std::size_t>(place)] += 1.0;
  }
  std::vector<double> heights = counts[0];
  heights.insert(heights.end(), counts[1].begin(), counts[1].end());
  const std::vector<double> range(whole_range.begin(), whole_range.end());
  const Frame frame(
      {.axis = {.label = "predicted probability of " + class_text(model)}, .values = range, .flush = true},
      {.axis = {.label = "rows"}, .values = heights, .from_zero = true}, wide_figure_width, wide_figure_height);
  Canvas canvas(wide_figure_width, wide_figure_height, Ground::page);
  frame.draw(canvas);
  Places places{.points = {},
                .columns = std::vector<std::vector<double>>(4),
                .says = "probability {0} to {1}: " + in_says(class_text(model, 0)) + " {2} rows, " +
                        in_says(class_text(model)) + " {3} rows"};
  std::array<std::vector<Rectangle>, 2> shapes;
  for (std::size_t k = 0; k < bins; ++k) {
    const double from = static_cast<double>(k) * width;
    for (std::size_t which = 0; which < 2; ++which) {
      const Point left = frame.at(from + (0.06 + 0.44 * static_cast<double>(which)) * width, counts[which][k]);
      const Point right = frame.at(from + (0.5 + 0.44 * static_cast<double>(which)) * width, 0.0);
      shapes[which].push_back({left.x, left.y, right.x - left.x, right.y - left.y});
    }
    places.points.push_back(frame.at(from + 0.5 * width, std::max(counts[0][k], counts[1][k])));
    places.columns[0].push_back(from);
    places.columns[1].push_back(from + width);
    places.columns[2].push_back(counts[0][k]);
    places.columns[3].push_back(counts[1][k]);
  }
  canvas.fill(shapes[0], Colour::of_page("curve", 0.8));
  canvas.fill(shapes[1], Colour::of_page("warm", 0.8));
  return figure(
      {"Predicted probabilities", fmt::format("blue: observed {}, orange: {}", class_text(model, 0), class_text(model)),
       fmt::format("Histograms of the predicted probability of {} for each observed class. Arrow keys read "
                   "values.",
                   class_text(model))},
      canvas, places);
}

std::string confusion_table(const Model& model, std::span<const double> probability, std::span<const double> y) {
  const Confusion counts = count_confusion(probability, y);
  std::vector<Cell> header = {{"observed", "text"}};
  for (std::size_t k = 0; k < 2; ++k) header.push_back({"predicted " + escaped(class_text(model, k))});
  header.push_back({"recall"});
  std::vector<std::vector<Cell>> rows;
  for (std::size_t k = 0; k < 2; ++k) {
    rows.push_back({{escaped(class_text(model, k)), "text"},
                    {fmt::format("{}", counts[k][0])},
                    {fmt::format("{}", counts[k][1])},
                    {fraction_text(counts[k][k], counts[k][0] + counts[k][1])}});
  }
  rows.push_back({{"precision", "text soft"},
                  {fraction_text(counts[0][0], counts[0][0] + counts[1][0]), "soft"},
                  {fraction_text(counts[1][1], counts[0][1] + counts[1][1]), "soft"},
                  {fraction_text(counts[0][0] + counts[1][1], y.size()) + " accuracy", "soft"}});
  return "<h3>Confusion matrix</h3>\n" +
         paragraph(fmt::format("Rows are predicted as {} if its probability is above 0.5.", class_text(model)),
                   "soft") +
         table(header, rows);
}

}  // namespace shrimp::report

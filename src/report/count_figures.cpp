#include "report/count_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/figure.hpp"
#include "report/frame.hpp"
#include "report/words.hpp"

namespace shrimp::report {
namespace {

// Number of rows expected to have each count 0, 1, …, last.
std::vector<double> expected_frequencies(std::span<const double> expected, std::size_t last) {
  std::vector<double> frequencies(last + 1, 0.0);
  for (const double rate : expected) {
    const double mean = std::max(rate, 1e-300);  // Whose logarithm is finite.
    for (std::size_t k = 0; k <= last; ++k) {
      const auto count = static_cast<double>(k);
      frequencies[k] += std::exp(count * std::log(mean) - mean - std::lgamma(count + 1.0));
    }
  }
  return frequencies;
}

std::vector<double> summed_by(const std::vector<double>& frequencies, std::size_t width) {
  std::vector<double> bins((frequencies.size() + width - 1) / width, 0.0);
  for (std::size_t k = 0; k < frequencies.size(); ++k) bins[k / width] += frequencies[k];
  return bins;
}

}  // namespace

double dispersion(std::span<const double> expected, std::span<const double> counts) {
  double sum = 0.0;
  for (std::size_t i = 0; i < counts.size(); ++i) sum += std::pow(counts[i] - expected[i], 2) / expected[i];
  return sum / static_cast<double>(counts.size());
}

std::string count_frequency_figure(const Model& model, std::span<const double> expected,
                                   std::span<const double> counts) {
  constexpr std::size_t most_bars = 30;
  const auto last = static_cast<std::size_t>(std::ranges::max(counts));
  std::vector<double> observed(last + 1, 0.0);
  for (const double count : counts) observed[static_cast<std::size_t>(count)] += 1.0;
  const std::size_t width = last / most_bars + 1;
  observed = summed_by(observed, width);
  const std::vector<double> fitted = summed_by(expected_frequencies(expected, last), width);
  std::vector<double> heights = observed;
  heights.insert(heights.end(), fitted.begin(), fitted.end());
  const double end = static_cast<double>(observed.size() * width) - 0.5;
  const Frame frame({.axis = {.label = model.target}, .values = {-0.5, end}, .flush = true},
                    {.axis = {.label = "rows"}, .values = heights, .from_zero = true}, wide_figure_width,
                    wide_figure_height);
  Canvas canvas(wide_figure_width, wide_figure_height, Ground::page);
  frame.draw(canvas);
  std::vector<Rectangle> bars;
  Places places{.points = {},
                .columns = std::vector<std::vector<double>>(4),
                .says = width == 1 ? "count {0}: {2} rows, {3} expected" : "counts {0} to {1}: {2} rows, {3} expected"};
  for (std::size_t k = 0; k < observed.size(); ++k) {
    const auto first = static_cast<double>(k * width);
    const auto span = static_cast<double>(width);
    const Point left = frame.at(first - 0.5, observed[k]);
    const Point right = frame.at(first - 0.5 + span, 0.0);
    bars.push_back({left.x + 0.5, left.y, right.x - left.x - 1.0, right.y - left.y});
    places.points.push_back(frame.at(first - 0.5 + 0.5 * span, fitted[k]));
    places.columns[0].push_back(first);
    places.columns[1].push_back(first + span - 1.0);
    places.columns[2].push_back(observed[k]);
    places.columns[3].push_back(fitted[k]);
  }
  canvas.fill(bars, Colour::of_page("curve", 0.55));
  canvas.polyline(places.points, {.colour = Colour::of_page("warm"), .width = 1.6});
  for (const Point& point : places.points) canvas.fill_circle(point, 2.6, Colour::of_page("warm"));
  return figure(
      {"Counts", "blue: observed, orange: expected by the model",
       fmt::format("Number of rows by {}, observed and expected by the model. Arrow keys read values.", model.target)},
      canvas, places);
}

}  // namespace shrimp::report

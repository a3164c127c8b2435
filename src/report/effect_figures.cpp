#include "report/effect_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "data/utf8.hpp"
#include "report/figure.hpp"
#include "report/frame.hpp"
#include "report/words.hpp"

namespace shrimp::report {
namespace {

using Along = Anchor::Along;

constexpr Colour curve_colour = Colour::of_page("curve");

std::string effect_on(const Model& model) { return "effect on " + fitted_target(model); }

FigureText text_of(const Model& model, std::size_t term, std::string summary) {
  const Term& own = model.terms[term];
  return {model.short_term_name(own), percent_text(own.fraction), std::move(summary), fmt::format("term-{}", term + 1)};
}

// Places along an axis: the values, or 0, 1, 2, … where these are names.
std::vector<double> coordinates(const InputGrid& grid) {
  std::vector<double> places = grid.values;
  if (grid.few) std::iota(places.begin(), places.end(), 0.0);
  return places;
}

// Beside each other, names have room for a few letters.
std::string shortened_name(const std::string& name) {
  constexpr std::size_t most = 9;
  std::size_t end = 0;
  for (std::size_t letters = 0; end < name.size() && letters < most; ++letters) {
    if (!next_character(name, end)) return name;
  }
  return end < name.size() ? name.substr(0, end) + "…" : name;
}

Axis axis_of(const Model& model, const InputGrid& grid) {
  Axis axis{.label = model.inputs[grid.input], .logarithmic = grid.logarithmic};
  if (!grid.few) return axis;
  if (!grid.names.empty()) {
    for (const std::string& name : grid.names) axis.categories.push_back(shortened_name(name));
    return axis;
  }
  axis.categories = with_minus_signs(plain_numbers(grid.values));
  return axis;
}

// How many rows have each value that is drawn.
std::vector<double> masses_of(const Marginal& marginal, const InputGrid& grid) {
  std::vector<double> masses;
  for (const double value : grid.values) {
    const auto place = std::ranges::lower_bound(marginal.values, value) - marginal.values.begin();
    masses.push_back(marginal.masses[static_cast<std::size_t>(place)]);
  }
  return masses;
}

// The lowest and the highest point of a curve in words.
std::string summary_of(const Model& model, const Curve& curve) {
  const std::string& input = model.inputs[curve.x.input];
  const auto [low, high] = std::ranges::minmax_element(curve.values);
  const auto place = [&](auto position) {
    const auto at = static_cast<std::size_t>(position - curve.values.begin());
    return curve.x.names.empty() ? number_text(curve.x.values[at]) : curve.x.names[at];
  };
  return fmt::format("Effect of {0} on {1}: lowest {2} at {0} = {3}, highest {4} at {0} = {5}. Arrow keys read values.",
                     input, fitted_target(model), number_text(*low), place(low), number_text(*high), place(high));
}

void draw_zero(Canvas& canvas, const Frame& frame, double from, double to) {
  constexpr std::array<double, 2> dashes = {3.0, 3.0};
  canvas.polyline(
      std::array{Point{frame.area().left, frame.at(from, 0.0).y}, Point{frame.area().right(), frame.at(to, 0.0).y}},
      {.colour = Colour::of_page("line"), .width = 0.8, .dashes = dashes});
}

void draw_band(Canvas& canvas, const Frame& frame, const std::vector<double>& x, const Curve& curve) {
  if (curve.low.empty()) return;
  std::vector<Point> outline;
  for (std::size_t i = 0; i < x.size(); ++i) outline.push_back(frame.at(x[i], curve.high[i]));
  for (std::size_t i = x.size(); i-- > 0;) outline.push_back(frame.at(x[i], curve.low[i]));
  canvas.fill(outline, Colour::of_page("curve", 0.2));
}

void draw_rug(Canvas& canvas, const Frame& frame, const std::vector<double>& values) {
  constexpr double length = 5.0;
  std::vector<Point> ends;
  for (const double value : values) {
    const Point foot{frame.at(value, 0.0).x, frame.area().bottom() - length};
    if (frame.area().contains(foot)) ends.push_back(foot);
  }
  canvas.verticals(ends, frame.area().bottom(), {.colour = Colour::of_page("ink", 0.5), .width = 0.8});
}

// A point at each value, the more rows have it the larger, with its interval as a line where there is one.
void draw_values(Canvas& canvas, const Frame& frame, const std::vector<Point>& points, const Curve& curve,
                 const std::vector<double>& masses) {
  const double most = std::ranges::max(masses);
  canvas.verticals(points, frame.at(0.0, 0.0).y, {.colour = Colour::of_page("line"), .width = 1.0});
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double radius = 2.5 + 4.0 * std::sqrt(masses[i] / most);
    canvas.fill_circle(points[i], radius, curve_colour);
    if (curve.low.empty()) continue;
    const auto x = static_cast<double>(i);
    canvas.polyline(std::array{frame.at(x, curve.low[i]), frame.at(x, curve.high[i])},
                    {.colour = Colour::of_page("ink"), .width = 1.4});
  }
}

// Levels of effects: 0 is none, ±most_levels the largest of the map.
constexpr int most_levels = 8;

Colour colour_of(int level) {
  const double strength = static_cast<double>(std::abs(level)) / most_levels;
  return Colour::of_page(level < 0 ? "cool" : "warm", std::min(strength, 0.99));
}

// Cells of one level that touch along a row are one rectangle, and all of one level one shape, in units of a cell.
void draw_cells(Canvas& canvas, const Rectangle& area, const Surface& surface, double largest) {
  const std::size_t columns = surface.x.values.size();
  const std::size_t rows = surface.y.values.size();
  const auto level = [&](std::size_t cell) {
    return static_cast<int>(std::lround(most_levels * surface.values[cell] / largest));
  };
  std::map<int, std::vector<Rectangle>> shapes;
  for (std::size_t k = 0; k < rows; ++k) {
    for (std::size_t i = 0, end = 0; i < columns; i = end) {
      const int own = level(i + k * columns);
      for (end = i + 1; end < columns && level(end + k * columns) == own;) ++end;
      shapes[own].push_back({static_cast<double>(i), static_cast<double>(k), static_cast<double>(end - i), 1.0});
    }
  }
  const Placement placement{{area.left, area.bottom()},
                            {area.width / static_cast<double>(columns), -area.height / static_cast<double>(rows)}};
  for (const auto& [own, cells] : shapes) {
    if (own != 0) canvas.fill(cells, colour_of(own), placement);
  }
}

void draw_colour_bar(Canvas& canvas, const Rectangle& area, double largest) {
  constexpr double gap = 10.0;
  constexpr double width = 9.0;
  const double step = area.height / (2 * most_levels + 1);
  for (int level = -most_levels; level <= most_levels; ++level) {
    if (level == 0) continue;
    canvas.fill(Rectangle{area.right() + gap, area.bottom() - (level + most_levels + 1) * step, width, step},
                colour_of(level));
  }
  canvas.outline({area.right() + gap, area.top, width, area.height}, {.colour = Colour::of_page("line"), .width = 0.6});
  const auto label = [&](double share, double value) {
    canvas.text(number_text(value), {area.right() + gap + width + 4.0, area.bottom() - share * area.height},
                Frame::tick_size, {Along::start, 0.5});
  };
  label(0.0, -largest), label(0.5, 0.0), label(1.0, largest);
}

// Two digits are enough for the ends of a bar of colours, and no effect is beyond them.
double rounded_up(double size) {
  if (size == 0.0) return 1.0;
  const double unit = std::pow(10.0, std::floor(std::log10(size)) - 1.0);
  return unit * std::ceil(size / unit - 1e-9);
}

double largest_size(const std::vector<double>& values) {
  double size = 0.0;
  for (const double value : values) size = std::max(size, std::abs(value));
  return size;
}

AxisValues map_axis(const Model& model, const InputGrid& grid) {
  return {.axis = axis_of(model, grid),
          .values = grid.few ? coordinates(grid) : std::vector<double>{grid.low, grid.high},
          .flush = true};
}

}  // namespace

std::string curve_figure(const Model& model, const Curve& curve) {
  const std::vector<double> x = coordinates(curve.x);
  std::vector<double> heights = curve.values;
  heights.push_back(0.0);
  heights.insert(heights.end(), curve.low.begin(), curve.low.end());
  heights.insert(heights.end(), curve.high.begin(), curve.high.end());
  const Frame frame({.axis = axis_of(model, curve.x), .values = x},
                    {.axis = {.label = effect_on(model)}, .values = heights}, figure_width, figure_height);
  Canvas canvas(figure_width, figure_height, Ground::page);
  frame.draw(canvas);
  draw_zero(canvas, frame, x.front(), x.back());
  std::vector<Point> points;
  for (std::size_t i = 0; i < x.size(); ++i) points.push_back(frame.at(x[i], curve.values[i]));
  const Marginal& marginal = model.marginals[curve.x.input];
  if (curve.x.few) {
    draw_values(canvas, frame, points, curve, masses_of(marginal, curve.x));
  } else {
    draw_band(canvas, frame, x, curve);
    canvas.polyline(points, {.colour = curve_colour, .width = 2.2});
    draw_rug(canvas, frame, marginal.values);
  }
  Places places{.points = points, .columns = {curve.x.values, curve.values}, .says = {}};
  places.names = curve.x.names;
  places.says = in_says(model.inputs[curve.x.input]) + " = {0}: effect {1}";
  if (!curve.low.empty()) {
    places.columns.insert(places.columns.end(), {curve.low, curve.high});
    places.says += " ({2} to {3})";
  }
  return figure(text_of(model, curve.term, summary_of(model, curve)), canvas, places);
}

std::string map_figure(const Model& model, const Surface& surface) {
  constexpr double room_for_bar = 68.0;
  const Frame frame(map_axis(model, surface.x), map_axis(model, surface.y), figure_width, figure_height, room_for_bar);
  Canvas canvas(figure_width, figure_height, Ground::page);
  const double size = largest_size(surface.values);
  const double largest = rounded_up(size);
  draw_cells(canvas, frame.area(), surface, largest);
  frame.draw(canvas, false);
  draw_colour_bar(canvas, frame.area(), largest);
  const std::string& x = model.inputs[surface.x.input];
  const std::string& y = model.inputs[surface.y.input];
  const std::string summary = fmt::format(
      "Interaction of {} and {} in {}, without their main effects: up to {} in absolute value. Arrow keys read values.",
      x, y, fitted_target(model), number_text(size));
  return figure(text_of(model, surface.term, summary), canvas,
                Cells{.area = frame.area(),
                      .x = surface.x.values,
                      .y = surface.y.values,
                      .values = surface.values,
                      .says = fmt::format("{} = {{0}}, {} = {{1}}: effect {{2}}", in_says(x), in_says(y)),
                      .x_names = surface.x.names,
                      .y_names = surface.y.names});
}

}  // namespace shrimp::report

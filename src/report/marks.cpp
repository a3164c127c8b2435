#include "report/marks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "report/text.hpp"

namespace shrimp::report {
namespace {

constexpr std::size_t style_count = 6;
constexpr std::size_t few_points = 60;
constexpr std::size_t markers_on_long_lines = 15;
constexpr double line_width = 1.5;
constexpr double stem_width = 1.2;
constexpr double sample_radius = 2.6;
constexpr double sample_distance = 5.0;
constexpr double legend_border = 4.0;
constexpr double row_height = 1.45;  // Of a legend, in sizes of its letters.

enum class Marker { circle, square, triangle, diamond, cross, plus };

// Okabe and Ito's colours, the lighter of them darkened for paper.
constexpr std::array<Colour, style_count> colours = {{{0.000, 0.447, 0.698},
                                                      {0.835, 0.369, 0.000},
                                                      {0.000, 0.520, 0.375},
                                                      {0.690, 0.310, 0.540},
                                                      {0.100, 0.100, 0.100},
                                                      {0.720, 0.480, 0.000}}};

constexpr std::array<double, 2> dashed = {6.0, 2.5};
constexpr std::array<double, 2> dotted = {1.5, 1.8};
constexpr std::array<double, 4> dash_dotted = {7.0, 2.0, 1.5, 2.0};
constexpr std::array<double, 2> long_dashed = {11.0, 3.0};
constexpr std::array<double, 6> dash_dot_dotted = {6.0, 1.8, 1.5, 1.8, 1.5, 1.8};
constexpr std::array<std::span<const double>, style_count> dash_patterns = {
    std::span<const double>{}, dashed, dotted, dash_dotted, long_dashed, dash_dot_dotted};

struct Style {
  Colour colour;
  std::span<const double> dashes;
  Marker marker;
};

// Every later half dozen pairs the colours with other dashes and markers: 36 styles before one comes back.
Style style_of(std::size_t number) {
  const std::size_t turn = number / style_count;
  return {colours[number % style_count], dash_patterns[(number + turn) % style_count],
          static_cast<Marker>((number + 2 * turn) % style_count)};
}

void draw_marker(Canvas& canvas, const Style& style, Point at, double radius) {
  const auto corner = [&](double x, double y) { return Point{at.x + x * radius, at.y + y * radius}; };
  const auto polygon = [&](std::initializer_list<Point> corners) {
    canvas.fill(std::span(corners.begin(), corners.size()), style.colour);
  };
  const auto strokes = [&](std::initializer_list<Point> ends) {
    for (const auto* end = ends.begin(); end != ends.end(); end += 2) {
      canvas.polyline(std::span(end, 2), {style.colour, 0.5 * radius});
    }
  };
  switch (style.marker) {
    case Marker::circle:
      return canvas.fill_circle(at, radius, style.colour);
    case Marker::square:
      return polygon({corner(-0.9, -0.9), corner(0.9, -0.9), corner(0.9, 0.9), corner(-0.9, 0.9)});
    case Marker::triangle:
      return polygon({corner(0.0, -1.3), corner(1.15, 0.75), corner(-1.15, 0.75)});
    case Marker::diamond:
      return polygon({corner(0.0, -1.35), corner(1.0, 0.0), corner(0.0, 1.35), corner(-1.0, 0.0)});
    case Marker::cross:
      return strokes({corner(-1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0), corner(1.0, -1.0)});
    case Marker::plus:
      return strokes({corner(-1.3, 0.0), corner(1.3, 0.0), corner(0.0, -1.3), corner(0.0, 1.3)});
  }
}

void draw_line(Canvas& canvas, const Marks& marks, const Style& style) {
  const std::size_t count = marks.points();
  const std::size_t every = count < few_points ? 1 : count / markers_on_long_lines;
  // Series over the same x have their markers at different ones.
  std::size_t until_marker = (marks.series->style * every / 4) % every;
  for (const auto& run : marks.runs) {
    canvas.polyline(run, {style.colour, line_width, style.dashes});
    for (const Point point : run) {
      const bool alone = run.size() == 1;
      if (until_marker == 0 || alone) draw_marker(canvas, style, point, marks.radius);
      until_marker = until_marker == 0 ? every - 1 : until_marker - 1;
    }
  }
}

// Of stems too near each other to be told apart, the longest upwards and the longest downwards hide the others.
std::vector<Point> visible_stems(std::span<const Point> stems, double base, double distance) {
  std::map<double, std::pair<Point, Point>> places;
  for (const Point stem : stems) {
    auto& [top, bottom] = places.try_emplace(std::floor(stem.x / distance), stem, stem).first->second;
    if (stem.y < top.y) top = stem;
    if (stem.y > bottom.y) bottom = stem;
  }
  std::vector<Point> visible;
  for (const auto& [place, longest] : places) {
    const auto& [top, bottom] = longest;
    if (top.y < base || bottom.y <= base) visible.push_back(top);
    if (bottom.y > base) visible.push_back(bottom);
  }
  return visible;
}

void draw_stems(Canvas& canvas, const Marks& marks, const Style& style) {
  constexpr std::size_t most_markers = 1000;  // More run into each other, and make an SVG of many megabytes.
  const double width = std::min(stem_width, marks.radius);
  for (const auto& run : marks.runs) {
    canvas.verticals(visible_stems(run, marks.base, 0.25 * width), marks.base, {style.colour, width});
    if (run.size() > most_markers) continue;
    for (const Point point : run) draw_marker(canvas, style, point, marks.radius);
  }
}

void draw_points(Canvas& canvas, const Marks& marks, const Style& style) {
  for (const auto& run : marks.runs) {
    for (const Point point : run) draw_marker(canvas, style, point, marks.radius);
  }
}

// Points a few points apart along all that is drawn.
void trace(Point from, Point to, std::vector<Point>& traced) {
  const int steps = static_cast<int>(std::ceil(std::hypot(to.x - from.x, to.y - from.y) / 4.0));
  for (int k = 1; k <= steps; ++k) {
    traced.push_back({from.x + (to.x - from.x) * k / steps, from.y + (to.y - from.y) * k / steps});
  }
}

std::vector<Point> traced(std::span<const Marks> drawn) {
  std::vector<Point> points;
  for (const Marks& marks : drawn) {
    for (const auto& run : marks.runs) {
      for (std::size_t k = 0; k < run.size(); ++k) {
        points.push_back(run[k]);
        if (marks.series->kind == Series::Kind::stems) trace({run[k].x, marks.base}, run[k], points);
        if (marks.series->kind == Series::Kind::line && k > 0) trace(run[k - 1], run[k], points);
      }
    }
  }
  return points;
}

// A corner; where something is drawn in all of them, whatever place has least of it.
void place(Legend& legend, const Rectangle& area, std::span<const Point> covered) {
  constexpr double distance = 5.0;
  constexpr int divisions = 8;
  const double free_width = area.width - legend.box.width - 2.0 * distance;
  const double free_height = area.height - legend.box.height - 2.0 * distance;
  auto least = std::numeric_limits<std::ptrdiff_t>::max();
  for (const int step : {divisions, divisions / 2, 1}) {
    for (int row = 0; row <= divisions; row += step) {
      for (int column = divisions; column >= 0 && least > 0; column -= step) {
        const Point corner{area.left + free_width * column / divisions, area.top + free_height * row / divisions};
        const Rectangle room{corner.x, corner.y, area.width - free_width, area.height - free_height};
        const auto hidden = std::ranges::count_if(covered, [&](Point point) { return room.contains(point); });
        if (hidden >= least) continue;
        least = hidden;
        legend.box.left = corner.x + distance;
        legend.box.top = corner.y + distance;
      }
    }
  }
  legend.hidden = covered.empty() ? 0.0 : static_cast<double>(least) / static_cast<double>(covered.size());
}

double sample_width(const Legend& legend) {
  const bool lines = std::ranges::any_of(legend.entries, [](const Series* s) { return s->kind == Series::Kind::line; });
  return lines ? 28.0 : 10.0;
}

void draw_sample(Canvas& canvas, const Series& series, const Rectangle& box) {
  const Style style = style_of(series.style);
  const double middle = box.top + 0.5 * box.height;
  const Point centre{box.left + 0.5 * box.width, middle};
  if (series.kind == Series::Kind::line) {
    canvas.polyline(std::array{Point{box.left, middle}, Point{box.right(), middle}},
                    {style.colour, line_width, style.dashes});
  }
  if (series.kind == Series::Kind::stems) {
    const std::array stem = {Point{centre.x, box.bottom()}, Point{centre.x, box.top + 0.3 * box.height}};
    canvas.polyline(stem, {style.colour, stem_width});
    return draw_marker(canvas, style, stem.back(), sample_radius);
  }
  draw_marker(canvas, style, centre, sample_radius);
}

}  // namespace

std::size_t Marks::points() const {
  std::size_t count = 0;
  for (const auto& run : runs) count += run.size();
  return count;
}

void draw(Canvas& canvas, const Marks& marks) {
  const Style style = style_of(marks.series->style);
  switch (marks.series->kind) {
    case Series::Kind::line:
      return draw_line(canvas, marks, style);
    case Series::Kind::points:
      return draw_points(canvas, marks, style);
    case Series::Kind::stems:
      return draw_stems(canvas, marks, style);
  }
}

bool look_alike(const Series& first, const Series& second) {
  return first.name == second.name && first.style == second.style && first.kind == second.kind;
}

std::vector<const Series*> legend_entries(std::span<const Series> series) {
  std::vector<const Series*> entries;
  for (const Series& one : series) {
    const bool known = std::ranges::any_of(entries, [&](const Series* entry) { return look_alike(*entry, one); });
    if (!one.name.empty() && !known) entries.push_back(&one);
  }
  return entries;
}

Legend placed_legend(const Rectangle& area, std::vector<const Series*> entries, std::span<const Marks> drawn) {
  constexpr double largest_size = 8.5;
  Legend legend{std::move(entries)};
  if (legend.entries.empty()) return legend;
  const auto rows = static_cast<double>(legend.entries.size());
  legend.size = std::min(largest_size, 0.9 * area.height / (row_height * rows));
  double longest = 0.0;
  for (const Series* entry : legend.entries) longest = std::max(longest, text_width(entry->name, legend.size));
  const double samples = legend_border + sample_width(legend) + sample_distance;
  legend.box.width = samples + std::min(longest, 0.55 * area.width) + legend_border;
  legend.box.height = 2.0 * legend_border + row_height * legend.size * rows;
  place(legend, area, traced(drawn));
  return legend;
}

void draw(Canvas& canvas, const Legend& legend) {
  if (legend.entries.empty()) return;
  const Rectangle& box = legend.box;
  canvas.fill(box, {1.0, 1.0, 1.0, 0.85});
  canvas.outline(box, {{0.75, 0.75, 0.75}, 0.5});
  const double row = row_height * legend.size;
  const double text = box.left + legend_border + sample_width(legend) + sample_distance;
  double top = box.top + legend_border;
  for (const Series* entry : legend.entries) {
    draw_sample(canvas, *entry, {box.left + legend_border, top, sample_width(legend), row});
    const std::string name = shortened(entry->name, legend.size, box.right() - legend_border - text);
    canvas.text(name, {text, top + 0.5 * row}, legend.size, {Anchor::Along::start, 0.5});
    top += row;
  }
}

}  // namespace shrimp::report

#include "report/canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/text.hpp"
#include "shrimp/errors.hpp"

namespace shrimp::report {
namespace {

// A capital's height in DejaVu Sans as a part of its size. Taken from the font and not from each text, so that texts
// side by side share a baseline.
constexpr double capital_height = 0.73;
constexpr Colour ink{0.1, 0.1, 0.1};
// Pictures of more than 32767 pixels are more than browsers and converters draw at two pixels a point.
constexpr double longest_side = 16383.0;

// Hundredths of a point are finer than paper shows, and −0 is 0.
std::string number(double value) { return fmt::format("{}", std::round(100.0 * value) / 100.0 + 0.0); }

std::string pair(Point point) { return fmt::format("{} {}", number(point.x), number(point.y)); }

std::string rectangle_element(const Rectangle& rectangle, const std::string& look) {
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>\n", number(rectangle.left),
                     number(rectangle.top), number(rectangle.width), number(rectangle.height), look);
}

// The attributes `name` and, where one sees through it, `name`-opacity.
std::string paint(const char* name, const Colour& colour) {
  const auto opacity = [&] {
    return colour.opacity >= 1.0 ? "" : fmt::format(" {}-opacity=\"{}\"", name, number(colour.opacity));
  };
  if (colour.name != nullptr) return fmt::format(" {}=\"var(--{})\"{}", name, colour.name, opacity());
  const auto byte = [](double share) { return static_cast<int>(std::lround(255.0 * share)); };
  return fmt::format(" {}=\"#{:02x}{:02x}{:02x}\"{}", name, byte(colour.red), byte(colour.green), byte(colour.blue),
                     opacity());
}

std::string stroke(const Pen& pen) {
  std::string look = fmt::format("{} stroke-width=\"{}\"", paint("stroke", pen.colour), number(pen.width));
  if (pen.dashes.empty()) return look;
  std::string dashes;
  for (const double length : pen.dashes) dashes += fmt::format("{}{}", dashes.empty() ? "" : " ", number(length));
  return fmt::format("{} stroke-dasharray=\"{}\"", look, dashes);
}

std::string path_along(std::span<const Point> points) {
  std::string path;
  for (const Point point : points) path += fmt::format("{}{}", path.empty() ? 'M' : 'L', pair(point));
  return path;
}

const char* text_anchor(Anchor::Along along) {
  switch (along) {
    case Anchor::Along::middle:
      return " text-anchor=\"middle\"";
    case Anchor::Along::end:
      return " text-anchor=\"end\"";
    default:
      return "";
  }
}

}  // namespace

Canvas::Canvas(double width, double height, Ground ground) : width_(width), height_(height), ground_(ground) {
  if (std::max(width, height) > longest_side) {
    throw DataError(
        fmt::format("the chart cannot be drawn: its page of {} by {} points is too large, the limit is {} a "
                    "side.\nUse fewer panels.",
                    number(width), number(height), longest_side));
  }
  if (ground == Ground::white) fill(Rectangle{0.0, 0.0, width, height}, {1.0, 1.0, 1.0});
}

void Canvas::line(const std::string& path, const Pen& pen) {
  shapes_ += fmt::format("<path d=\"{}\"{}/>\n", path, stroke(pen));
}

void Canvas::polyline(std::span<const Point> points, const Pen& pen) {
  if (points.size() > 1) line(path_along(points), pen);
}

void Canvas::verticals(std::span<const Point> points, double base, const Pen& pen) {
  std::string path;
  for (const Point point : points) path += fmt::format("M{}V{}", pair({point.x, base}), number(point.y));
  if (!path.empty()) line(path, pen);
}

void Canvas::outline(const Rectangle& rectangle, const Pen& pen) {
  shapes_ += rectangle_element(rectangle, stroke(pen));
}

void Canvas::fill(const Rectangle& rectangle, const Colour& colour) {
  shapes_ += rectangle_element(rectangle, paint("fill", colour));
}

void Canvas::fill(std::span<const Point> polygon, const Colour& colour) {
  if (!polygon.empty()) shapes_ += fmt::format("<path d=\"{}Z\"{}/>\n", path_along(polygon), paint("fill", colour));
}

void Canvas::fill_circle(Point centre, double radius, const Colour& colour) {
  shapes_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", number(centre.x), number(centre.y),
                         number(radius), paint("fill", colour));
}

void Canvas::fill(std::span<const Rectangle> rectangles, const Colour& colour, const Placement& placement) {
  std::string path;
  for (const Rectangle& own : rectangles) {
    path += fmt::format("M{}h{}v{}H{}z", pair({own.left, own.top}), number(own.width), number(own.height),
                        number(own.left));
  }
  if (path.empty()) return;
  const auto& [origin, unit] = placement;
  const bool as_they_are = origin.x == 0.0 && origin.y == 0.0 && unit.x == 1.0 && unit.y == 1.0;
  const std::string place =
      as_they_are ? "" : fmt::format(" transform=\"translate({}) scale({:.6g} {:.6g})\"", pair(origin), unit.x, unit.y);
  shapes_ += fmt::format("<path d=\"{}\"{}{}/>\n", path, place, paint("fill", colour));
}

// A line of no length with round ends is a dot.
void Canvas::dots(std::span<const Point> centres, double radius, const Colour& colour) {
  std::string path;
  for (const Point centre : centres) path += fmt::format("M{}h0", pair(centre));
  if (path.empty()) return;
  shapes_ += fmt::format("<path d=\"{}\" stroke-linecap=\"round\"{}/>\n", path,
                         stroke({.colour = colour, .width = 2.0 * radius}));
}

void Canvas::text(std::string_view text, Point position, double size, Anchor anchor, double degrees) {
  if (text.empty()) return;
  const double baseline = position.y + (1.0 - anchor.across) * capital_height * size;
  const Colour letters = ground_ == Ground::page ? Colour::of_page("ink") : ink;
  const std::string turn =
      degrees == 0.0 ? "" : fmt::format(" transform=\"rotate({} {})\"", number(-degrees), pair(position));
  shapes_ +=
      fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}{}{}>{}</text>\n", number(position.x), number(baseline),
                  number(size), text_anchor(anchor.along), paint("fill", letters), turn, escaped(text));
}

std::string Canvas::svg() const {
  const std::string width = number(width_);
  const std::string height = number(height_);
  if (ground_ == Ground::page) {
    return fmt::format(
        "<svg viewBox=\"0 0 {} {}\" aria-hidden=\"true\" fill=\"none\" stroke-linejoin=\"round\">\n{}</svg>\n", width,
        height, shapes_);
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}pt\" height=\"{1}pt\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"{2}\" fill=\"none\" stroke-linejoin=\"round\">\n{3}</svg>\n",
      width, height, font_family, shapes_);
}

}  // namespace shrimp::report

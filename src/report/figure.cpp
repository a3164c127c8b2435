#include "report/figure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "data/json.hpp"
#include "report/text.hpp"
#include "report/words.hpp"

namespace shrimp::report {
namespace {

std::string list_of(std::span<const double> values) {
  return fmt::format("[{}]", fmt::join(plain_numbers(values), ","));
}

// Tenths of a unit are finer than a pointer.
std::string places_of(const std::vector<Point>& points, double Point::*coordinate) {
  std::vector<double> values;
  for (const Point& point : points) values.push_back(std::round(10.0 * point.*coordinate) / 10.0);
  return fmt::format("[{}]", fmt::join(values, ","));
}

std::string names_field(const char* field, const std::vector<std::string>& names) {
  return names.empty() ? "" : fmt::format(",\"{}\":{}", field, Json(names).dump());
}

std::string figure_element(const FigureText& text, const Canvas& canvas, const char* kind, const std::string& chart) {
  return fmt::format(
      "<figure class=\"{}\"{} tabindex=\"0\" aria-label=\"{}\" data-chart=\"{}\">\n<figcaption><b>{}</b> "
      "<span>{}</span>"
      "</figcaption>\n{}<output></output>\n</figure>\n",
      kind, text.id.empty() ? "" : fmt::format(" id=\"{}\"", escaped(text.id)), escaped(text.summary), escaped(chart),
      escaped(text.title), escaped(text.note), canvas.svg());
}

}  // namespace

std::string in_says(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '{' ? std::string("{{") : std::string(1, c);  // As the script reads it.
  return safe;
}

std::string figure(const FigureText& text, const Canvas& canvas, const Places& places) {
  std::vector<std::string> columns;
  for (const auto& column : places.columns) columns.push_back(list_of(column));
  const std::string chart =
      fmt::format("{{\"says\":{},\"alongX\":{},\"px\":{},\"py\":{},\"columns\":[{}]{}}}", Json(places.says).dump(),
                  places.along_x, places_of(places.points, &Point::x), places_of(places.points, &Point::y),
                  fmt::join(columns, ","), names_field("names", places.names));
  return figure_element(text, canvas, "chart", chart);
}

std::string figure(const FigureText& text, const Canvas& canvas, const Cells& cells) {
  const Rectangle& area = cells.area;
  const std::vector<double> frame = {area.left, area.top, area.width, area.height};
  // Thousandths of the largest take half the bytes of the numbers themselves.
  double unit = 0.0;
  for (const double value : cells.values) unit = std::max(unit, 0.001 * std::abs(value));
  std::vector<long> units;
  for (const double value : cells.values) units.push_back(unit > 0.0 ? std::lround(value / unit) : 0);
  const std::string chart =
      fmt::format("{{\"says\":{},\"frame\":{},\"x\":{},\"y\":{},\"unit\":{:.6g},\"z\":[{}]{}{}}}",
                  Json(cells.says).dump(), list_of(frame), list_of(cells.x), list_of(cells.y), unit,
                  fmt::join(units, ","), names_field("xNames", cells.x_names), names_field("yNames", cells.y_names));
  return figure_element(text, canvas, "chart map", chart);
}

}  // namespace shrimp::report

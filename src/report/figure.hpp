// A chart on a page with what it says of the place under the pointer.
#pragma once

#include <string>
#include <vector>

#include "report/canvas.hpp"

namespace shrimp::report {

inline constexpr double figure_width = 340.0;
inline constexpr double figure_height = 232.0;
// Of charts that stand two in a row.
inline constexpr double wide_figure_width = 500.0;
inline constexpr double wide_figure_height = 290.0;

/// What is written around a chart.
struct FigureText {
  std::string title;
  std::string note;     ///< Beside the title.
  std::string summary;  ///< What the chart shows in a sentence, for those who cannot see it.
  std::string id = {};  ///< For links to it; "": none.
};

/// Places of a chart and what is told there.
struct Places {
  std::vector<Point> points;
  std::vector<std::vector<double>> columns;  ///< Each has a number for every point.
  std::string says;                          ///< "x1 = {0}: effect {1}", {k} being a number of column k.
  bool along_x = true;                       ///< The pointer's x chooses; else the nearest point.
  std::vector<std::string> names = {};       ///< In the place of column 0; empty: its numbers.
};

/// Cells of a map, x fastest, the lowest row first.
struct Cells {
  Rectangle area;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> values;
  std::string says;                       ///< {0}, {1} and {2} are x, y and the value.
  std::vector<std::string> x_names = {};  ///< In the place of numbers; empty: these.
  std::vector<std::string> y_names = {};
};

/// One element `figure`.
[[nodiscard]] std::string figure(const FigureText& text, const Canvas& canvas, const Places& places);
[[nodiscard]] std::string figure(const FigureText& text, const Canvas& canvas, const Cells& cells);

/// A name for `says`: braces in it are no places for numbers.
[[nodiscard]] std::string in_says(const std::string& text);

}  // namespace shrimp::report

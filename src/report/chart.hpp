// Charts of measured curves, as SVG. Series differ by colour, dash and marker at once, so that a chart can be read in
// black and white.
#pragma once

#include <string>
#include <vector>

namespace shrimp::report {

struct Series {
  enum class Kind {
    line,    ///< Points joined in the order given, with markers where they are few.
    points,  ///< Markers alone.
    stems,   ///< A vertical line from zero to each point.
  };

  std::string name;  ///< In the legend; no name, no entry.
  std::vector<double> x;
  std::vector<double> y;  ///< What is not finite, or not positive on a logarithmic axis, is left out.
  Kind kind = Kind::line;
  std::size_t style = 0;  ///< Which colour, dash and marker; the same number looks the same in every panel.
};

struct Axis {
  std::string label = {};
  bool logarithmic = false;
  bool reversed = false;                     ///< From large to small.
  std::vector<std::string> categories = {};  ///< If any: names at 0, 1, 2, … instead of numbers.
};

struct Panel {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series;
};

struct Chart {
  std::vector<Panel> panels;
  std::size_t columns = 1;  ///< Panels side by side.
};

/// An SVG of 360 × 270 points a panel, to be written to a file or put into an HTML page. Equal charts give equal bytes.
/// Throws DataError if a series has not as many x as y, a text is not UTF-8 or the page is too large.
[[nodiscard]] std::string to_svg(const Chart& chart);

/// Writes `path`.svg. Throws FileError, and DataError as to_svg does.
void write_chart(const Chart& chart, const std::string& path);

}  // namespace shrimp::report

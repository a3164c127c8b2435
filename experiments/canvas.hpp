// A page measured in points, y downwards, drawn once and kept as SVG or PNG.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct _cairo;

namespace shrimp::experiments {

struct Point {
  double x = 0.0;
  double y = 0.0;
};

struct Rectangle {
  double left = 0.0;
  double top = 0.0;
  double width = 0.0;
  double height = 0.0;

  [[nodiscard]] double right() const { return left + width; }
  [[nodiscard]] double bottom() const { return top + height; }
  [[nodiscard]] bool contains(Point point) const {
    return point.x >= left && point.x <= right() && point.y >= top && point.y <= bottom();
  }
};

struct Colour {
  double red = 0.0;
  double green = 0.0;
  double blue = 0.0;
  double opacity = 1.0;
};

struct Pen {
  Colour colour;
  double width = 1.0;
  std::span<const double> dashes = {};  ///< Lengths of lines and gaps in turn; none: one line.
};

/// Where in a line of text its position lies: 0 the start or the top, 1 the end or the foot.
struct Anchor {
  double along = 0.5;
  double across = 0.5;
};

class Canvas {
 public:
  explicit Canvas(_cairo* context);

  void polyline(std::span<const Point> points, const Pen& pen);
  /// Upright lines from each point to the height `base`, as one shape.
  void verticals(std::span<const Point> points, double base, const Pen& pen);
  void outline(const Rectangle& rectangle, const Pen& pen);
  void fill(const Rectangle& rectangle, const Colour& colour);
  void fill(std::span<const Point> polygon, const Colour& colour);
  void fill_circle(Point centre, double radius, const Colour& colour);

  /// Turned anticlockwise by `degrees` about `position`.
  void text(const std::string& text, Point position, double size, Anchor anchor, double degrees = 0.0);
  [[nodiscard]] double text_width(const std::string& text, double size);
  /// `size`, or less so that the text is no wider than `width`, but not less than `smallest`.
  [[nodiscard]] double fitting_size(const std::string& text, double size, double smallest, double width);
  /// The text, or as much of its start as is no wider than `width`, and an ellipsis.
  [[nodiscard]] std::string shortened(const std::string& text, double size, double width);

 private:
  void set(const Colour& colour);
  void stroke(const Pen& pen);

  _cairo* context_;
};

using Drawing = std::function<void(Canvas&)>;

/// The bytes of a file. Equal drawings give equal bytes. Throw DataError if the page is too large or a text is not
/// UTF-8.
std::string svg_of(double width, double height, const Drawing& draw);
std::string png_of(double width, double height, double pixels_per_point, const Drawing& draw);

}  // namespace shrimp::experiments

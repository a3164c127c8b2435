// A page measured in points, y downwards, written as SVG.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace shrimp::report {

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
  /// A colour of the page that the drawing is a part of, by its CSS variable without dashes; the three shares do not
  /// count then.
  const char* name = nullptr;

  [[nodiscard]] static constexpr Colour of_page(const char* name, double opacity = 1.0) {
    return {0.0, 0.0, 0.0, opacity, name};
  }
};

struct Pen {
  Colour colour;
  double width = 1.0;
  std::span<const double> dashes = {};  ///< Lengths of lines and gaps in turn; none: one line.
};

/// Where in a line of text its position lies.
struct Anchor {
  enum class Along { start, middle, end };

  Along along = Along::middle;
  double across = 0.5;  ///< 0 the top of capitals, 1 the foot.
};

/// Where shapes in units of their own lie on the page: (x, y) at origin + (x·unit.x, y·unit.y).
struct Placement {
  Point origin = {0.0, 0.0};
  Point unit = {1.0, 1.0};
};

/// What a drawing stands on.
enum class Ground {
  white,  ///< A white page of its own, with black letters, so many points wide.
  page,   ///< An HTML page, whose colours it takes, and whose style says how wide it is.
};

class Canvas {
 public:
  /// Throws DataError if the page is too large.
  Canvas(double width, double height, Ground ground = Ground::white);

  void polyline(std::span<const Point> points, const Pen& pen);
  /// Upright lines from each point to the height `base`, as one shape.
  void verticals(std::span<const Point> points, double base, const Pen& pen);
  void outline(const Rectangle& rectangle, const Pen& pen);
  void fill(const Rectangle& rectangle, const Colour& colour);
  void fill(std::span<const Point> polygon, const Colour& colour);
  void fill_circle(Point centre, double radius, const Colour& colour);
  /// Many of the same look as one shape, which takes a fraction of the bytes.
  void fill(std::span<const Rectangle> rectangles, const Colour& colour, const Placement& placement = {});
  void dots(std::span<const Point> centres, double radius, const Colour& colour);

  /// Turned anticlockwise by `degrees` about `position`. Throws DataError if the text is not UTF-8.
  void text(std::string_view text, Point position, double size, Anchor anchor, double degrees = 0.0);

  /// One element `svg`: a file of its own, or a part of an HTML page. Equal drawings give equal bytes.
  [[nodiscard]] std::string svg() const;

 private:
  void line(const std::string& path, const Pen& pen);

  double width_;
  double height_;
  Ground ground_;
  std::string shapes_;
};

}  // namespace shrimp::report

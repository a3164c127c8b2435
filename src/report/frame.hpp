// The axes of one chart on a page, and where values lie within them.
#pragma once

#include <vector>

#include "report/canvas.hpp"
#include "report/chart.hpp"
#include "report/scale.hpp"

namespace shrimp::report {

struct AxisValues {
  Axis axis;
  std::vector<double> values;  ///< The axis has places for all of these.
  bool flush = false;          ///< From the smallest to the largest value, without room beside them.
  bool from_zero = false;
};

class Frame {
 public:
  /// `right` is kept free beside the axes.
  Frame(const AxisValues& x, const AxisValues& y, double width, double height, double right = 16.0);

  [[nodiscard]] const Rectangle& area() const { return area_; }
  [[nodiscard]] Point at(double x, double y) const;
  /// Axes, labels and titles, and grid lines unless they would cross a map.
  void draw(Canvas& canvas, bool with_grid = true) const;

  /// A thin line that values are compared with.
  static constexpr Pen guide{.colour = Colour::of_page("line"), .width = 1.0};
  static constexpr double tick_size = 10.0;
  static constexpr double label_size = 11.0;

 private:
  struct Side {
    explicit Side(const AxisValues& own);
    [[nodiscard]] double place(double value) const;
    /// Those that are within the axis.
    [[nodiscard]] std::vector<Tick> ticks(std::size_t most) const;

    std::string title;
    bool has_names;
    Scale scale;
    double first = 0.0;  // Places on the scale where the axis begins and ends.
    double last = 1.0;
  };

  Side x_;
  Side y_;
  std::vector<Tick> x_ticks_;
  std::vector<Tick> y_ticks_;
  Rectangle area_;
};

}  // namespace shrimp::report

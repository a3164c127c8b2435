// From values to places along an axis, and which values are worth a label.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "report/chart.hpp"

namespace shrimp::report {

/// Whether the axis has a place for this value: finite, and positive if the axis is logarithmic.
[[nodiscard]] bool has_place(const Axis& axis, double value);

struct Tick {
  double place = 0.0;  ///< 0 at the left or lower end of the axis, 1 at the other.
  std::string label;   ///< None: a minor tick.
};

class Scale {
 public:
  /// `values` all have places. With `from_zero` a linear axis holds zero, without room below it unless values lie
  /// there.
  Scale(const Axis& axis, std::span<const double> values, bool from_zero = false);

  [[nodiscard]] double place(double value) const;
  /// Where a stem starts: at zero, or at the smaller end of a logarithmic axis.
  [[nodiscard]] double base() const;
  /// Ticks in ascending order of value, about `most` of them with labels or fewer; at least 2 are always allowed.
  [[nodiscard]] std::vector<Tick> ticks(std::size_t most) const;

 private:
  [[nodiscard]] double place_of_coordinate(double coordinate) const;
  [[nodiscard]] std::vector<Tick> category_ticks(std::size_t most) const;
  [[nodiscard]] std::vector<Tick> linear_ticks(double low, double high, double most) const;
  [[nodiscard]] std::vector<Tick> decade_ticks(std::size_t most) const;
  [[nodiscard]] std::vector<Tick> ticks_within_a_decade(std::size_t most) const;

  bool logarithmic_;
  bool reversed_;
  std::vector<std::string> categories_;
  double low_ = 0.0;  // Coordinates: the value, or its decimal logarithm.
  double high_ = 1.0;
};

}  // namespace shrimp::report

#include "report/tick_labels.hpp"

#include <cmath>

namespace shrimp::report {

void drop_touching_labels(std::vector<Tick>& ticks, double length, const LabelExtent& extent) {
  constexpr double gap = 3.0;
  double taken = -1.0;
  double last = 0.0;
  for (Tick& tick : ticks) {
    if (tick.label.empty()) continue;
    const double half = 0.5 * extent(tick.label);
    const double place = tick.place * length;
    if (taken >= 0.0 && std::abs(place - last) < taken + half + gap) {
      tick.label.clear();
    } else {
      taken = half;
      last = place;
    }
  }
}

bool labels_fit(const std::vector<Tick>& ticks, double length, const LabelExtent& extent) {
  constexpr double gap = 7.0;
  const Tick* before = nullptr;
  for (const Tick& tick : ticks) {
    if (tick.label.empty()) continue;
    const double needed = before == nullptr ? 0.0 : 0.5 * (extent(before->label) + extent(tick.label)) + gap;
    if (before != nullptr && std::abs(tick.place - before->place) * length < needed) return false;
    before = &tick;
  }
  return true;
}

}  // namespace shrimp::report

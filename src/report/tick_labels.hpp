// Whether the labels along an axis have room beside each other.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/scale.hpp"

namespace shrimp::report {

/// How much of the axis a label takes.
using LabelExtent = std::function<double(const std::string&)>;

/// Whether there is room between all labels along an axis of this length.
[[nodiscard]] bool labels_fit(const std::vector<Tick>& ticks, double length, const LabelExtent& extent);

/// Labels that would still touch the one before lose their text; a grid line without a name misleads nobody.
void drop_touching_labels(std::vector<Tick>& ticks, double length, const LabelExtent& extent);

}  // namespace shrimp::report

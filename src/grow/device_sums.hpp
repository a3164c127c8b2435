// Sums over rows of a constant and of scaled columns, made on a device: what LongFinish needs of all rows of a long
// table.
#pragma once

#include <memory>
#include <vector>

#include "grow/finish_parts.hpp"
#include "linalg/device.hpp"
#include "ridge/device_normal_equations.hpp"

namespace shrimp {

class DeviceSums {
 public:
  /// Of columns that has_device_features. Throws DeviceMemoryError.
  DeviceSums(std::shared_ptr<Device> device, const ScaledDictionary& drawn);

  /// Adds rows without missing cells. Throws DeviceMemoryError; then none of these rows were added.
  void add(const Rows& rows);

  /// Of the rows so far; the constant is the first column.
  [[nodiscard]] NormalEquations summary() const;

 private:
  std::shared_ptr<Device> device_;
  DeviceFeatures features_;     // The constant first.
  std::vector<double> scales_;  // The same.
  DeviceMatrix products_;       // Of [columns, y] with themselves, columns unscaled.
  std::size_t rows_ = 0;
  double weight_ = 0.0;
};

}  // namespace shrimp

// Sums over rows of a constant and of scaled columns, made on a device: what LongFinish needs of all rows of a long
// table.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "grow/finish_parts.hpp"
#include "linalg/device.hpp"
#include "summary/gram_summary.hpp"

namespace shrimp {

/// From the products of [columns, y] with themselves, each column times its scale (none: 1), without counts of rows.
[[nodiscard]] GramSummary summary_of_products(const Matrix& products, std::span<const double> scales);

class DeviceSums {
 public:
  /// Of columns that has_device_features. Throws DeviceMemoryError.
  DeviceSums(std::shared_ptr<Device> device, const ScaledDictionary& drawn);

  /// Throws DeviceMemoryError; then none of these rows were added.
  void add(const Rows& rows);

  /// Of the rows so far; the constant is the first column.
  [[nodiscard]] GramSummary summary() const;

 private:
  [[nodiscard]] Matrix columns_with_missing(const Rows& rows, const std::vector<double>& roots) const;

  std::shared_ptr<Device> device_;
  Dictionary dictionary_;
  DeviceFeatures features_;     // The constant first.
  std::vector<double> scales_;  // The same.
  DeviceMatrix products_;       // Of [columns, y] with themselves, columns unscaled.
  std::size_t rows_ = 0;
  double weight_ = 0.0;
};

/// Rows of [A, y] that lie on a device, to be summed up in several ways.
class DeviceRowSums {
 public:
  /// Throws DeviceMemoryError, as does sum_up.
  DeviceRowSums(std::shared_ptr<Device> device, const Matrix& A, const std::vector<double>& y);

  /// Of some of the rows.
  [[nodiscard]] GramSummary sum_up(std::span<const std::size_t> rows) const;

 private:
  std::shared_ptr<Device> device_;
  DeviceMatrix both_;
};

}  // namespace shrimp

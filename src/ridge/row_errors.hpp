// Squared errors of held-out rows, and the standard errors of their means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace shrimp {

/// Squared errors, multiplied by the row weights and divided by the mean weight.
struct RowErrors {
  std::vector<double> squares;
  /// Infinite if rows are fitted so closely that rounding dominates.
  double mean = 0.0;
  /// Start of each group of dependent rows, and the end; null for independent rows. Standard errors treat the errors of
  /// a group as one.
  std::shared_ptr<const std::vector<std::size_t>> starts = {};

  /// Standard error of the mean.
  [[nodiscard]] double standard_error() const;

  /// Standard error of the difference of the means, both of the same rows.
  [[nodiscard]] double standard_error_beside(const RowErrors& other) const;

  /// Whether the mean is below the other by more than `deviations` standard errors of the difference.
  [[nodiscard]] bool clearly_below(const RowErrors& other, double deviations) const;

  /// Sorts rows by group number; without numbers, rows are single.
  void group(const std::vector<std::uint32_t>& groups);
};

}  // namespace shrimp

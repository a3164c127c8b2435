// Squared errors of rows that a fit has not seen, and what their differences tell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace shrimp {

/// Squared errors, times the rows' weights and over the mean weight.
struct RowErrors {
  std::vector<double> squares;
  /// Their mean; infinite where rows are fitted so closely that rounding decides.
  double mean = 0.0;
  /// Where groups of rows that belong together start, and the end; none: every row is by itself. Errors of one group
  /// may be alike, so that only groups tell how sure a mean is.
  std::shared_ptr<const std::vector<std::size_t>> starts = {};

  /// Of the mean.
  [[nodiscard]] double standard_error() const;

  /// Of the difference of the means, both of the same rows.
  [[nodiscard]] double standard_error_beside(const RowErrors& other) const;

  /// Whether the mean is below the other's by more than `deviations` standard errors of the difference.
  [[nodiscard]] bool clearly_below(const RowErrors& other, double deviations) const;

  /// Puts rows of a group, which have the same number, beside each other; without numbers all stays as it is.
  void group(const std::vector<std::uint32_t>& groups);
};

}  // namespace shrimp

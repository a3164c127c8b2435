// Pictures of predictions beside the truth.
#pragma once

#include <span>
#include <string>

#include "report/test_rows.hpp"

namespace shrimp::report {

/// Each row a point; on the diagonal the prediction is right.
[[nodiscard]] std::string observed_figure(const Model& model, std::span<const TestedRow> rows);
/// Errors against predictions, and their means over tenths of the rows.
[[nodiscard]] std::string residuals_figure(const Model& model, std::span<const TestedRow> rows,
                                           std::span<const TestedRow> all);
/// How many errors are how large.
[[nodiscard]] std::string histogram_figure(const Model& model, std::span<const TestedRow> all);
/// Rows of like predictions: the mean of these beside the mean of what was observed. At least 20 rows.
[[nodiscard]] std::string calibration_figure(const Model& model, std::span<const TestedRow> all);

/// The error below which this share of the rows is, either way.
[[nodiscard]] double error_quantile(std::span<const TestedRow> all, double share);

}  // namespace shrimp::report

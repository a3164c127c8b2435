// The parts of a report in the order in which they are read.
#pragma once

#include <string>

#include "shrimp/report.hpp"

namespace shrimp::report {

/// Errors on the rows of the fit, on rows it did not see and on the test table, each beside that of always saying the
/// mean.
[[nodiscard]] std::string quality_section(const Model& model, const TestRows* test);
/// The same for classes, by log loss, and for counts, by deviance.
[[nodiscard]] std::string loss_quality_section(const Model& model, const TestRows* test);
/// What the standard error of the rows that were left out is worth.
[[nodiscard]] std::string about_left_out(const Model& model);
/// Terms and inputs by their share of the variance; terms lead to their figures, where `pictures`, the two sections
/// below, have any.
[[nodiscard]] std::string terms_section(const Model& model, const std::string& pictures, int threads);
/// A curve for each main effect.
[[nodiscard]] std::string main_effects_section(const Model& model, int threads);
/// A map for each pair.
[[nodiscard]] std::string pairs_section(const Model& model, int threads);
/// How much of the model is of which order, and the terms that no picture shows.
[[nodiscard]] std::string higher_orders_section(const Model& model);
/// Predictions beside a table of rows with known target.
[[nodiscard]] std::string test_section(const Model& model, const TestRows* test);
[[nodiscard]] std::string path_section(const Model& model, const ReportOptions& options);
/// The command, the options, the forms of inputs and target.
[[nodiscard]] std::string making_section(const Model& model);
[[nodiscard]] std::string loading_section(const Model& model, const std::string& model_file);

}  // namespace shrimp::report

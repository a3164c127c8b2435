// The parts of a report in the order in which they are read.
#pragma once

#include <string>

#include "shrimp/report.hpp"

namespace shrimp::report {

/// Errors on training rows, held-out rows and the test table, each next to that of the mean; the estimated error also
/// next to that of a linear model.
[[nodiscard]] std::string quality_section(const Model& model, const TestRows* test);
/// Quality of models of classes, by log loss, and of counts, by deviance.
[[nodiscard]] std::string loss_quality_section(const Model& model, const TestRows* test);
/// Whether the held-out rows selected the model.
[[nodiscard]] std::string about_left_out(const Model& model);
/// Terms and inputs by their fractions of variance. Terms link to their figures in `pictures`, the two sections below.
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

// Errors of a fit from the results in its model, next to those of simple models on the same rows.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

#include "shrimp/model.hpp"

namespace shrimp::report {

/// Errors by the metric of the loss function: the root mean squared error in the target's unit, or a mean loss. A value
/// that the model file does not hold is NaN.
struct FitErrors {
  std::string metric;  ///< "RMSE", or the name of the loss's metric.
  std::string key;     ///< Of its mean in JSON: "mse", "log_loss" …
  double estimated = std::nan("");
  double standard_error = std::nan("");
  double constant = std::nan("");  ///< Error of the best constant prediction; for squared error, of the mean.
  double linear = std::nan("");    ///< Error of a linear model under the same loss function.
  double r2 = std::nan("");        ///< Of the estimated error; for squared error only.
  double training = std::nan("");
  double training_r2 = std::nan("");
  /// Whether the error was estimated on rows that were not used for model selection. Otherwise its rows selected the
  /// model, and it is slightly too small.
  bool is_independent = false;
};
[[nodiscard]] FitErrors fit_errors(const Model& model);

/// Names of the two simple models under the loss function: "mean", "linear model".
struct BaselineNames {
  std::string constant;
  std::string linear;
};
[[nodiscard]] BaselineNames baseline_names(const Model& model);

/// The model of low order that a kernel term replaced.
struct ReadableModel {
  std::string metric;              ///< That of the model's own error.
  double error = std::nan("");     ///< On the rows of the estimated error.
  int max_order = 0;               ///< Value of --max-order that gives it.
  double increase = std::nan("");  ///< Of the error, as a fraction of the model's.
};
/// None if the model has no kernel term that replaced one, or its file does not hold the error.
[[nodiscard]] std::optional<ReadableModel> readable_model(const Model& model);

/// Its error compared with the model's: "12 % more", "equal" or "5.6 times as large".
[[nodiscard]] std::string increase_text(const ReadableModel& readable);

/// Whether the term is shown as the variance of interactions above order 3 instead of as a row: the part of a term of
/// more than four inputs that interactions of three do not contain.
[[nodiscard]] bool is_above_order_three(const Model& model, const Term& term);

/// Fractions of variance that have no rows of their own, in models with terms of more than four inputs.
struct WideTerms {
  double above_order_three = 0.0;
  double others = 0.0;  ///< Components of two and three inputs that are too many or too small for terms of their own.
};
/// None if every term has a row.
[[nodiscard]] std::optional<WideTerms> wide_terms(const Model& model);

/// One significant digit, or "< 1e-9"; "" if the term has no p-value.
[[nodiscard]] std::string p_value_text(const Term& term);

}  // namespace shrimp::report

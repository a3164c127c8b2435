// Pictures and tables of predicted probabilities next to the classes that were observed.
#pragma once

#include <span>
#include <string>

#include "shrimp/model.hpp"

namespace shrimp::report {

/// Reliability curve: the fraction of class 1 against the mean predicted probability, in ten bins of equal numbers.
[[nodiscard]] std::string reliability_figure(const Model& model, std::span<const double> probability,
                                             std::span<const double> y);
/// Receiver operating characteristic: true positive rate against false positive rate over all thresholds. Both classes
/// are there.
[[nodiscard]] std::string roc_figure(const Model& model, std::span<const double> probability, std::span<const double> y,
                                     double auc);
/// Histograms of the predicted probability, one for each observed class.
[[nodiscard]] std::string probability_figure(const Model& model, std::span<const double> probability,
                                             std::span<const double> y);
/// Confusion matrix at the threshold ½, with precision and recall of each class.
[[nodiscard]] std::string confusion_table(const Model& model, std::span<const double> probability,
                                          std::span<const double> y);

}  // namespace shrimp::report

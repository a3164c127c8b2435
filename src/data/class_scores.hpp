// How good probabilities of a class and rates of counts are.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "shrimp/matrix.hpp"

namespace shrimp {

/// A target of 0 and 1 beside the probability of 1.
struct ClassScores {
  std::size_t rows = 0;
  double log_loss = 0.0;  ///< In nats. Probabilities count as 1e-15 at least, on either side.
  double auc = 0.0;  ///< The chance that a row of class 1 has the higher probability than one of class 0, ties half.
                     ///< NaN where there is one class alone.
  double accuracy = 0.0;  ///< Of saying class 1 where its probability is above one half.
  /// Rows in ten bins of equal numbers by their probability, equal ones together: how far the share of class 1 is from
  /// the mean probability in them, averaged over rows.
  double calibration_error = 0.0;
  double brier = 0.0;  ///< The mean squared error of the probability.
};

/// Throws std::invalid_argument where sizes differ or there is no row.
ClassScores score_classes(std::span<const double> probability, std::span<const double> y);

/// Targets 0 … K − 1 with the probabilities of K classes, one row each.
struct MultiClassScores {
  std::size_t rows = 0;
  double log_loss = 0.0;  ///< In nats. Probabilities count as 1e-15 at least.
  double auc = 0.0;       ///< Mean over classes of the AUC of one class against the rest; NaN if a class has no row.
  double accuracy = 0.0;  ///< Of the most probable class.
  double calibration_error = 0.0;  ///< As above, for the probability of the most probable class.
  double brier = 0.0;              ///< Mean over rows of the squared errors of the probabilities, summed over classes.
};

/// Throws std::invalid_argument if sizes differ or there is no row.
MultiClassScores score_several_classes(MatrixView probabilities, std::span<const double> y);

/// One bin of a reliability curve.
struct CalibrationBin {
  double probability = 0.0;  ///< The mean of its rows.
  double share = 0.0;        ///< Of class 1 among them.
  std::size_t rows = 0;
};

/// Ten bins, or fewer where probabilities are equal; in ascending order.
std::vector<CalibrationBin> calibration_bins(std::span<const double> probability, std::span<const double> y);

/// The mean Poisson deviance 2(y log(y/μ) − y + μ) of counts y beside their expectation μ > 0.
double poisson_deviance(std::span<const double> expected, std::span<const double> counts);

}  // namespace shrimp

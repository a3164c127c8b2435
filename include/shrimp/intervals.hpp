// Prediction intervals, and bands for the curves of terms.
//
// An interval of level p is  sum ± q(p)·s(x)  on the scale of the transformed target, transformed back to its units.
// The model contains s(x) (shrimp/model.hpp: Uncertainty). The factor q(p) is the smallest number of standard
// deviations that covers a fraction p of held-out rows. It has the finite-sample correction of split conformal
// prediction (J. Lei et al., J. Am. Stat. Assoc. 113, 2018).
//
// Other losses have other intervals:
// - Poisson, gamma, Tweedie: quantiles of the target's predictive distribution, which is the response distribution
//   averaged over the normal posterior of the linear predictor. The probabilities are Φ(±q(p)); q(p) is the quantile of
//   held-out randomised quantile residuals (Dunn and Smyth, J. Comput. Graph. Stat. 5, 1996).
// - logistic: a credible interval of the probability, whose link is normal. It has no calibration.
// - quantile: there are no intervals.
//
// Outside the clipping range of the inputs, intervals are wider:
//     s(x)² = noise² + ‖Fᵀφ(x)‖² + spread² Σ_j S_j δ_j².
// δ_j is the distance of input j from the range, in standard deviations of its training values. S_j is the fraction of
// variance of the terms that depend on it. The additional variance assumes that effects continue beyond the range at
// the same size but in an unknown direction.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shrimp/matrix.hpp"
#include "shrimp/model.hpp"

namespace shrimp {

/// One value per row of X, in units of the target. The interval is for the target itself, and under the logistic loss
/// for the probability. If the target was log-transformed, the prediction is a mean and need not be the midpoint.
struct PredictionIntervals {
  std::vector<double> prediction;
  std::vector<double> lower;
  std::vector<double> upper;
};

/// Throws OptionError unless 0 < level < 1, and ModelFileError if the model has no uncertainty estimate. Throws
/// std::invalid_argument if the number of columns of X differs.
/// Intervals of counts are for the exposures, one per row; empty means exposures of 1. Predictions are rates.
[[nodiscard]] PredictionIntervals predict_intervals(const Model& model, MatrixView X, double level, int threads = 0,
                                                    std::span<const double> exposure = {});

/// Standard deviation of the target about each prediction, in its units; under the logistic loss, that of the
/// probability's posterior. Throws as predict_intervals does.
[[nodiscard]] std::vector<double> predict_standard_deviations(const Model& model, MatrixView X, int threads = 0);

/// Warning if the model was calibrated on too few rows for this level; otherwise empty.
[[nodiscard]] std::string level_warning(const Model& model, double level);

/// Throws as predict_intervals does if the level or the model permits no intervals. `source` names the model.
void require_intervals(const Model& model, double level, const std::string& source);

/// Whether the model has a covariance of its coefficients. Without it, only prediction intervals may exist.
[[nodiscard]] bool knows_coefficients(const Model& model);

/// Curve of a term with a pointwise interval of probability `level`. The interval accounts for noise in the
/// coefficients, but not for terms that were not selected.
struct TermBand {
  std::vector<double> value;
  std::vector<double> lower;
  std::vector<double> upper;
};

/// Points have one column per variable of the term, in ascending order and in units of the inputs. Lower and upper
/// equal the value if the covariance of the coefficients is unknown. Throws std::invalid_argument if the number of
/// columns differs or the model has no marginals, and OptionError unless 0 < level < 1.
[[nodiscard]] TermBand term_band(const Model& model, const std::vector<std::uint32_t>& variables, MatrixView points,
                                 double level = 0.9, int threads = 0);

}  // namespace shrimp

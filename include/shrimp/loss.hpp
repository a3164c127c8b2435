// Loss functions.
#pragma once

#include <span>

namespace shrimp {

/// f is the linear predictor: constant + Σ_k c_k φ_k(x).
enum class Loss {
  squared,   ///< (y − f)²: regression of the mean.
  logistic,  ///< Classes 0 and 1: f is the log odds, 1/(1 + exp(−f)) the probability of class 1.
  poisson,   ///< Counts 0, 1, 2, …: f is the logarithm of the rate, exp(f) the rate.
  huber,     ///< Quadratic for small and linear for large errors, so that the influence of outliers is bounded.
  gamma,     ///< Numbers above 0 whose standard deviation is proportional to their mean exp(f).
  tweedie,   ///< Numbers of 0 or more whose variance is proportional to a power between 1 and 2 of their mean exp(f).
  quantile,  ///< f is a quantile of the target.
  multinomial,  ///< Classes 0 … K − 1: softmax of one linear predictor per class (shrimp/classes.hpp).
  custom,       ///< A loss function of the caller; see CustomLoss.
};

/// A loss function of the caller: twice differentiable in f, or with an upper bound in place of the curvature.
class CustomLoss {
 public:
  virtual ~CustomLoss() = default;

  /// Writes the loss of each row at the prediction f, its derivative in f, and its curvature, which must be above 0 for
  /// most rows. All spans have one entry per row. May be called from several threads at a time, for any of the rows.
  virtual void evaluate(std::span<const double> y, std::span<const double> f, std::span<double> loss,
                        std::span<double> gradient, std::span<double> curvature) const = 0;
};

}  // namespace shrimp

// Loss functions.
#pragma once

namespace shrimp {

enum class Loss {
  squared,      ///< (y − f)²: regression of the mean.
  logistic,     ///< Classes 0 and 1: f is the log odds, 1/(1 + exp(−f)) the probability of class 1.
  poisson,      ///< Counts 0, 1, 2, …: f is the logarithm of the rate, exp(f) the rate.
  huber,        ///< Quadratic for small and linear for large errors, so that the influence of outliers is bounded.
  multinomial,  ///< Classes 0 … K − 1: softmax of one linear predictor per class (shrimp/classes.hpp).
};

}  // namespace shrimp

// What a fit takes for an error of its prediction, and with it what the target is.
#pragma once

namespace shrimp {

enum class Loss {
  squared,   ///< (y − f)²: the mean of any number.
  logistic,  ///< Two classes, 0 and 1: log odds f, and the probability 1/(1 + exp(−f)) of class 1.
  poisson,   ///< Counts 0, 1, 2, …: the logarithm f of the rate, and the rate exp(f).
  huber,     ///< Squared for small errors and linear for large ones, so that outliers have a bounded say.
};

}  // namespace shrimp

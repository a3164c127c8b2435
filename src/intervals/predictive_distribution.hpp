// The distribution of a new target under a loss with a log link: the response distribution, averaged over the normal
// posterior of the linear predictor.
#pragma once

#include <vector>

#include "objective/objective.hpp"

namespace shrimp {

class PredictiveDistribution {
 public:
  /// The logarithm of the target's mean is normal, with the standard deviation `deviation` about that of `mean` > 0.
  PredictiveDistribution(const LossFunction& loss, double mean, double deviation, double dispersion);

  [[nodiscard]] double cumulative(double y) const;

  /// The smallest target with at least this probability at or below it, 0 < probability < 1.
  [[nodiscard]] double quantile(double probability) const;

  [[nodiscard]] double standard_deviation() const;

  /// Randomised quantile residual (Dunn and Smyth, 1996): normal if the target has this distribution. `position` in
  /// (0, 1) is the place of the target within the probability of its value.
  [[nodiscard]] double residual(double y, double position) const;

 private:
  struct Node {
    double mean = 0.0;
    double weight = 0.0;
  };

  [[nodiscard]] double discrete_quantile(double probability) const;
  [[nodiscard]] double continuous_quantile(double probability) const;

  LossParameters parameters_;
  ResponseDistribution response_;
  double mean_;
  double dispersion_;
  std::vector<Node> nodes_;
};

}  // namespace shrimp

// Tweedie regression of y ≥ 0 with a log link: μ = exp(f), and the variance is proportional to μ^p, 1 < p < 2. Such y
// are sums of a Poisson number of gamma-distributed amounts, exactly 0 with some probability (Jørgensen, 1987).
//   l(y, f) = y^(2−p)/((1−p)(2−p)) − y μ^(1−p)/(1−p) + μ^(2−p)/(2−p),   l' = μ^(2−p) − y μ^(1−p);   the deviance is 2
//   l.
// In place of l'', (1) has its expectation μ^(2−p) (Fisher scoring).
#include <algorithm>
#include <cmath>

#include "objective/links.hpp"
#include "objective/rows.hpp"

namespace shrimp {

extern const Objective tweedie_objective = {
    .loss = Loss::tweedie,
    .name = "tweedie",
    .help = "amounts that are often 0",
    .link = TargetForm::log,
    .target = {[](double y) { return y >= 0.0; }, "number of 0 or more",
               "Drop the row, or use loss squared for numbers below 0.", true},
    .value =
        [](double y, double f, const LossParameters& parameters) {
          const double a = 1.0 - parameters.shape;
          const double b = 2.0 - parameters.shape;
          const double saturated = y > 0.0 ? std::pow(y, b) / (a * b) : 0.0;
          const double log_mu = bounded_log(f);
          return std::max(0.0, saturated - y * std::exp(a * log_mu) / a + std::exp(b * log_mu) / b);
        },
    .derivatives =
        [](double y, double f, const LossParameters& parameters) {
          const double log_mu = bounded_log(f);
          const double information = std::exp((2.0 - parameters.shape) * log_mu);
          return Derivatives{information - y * std::exp((1.0 - parameters.shape) * log_mu), information};
        },
    .largest_curvature = [](const LossParameters&) { return 1.0; },
    .degree = [](const LossParameters& parameters) { return 2.0 - parameters.shape; },
    .metric = {"deviance", "deviance", 2.0},
    .constant_model = "mean",
    .linear_model = "Tweedie regression",
    .prediction = "a mean",
};

}  // namespace shrimp

// Gamma regression of y > 0 with a log link: μ = exp(f), and the variance is proportional to μ².
//   l(y, f) = y/μ − 1 − log(y/μ),   l' = 1 − y/μ;   the deviance is 2 l.
// Targets of variance φ μ² have a gamma distribution of shape 1/φ in predictive intervals.
// In place of l'' = y/μ, (1) has its expectation 1 (Fisher scoring), which rows with small y leave bounded.
#include <algorithm>
#include <cmath>

#include "objective/cumulative.hpp"
#include "objective/links.hpp"
#include "objective/rows.hpp"

namespace shrimp {

extern const Objective gamma_objective = {
    .loss = Loss::gamma,
    .name = "gamma",
    .help = "numbers above 0 with a constant relative error",
    .link = TargetForm::log,
    .target = {[](double y) { return y > 0.0; }, "number above 0",
               "Drop the row, or use loss tweedie for numbers of 0 or more."},
    .value =
        [](double y, double f, const LossParameters&) {
          const double log_ratio = std::log(y) - bounded_log(f);
          return std::max(0.0, std::expm1(std::min(log_ratio, 2.0 * largest_log)) - log_ratio);
        },
    .derivatives =
        [](double y, double f, const LossParameters&) {
          return Derivatives{1.0 - y / exp_bounded(f), 1.0};
        },
    .largest_curvature = [](const LossParameters&) { return 1.0; },
    .degree = [](const LossParameters&) { return 0.0; },
    .metric = {"deviance", "deviance", 2.0},
    .constant_model = "mean",
    .linear_model = "gamma regression",
    .prediction = "a mean",
    .interval = IntervalKind::predictive,
    .response = ResponseDistribution{[](double mean, const LossParameters&) { return mean * mean; },
                                     [](double y, double mean, double dispersion, const LossParameters&) {
                                       return gamma_cumulative(1.0 / dispersion, y / (dispersion * mean));
                                     }},
};

}  // namespace shrimp

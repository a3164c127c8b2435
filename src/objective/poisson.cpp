// Poisson regression of counts or rates y ≥ 0 with a log link: μ = exp(f).
//   l(y, f) = μ − y f + y(log y − 1),   l' = μ − y,   l'' = μ;   the deviance is 2 l.
#include <algorithm>
#include <cmath>

#include "objective/links.hpp"
#include "objective/rows.hpp"

namespace shrimp {

extern const Objective poisson_objective = {
    .loss = Loss::poisson,
    .name = "poisson",
    .help = "counts",
    .link = TargetForm::log,
    .target = {[](double y) { return y >= 0.0 && y == std::floor(y); }, "count, which is a whole number of 0 or more",
               "Give counts, with an exposure for rates, or use loss squared for numbers.", true},
    .value =
        [](double y, double f, const LossParameters&) {
          const double saturated = y > 0.0 ? y * (std::log(y) - 1.0) : 0.0;
          return std::max(0.0, exp_bounded(f) - y * bounded_log(f) + saturated);
        },
    .derivatives =
        [](double y, double f, const LossParameters&) {
          const double mu = exp_bounded(f);
          return Derivatives{mu - y, mu};
        },
    .largest_curvature = [](const LossParameters&) { return 1.0; },
    .degree = [](const LossParameters&) { return 1.0; },
    .metric = {"deviance", "deviance", 2.0},
    .constant_model = "constant rate",
    .linear_model = "Poisson regression",
    .prediction = "a rate",
};

}  // namespace shrimp

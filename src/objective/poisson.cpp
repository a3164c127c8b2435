// Poisson regression of counts or rates y ≥ 0 with a log link: μ = exp(f).
//   l(y, f) = μ − y f + y(log y − 1),   l' = μ − y,   l'' = μ;   the deviance is 2 l.
// Counts of variance φ μ, φ > 1, have a negative binomial distribution of size μ/(φ − 1) in predictive intervals. Its
// variance is proportional to the mean, as quasi-Poisson regression assumes (NB1; Cameron and Trivedi, 1986).
#include <algorithm>
#include <cmath>

#include "objective/cumulative.hpp"
#include "objective/links.hpp"
#include "objective/rows.hpp"

namespace shrimp {
namespace {

// Beyond this mean a normal distribution is exact to 1e-3. Chosen by hand.
constexpr double largest_mean = 1e6;

// Below this excess over 1 the negative binomial distribution is a Poisson distribution to 1e-6.
constexpr double least_excess = 1e-6;

double count_cumulative(double y, double mean, double dispersion, const LossParameters&) {
  if (!(y >= 0.0)) return 0.0;
  const double count = std::floor(y);
  if (mean > largest_mean) return normal_cumulative((count + 0.5 - mean) / std::sqrt(dispersion * mean));
  if (dispersion < 1.0 + least_excess) return 1.0 - gamma_cumulative(count + 1.0, mean);
  return beta_cumulative(mean / (dispersion - 1.0), count + 1.0, 1.0 / dispersion);
}

}  // namespace

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
    .interval = IntervalKind::predictive,
    .response =
        ResponseDistribution{[](double mean, const LossParameters&) { return mean; }, count_cumulative, true, 1.0},
};

}  // namespace shrimp

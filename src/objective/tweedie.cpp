// Tweedie regression of y ≥ 0 with a log link: μ = exp(f), and the variance is proportional to μ^p, 1 < p < 2. Such y
// are sums of a Poisson number of gamma-distributed amounts, exactly 0 with some probability (Jørgensen, 1987).
//   l(y, f) = y^(2−p)/((1−p)(2−p)) − y μ^(1−p)/(1−p) + μ^(2−p)/(2−p),   l' = μ^(2−p) − y μ^(1−p);   the deviance is 2
//   l.
// In place of l'', (1) has its expectation μ^(2−p) (Fisher scoring).
//
// With variance φ μ^p, the number of amounts has the mean μ^(2−p)/(φ(2−p)), and each amount the shape (2−p)/(p−1) and
// the scale φ(p−1)μ^(p−1) (Smyth and Jørgensen, 2002). Predictive intervals use this distribution.
#include <algorithm>
#include <cmath>

#include "objective/cumulative.hpp"
#include "objective/links.hpp"
#include "objective/rows.hpp"

namespace shrimp {
namespace {

// Beyond this mean number of amounts, a gamma distribution of the same mean and variance is exact to 2e-3: its
// skewness differs by less than 0.1. Chosen by hand.
constexpr double most_amounts = 500.0;

// Σ_n Poisson(n; amounts) P(n shape, x), from the most probable n to both sides until terms are negligible.
double compound_cumulative(double amounts, double shape, double x) {
  constexpr double negligible = 1e-12;
  const double mode = std::floor(amounts);
  const auto probability = [&](double n) { return std::exp(n * std::log(amounts) - amounts - std::lgamma(n + 1.0)); };
  const auto below = [&](double n) { return n > 0.0 ? gamma_cumulative(n * shape, x) : 1.0; };
  double sum = 0.0;
  double weight = probability(mode);
  for (double n = mode; n >= 0.0 && weight > negligible; --n) {
    sum += weight * below(n);
    weight *= n / amounts;
  }
  weight = probability(mode);
  for (double n = mode + 1.0;; ++n) {
    weight *= amounts / n;
    const double term = weight * below(n);
    sum += term;
    if (!(term > negligible)) break;
  }
  return std::min(1.0, sum);
}

double amount_cumulative(double y, double mean, double dispersion, const LossParameters& parameters) {
  if (!(y >= 0.0)) return 0.0;
  const double p = parameters.shape;
  const double shape = std::pow(mean, 2.0 - p) / dispersion;
  const double amounts = shape / (2.0 - p);
  if (amounts > most_amounts) return gamma_cumulative(shape, shape * y / mean);
  return compound_cumulative(amounts, (2.0 - p) / (p - 1.0), y / (dispersion * (p - 1.0) * std::pow(mean, p - 1.0)));
}

}  // namespace

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
    .interval = IntervalKind::predictive,
    .response = ResponseDistribution{[](double mean, const LossParameters& parameters) {
                                       return std::pow(mean, parameters.shape);
                                     },
                                     amount_cumulative},
};

}  // namespace shrimp

// Huber's loss: quadratic for |y − f| ≤ k s and linear beyond, where s is the scale of residuals.
//
// In place of l'', which is 0 beyond k s, (1) has its largest value 1. The quadratic then lies above the loss
// everywhere and touches it at f, so that every step descends (Huber and Dutter, 1974). Weights min(1, k s/|y − f|)
// with z = y would descend as well, but outliers would keep most of the weighted variance, in which a search finds
// nothing.
#include <algorithm>
#include <cmath>

#include "objective/links.hpp"
#include "objective/rows.hpp"

namespace shrimp {
namespace {

// k: 95 % of the efficiency of least squares for normal noise (Huber, 1964; Holland and Welsch, 1977).
constexpr double bound_in_scales = 1.345;

}  // namespace

extern const Objective huber_objective = {
    .loss = Loss::huber,
    .name = "huber",
    .help = "numbers with outliers",
    .target = {any_number, "number", ""},
    .value =
        [](double y, double f, const LossParameters& parameters) {
          const double bound = bound_in_scales * parameters.scale;
          const double size = std::abs(y - f);
          return size <= bound ? 0.5 * size * size : bound * (size - 0.5 * bound);
        },
    .derivatives =
        [](double y, double f, const LossParameters& parameters) {
          const double bound = bound_in_scales * parameters.scale;
          return Derivatives{-std::clamp(y - f, -bound, bound), 1.0};
        },
    .largest_curvature = [](const LossParameters&) { return 1.0; },
    .constant = [](std::span<const double> y, std::span<const double> weights,
                   const LossParameters&) { return weighted_quantile(y, weights, 0.5); },
    .degree = [](const LossParameters&) { return 2.0; },
    .has_scale = true,
    .most_searches = 3,  // Each has another scale: outliers lose their influence step by step.
    .metric = {"huber_loss", "Huber loss", 1.0},
    .constant_model = "constant",
    .linear_model = "linear model",
    .prediction = "a location",
};

}  // namespace shrimp

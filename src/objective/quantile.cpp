// Quantile regression: f is the quantile of y at level τ. The check loss of u = y − f, u(τ − [u < 0]), is smoothed by
// the logistic distribution of scale h (Fernandes, Guerre and Horta, 2021; He et al., 2023):
//   l(y, f) = τ u + h log(1 + exp(−u/h)),   l' = σ(−u/h) − τ,   l'' = σ(u/h) σ(−u/h)/h,   σ(t) = 1/(1 + exp(−t)).
// The smoothed loss is the expected check loss of y plus logistic noise of standard deviation 1.81 h. With h a tenth of
// the standard deviation of normal residuals, levels 0.5, 0.9 and 0.99 become 0.5, 0.904 and 0.991. A smaller h leaves
// few rows with any curvature, which leave-one-out errors need. Chosen by hand.
#include <algorithm>
#include <cmath>

#include "objective/links.hpp"
#include "objective/rows.hpp"

namespace shrimp {
namespace {

constexpr double fraction_of_scale = 0.1;

double sigmoid(double t) { return 1.0 / (1.0 + std::exp(-t)); }

}  // namespace

extern const Objective quantile_objective = {
    .loss = Loss::quantile,
    .name = "quantile",
    .help = "a quantile of numbers",
    .target = {any_number, "number", ""},
    .value =
        [](double y, double f, const LossParameters& parameters) {
          const double h = fraction_of_scale * parameters.scale;
          const double t = (y - f) / h;
          return h * (parameters.shape * t + std::max(-t, 0.0) + std::log1p(std::exp(-std::abs(t))));
        },
    .derivatives =
        [](double y, double f, const LossParameters& parameters) {
          const double h = fraction_of_scale * parameters.scale;
          const double below = sigmoid((f - y) / h);
          return Derivatives{below - parameters.shape, below * (1.0 - below) / h};
        },
    .largest_curvature = [](const LossParameters& parameters) { return 0.25 / (fraction_of_scale * parameters.scale); },
    .curvature_of_search = 1.0,  // Few rows have any curvature: those near the quantile.
    .constant = [](std::span<const double> y, std::span<const double> weights,
                   const LossParameters& parameters) { return weighted_quantile(y, weights, parameters.shape); },
    .degree = [](const LossParameters&) { return 1.0; },
    .has_scale = true,
    .is_smoothed = true,
    .most_searches = 3,
    .updates_by_steps = false,  // Other rows have a curvature after a step.
    .metric = {"pinball_loss", "pinball loss", 1.0},
    .constant_model = "constant",
    .linear_model = "quantile regression",
    .prediction = "a quantile",
    .interval = IntervalKind::none,
};

}  // namespace shrimp

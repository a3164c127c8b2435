// Squared error: l(y, f) = ½(y − f)², the negative log-likelihood of normal noise.
#include "objective/rows.hpp"

namespace shrimp {

extern const Objective squared_objective = {
    .loss = Loss::squared,
    .name = "squared",
    .help = "numbers",
    .target = {any_number, "number", ""},
    .value = [](double y, double f, const LossParameters&) { return 0.5 * (y - f) * (y - f); },
    .derivatives =
        [](double y, double f, const LossParameters&) {
          return Derivatives{f - y, 1.0};
        },
    .largest_curvature = [](const LossParameters&) { return 1.0; },
    .degree = [](const LossParameters&) { return 2.0; },
    .metric = {"mse", "MSE", 2.0},
    .constant_model = "mean",
    .linear_model = "linear model",
    .prediction = "a mean",
};

}  // namespace shrimp

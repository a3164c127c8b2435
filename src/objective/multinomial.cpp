// Multinomial regression: y is a class 0 … K − 1, with one linear predictor f_k per class and the softmax as
// probabilities:
//   l(y, f) = log Σ_k exp(f_k) − f_y.
// The predictors of all classes are fitted together (solvers/softmax_ridge.hpp), not by (1) of objective.hpp.
#include <cmath>

#include "objective/rows.hpp"

namespace shrimp {

extern const Objective multinomial_objective = {
    .loss = Loss::multinomial,
    .name = "multinomial",
    .help = "classes",
    .has_several_predictors = true,
    .target = {[](double y) { return y >= 0.0 && y == std::floor(y); }, "class, which is a whole number of 0 or more",
               "Number the classes from 0, or use loss squared for numbers."},
    .value = nullptr,
    .derivatives = nullptr,
    .largest_curvature = nullptr,
    .degree = [](const LossParameters&) { return 0.0; },
    .updates_by_steps = false,
    .metric = {"log_loss", "log loss", 1.0},
    .constant_model = "constant probabilities",
    .linear_model = "linear model",
    .prediction = "probabilities",
    .interval = IntervalKind::none,
};

}  // namespace shrimp

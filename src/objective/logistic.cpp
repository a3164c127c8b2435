// Logistic regression: y is 0 or 1, f the log odds, p = 1/(1 + exp(−f)) the probability of 1.
//   l(y, f) = y log(1 + exp(−f)) + (1 − y) log(1 + exp(f)),   l' = p − y,   l'' = p(1 − p)
#include <cmath>

#include "objective/links.hpp"
#include "objective/rows.hpp"

namespace shrimp {
namespace {

// log(1 + exp(f)), for large |f|, too.
double softplus(double f) { return std::max(f, 0.0) + std::log1p(std::exp(-std::abs(f))); }

}  // namespace

extern const Objective logistic_objective = {
    .loss = Loss::logistic,
    .name = "logistic",
    .help = "two classes",
    .link = TargetForm::logit,
    .target = {[](double y) { return y == 0.0 || y == 1.0; }, "class, 0 or 1",
               "Give two classes, or use loss squared for numbers."},
    .value = [](double y, double f, const LossParameters&) { return y * softplus(-f) + (1.0 - y) * softplus(f); },
    .derivatives =
        [](double y, double f, const LossParameters&) {
          const double p = 1.0 / (1.0 + std::exp(-bounded_log(f)));
          return Derivatives{p - y, p * (1.0 - p)};
        },
    .largest_curvature = [](const LossParameters&) { return 0.25; },
    .degree = [](const LossParameters&) { return 0.0; },
    .metric = {"log_loss", "log loss", 1.0},
    .constant_model = "constant probability",
    .linear_model = "logistic regression",
    .prediction = "a probability",
    .interval = IntervalKind::credible,
};

}  // namespace shrimp

// Targets by their logarithm or square root: how they are fitted, and back to predictions.
#pragma once

#include <span>
#include <string_view>

#include "shrimp/scaling.hpp"

namespace shrimp {

/// Whether every y has this form: above 0 for log, no less for sqrt, between 0 and 1 for logit.
bool can_take_form(std::span<const double> y, TargetForm form);

/// y in the form that is fitted, before it is brought to mean 0 and scale 1.
double in_form(TargetForm form, double y);

/// What brings predictions to the mean of the target: y and `predicted`, of rows that were left out, are in the form
/// that is fitted, over its deviation.
double target_correction(TargetForm form, std::span<const double> y, std::span<const double> predicted,
                         double deviation);

/// The prediction for this sum of the columns, inside the target's limits.
double target_value(const Scaling& scaling, double sum);

/// The slope of the prediction along the sum, before it is brought inside the target's limits.
double target_slope(const Scaling& scaling, double sum);

/// "identity", "log", "sqrt" or "logit"
std::string_view name_of(TargetForm form);

}  // namespace shrimp

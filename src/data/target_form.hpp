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

/// The correction that makes predictions the mean of the target (Duan's smearing estimator, for log and sqrt): y and
/// `predicted` are in the form that is fitted, over its standard deviation; the rows were left out of the fit. No
/// weights: every row counts 1.
double target_correction(TargetForm form, std::span<const double> y, std::span<const double> predicted,
                         std::span<const double> weights, double deviation);

/// The prediction for this sum of the columns, inside the target's limits.
double target_value(const Scaling& scaling, double sum);

/// The slope of the prediction along the sum, before it is brought inside the target's limits.
double target_slope(const Scaling& scaling, double sum);

/// "identity", "log", "sqrt" or "logit"
std::string_view name_of(TargetForm form);

}  // namespace shrimp

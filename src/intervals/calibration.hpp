// How many deviations an interval needs: quantiles of how far rows that were not fitted lie from their predictions.
#pragma once

#include <span>
#include <vector>

#include "shrimp/model.hpp"

namespace shrimp {

/// Sets levels and quantiles. A score is |y − prediction| over its deviation; weights count rows, none: each is one.
/// Of n scores the k-th smallest is the quantile of the level k/(n + 1): a new row is as likely to come before any of
/// them as after the last. There is one score at least.
void calibrate(Uncertainty& uncertainty, std::vector<double> scores, std::vector<double> weights);

/// Sets levels and the quantiles that a normal distribution has.
void calibrate_as_normal(Uncertainty& uncertainty);

/// Between the levels that are kept, the quantile is linear; above the highest, it is that of the highest.
double quantile_of(const Uncertainty& uncertainty, double level);

}  // namespace shrimp

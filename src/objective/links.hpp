// Links and weighted quantiles that several losses share.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace shrimp {

// Logarithms of means differ from that of the mean target by less than this; exp overflows far beyond it.
inline constexpr double largest_log = 30.0;

inline double bounded_log(double f) { return std::clamp(f, -largest_log, largest_log); }

inline double exp_bounded(double f) { return std::exp(bounded_log(f)); }

/// The smallest y that has at least this fraction of the weight at or below it; the middle one of equal weights for ½.
double weighted_quantile(std::span<const double> y, std::span<const double> weights, double level);

/// 1.4826 times the weighted median of |y − f|: the standard deviation of normal residuals, unless outliers have half
/// of the weight. No weights: every row counts 1.
double robust_standard_deviation(std::span<const double> y, std::span<const double> f,
                                 std::span<const double> weights = {});

}  // namespace shrimp

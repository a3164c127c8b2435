// Cumulative distribution functions that response distributions are made of.
#pragma once

namespace shrimp {

/// Φ(z).
double normal_cumulative(double z);

/// Regularised lower incomplete gamma function P(a, x): that of a gamma distribution of shape a > 0 and scale 1.
double gamma_cumulative(double a, double x);

/// Regularised incomplete beta function I_x(a, b), for a and b > 0 and 0 ≤ x ≤ 1.
double beta_cumulative(double a, double b, double x);

}  // namespace shrimp

#include "objective/cumulative.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shrimp {
namespace {

constexpr double precision = 1e-14;

// Replaces denominators of 0 in continued fractions (Lentz's method).
constexpr double tiny = 1e-300;

// Series and fractions take about √a terms. Beyond this shape an approximation is exact to 1e-7. Chosen by hand.
constexpr double largest_shape = 1e5;
constexpr int most_terms = 20000;

// Σ x^k/((a + 1)…(a + k))
double gamma_series(double a, double x) {
  double term = 1.0;
  double sum = 1.0;
  for (int k = 1; k < most_terms && term > precision * sum; ++k) {
    term *= x / (a + static_cast<double>(k));
    sum += term;
  }
  return sum * std::exp(a * std::log(x) - x - std::lgamma(a + 1.0));
}

// 1 − P(a, x), by Lentz's method (Press et al., Numerical Recipes, 6.2).
double gamma_fraction(double a, double x) {
  double b = x + 1.0 - a;
  double c = 1.0 / tiny;
  double d = 1.0 / b;
  double h = d;
  for (int k = 1; k < most_terms; ++k) {
    const double n = static_cast<double>(k);
    const double numerator = -n * (n - a);
    b += 2.0;
    d = numerator * d + b;
    d = 1.0 / (std::abs(d) < tiny ? tiny : d);
    c = b + numerator / c;
    if (std::abs(c) < tiny) c = tiny;
    h *= d * c;
    if (std::abs(d * c - 1.0) < precision) break;
  }
  return h * std::exp(a * std::log(x) - x - std::lgamma(a));
}

// Press et al., Numerical Recipes, 6.4.
double beta_fraction(double a, double b, double x) {
  const auto keep = [](double value) { return std::abs(value) < tiny ? tiny : value; };
  double c = 1.0;
  double d = 1.0 / keep(1.0 - (a + b) * x / (a + 1.0));
  double h = d;
  for (int k = 1; k < most_terms; ++k) {
    const double n = static_cast<double>(k);
    const double even = n * (b - n) * x / ((a + 2.0 * n - 1.0) * (a + 2.0 * n));
    d = 1.0 / keep(1.0 + even * d);
    c = keep(1.0 + even / c);
    h *= d * c;
    const double odd = -(a + n) * (a + b + n) * x / ((a + 2.0 * n) * (a + 2.0 * n + 1.0));
    d = 1.0 / keep(1.0 + odd * d);
    c = keep(1.0 + odd / c);
    h *= d * c;
    if (std::abs(d * c - 1.0) < precision) break;
  }
  return h;
}

}  // namespace

double normal_cumulative(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

double gamma_cumulative(double a, double x) {
  if (!(x > 0.0)) return 0.0;
  if (!std::isfinite(x)) return 1.0;
  if (a > largest_shape) {  // Wilson and Hilferty (1931).
    const double variance = 1.0 / (9.0 * a);
    return normal_cumulative((std::cbrt(x / a) - (1.0 - variance)) / std::sqrt(variance));
  }
  return std::clamp(x < a + 1.0 ? gamma_series(a, x) : 1.0 - gamma_fraction(a, x), 0.0, 1.0);
}

double beta_cumulative(double a, double b, double x) {
  if (!(x > 0.0)) return 0.0;
  if (!(x < 1.0)) return 1.0;
  const double log_front = std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x);
  const double front = std::exp(log_front);
  const bool is_left = x < (a + 1.0) / (a + b + 2.0);
  const double value = is_left ? front * beta_fraction(a, b, x) / a : 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
  return std::clamp(value, 0.0, 1.0);
}

}  // namespace shrimp

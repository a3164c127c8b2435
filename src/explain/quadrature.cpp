#include "explain/quadrature.hpp"

#include <cmath>
#include <numbers>

namespace shrimp {

GaussLegendre gauss_legendre(std::size_t count) {
  GaussLegendre rule{std::vector<double>(count), std::vector<double>(count)};
  const auto n = static_cast<double>(count);
  for (std::size_t k = 0; k < count; ++k) {
    // Newton's method from Tricomi's guess; it gains twice the digits each time.
    double x = -std::cos(std::numbers::pi * (static_cast<double>(k) + 0.75) / (n + 0.5));
    double slope = 1.0;
    for (int step = 0; step < 8; ++step) {
      double before = 0.0;
      double value = 1.0;  // P_0, P_1, … at x.
      for (std::size_t degree = 1; degree <= count; ++degree) {
        const auto i = static_cast<double>(degree);
        const double next = ((2.0 * i - 1.0) * x * value - (i - 1.0) * before) / i;
        before = value;
        value = next;
      }
      slope = n * (x * value - before) / (x * x - 1.0);
      x -= value / slope;
    }
    rule.nodes[k] = x;
    rule.weights[k] = 2.0 / ((1.0 - x * x) * slope * slope);
  }
  return rule;
}

}  // namespace shrimp

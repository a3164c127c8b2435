#include "solvers/l1.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace shrimp {

double l1_norm(std::span<const double> x) {
  double sum = 0.0;
  for (const double value : x) sum += std::abs(value);
  return sum;
}

double largest_magnitude(std::span<const double> x) {
  double largest = 0.0;
  for (const double value : x) largest = std::max(largest, std::abs(value));
  return largest;
}

namespace {

// The t ≥ 0 with Σ max(|x_i| − t, 0) = radius > 0, for x outside the ball. Every candidate set's t is a lower bound of
// the one sought, so that what is below it can be thrown away.
double threshold_onto_ball(std::span<const double> x, double radius) {
  std::vector<double> candidates;
  candidates.reserve(x.size());
  for (const double value : x) candidates.push_back(std::abs(value));
  double t = 0.0;
  for (std::size_t before = 0; before != candidates.size();) {
    before = candidates.size();
    double sum = 0.0;
    for (const double value : candidates) sum += value;
    t = std::max(t, (sum - radius) / static_cast<double>(before));
    std::erase_if(candidates, [t](double value) { return value <= t; });
    if (candidates.empty()) break;
  }
  return t;
}

}  // namespace

double project_onto_l1_ball(std::span<double> x, double radius) {
  if (radius <= 0.0) {
    const double t = largest_magnitude(x);
    std::ranges::fill(x, 0.0);
    return t;
  }
  if (l1_norm(x) <= radius) return 0.0;
  const double t = threshold_onto_ball(x, radius);
  for (double& value : x) value = soft_threshold(value, t);
  return t;
}

}  // namespace shrimp

#include "intervals/predictive_distribution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "features/normal_quantile.hpp"
#include "objective/cumulative.hpp"
#include "objective/links.hpp"

namespace shrimp {
namespace {

// The trapezoid rule for a normal density times a smooth function is exact to 1e-8 at this step, in standard
// deviations: its error falls as exp(−2π²/step²).
constexpr double widest_step = 1.0;
constexpr double range = 4.0;

// Narrow response distributions take more nodes. With these, quantiles are within a tenth of the deviation. Chosen by
// hand.
constexpr double most_nodes_of_a_side = 32.0;

// Below this ratio to the response's relative deviation, uncertain coefficients widen quantiles by less than 0.1 %.
constexpr double negligible_ratio = 0.04;

// Quantiles are exact to this relative precision.
constexpr double precision = 1e-10;

// Bounds of probabilities whose normal quantile is finite.
constexpr double least_probability = 1e-15;

double normal_score(double probability) {
  return normal_quantile(std::clamp(probability, least_probability, 1.0 - least_probability));
}

}  // namespace

PredictiveDistribution::PredictiveDistribution(const LossFunction& loss, double mean, double deviation,
                                               double dispersion)
    : parameters_(loss.parameters()),
      response_(*loss.objective().response),
      mean_(mean),
      dispersion_(std::max(dispersion, response_.least_dispersion)) {
  constexpr double smallest_mean = 1e-100;  // Of means that underflowed.
  mean_ = std::clamp(mean, smallest_mean, 1.0 / smallest_mean);
  const double relative = std::sqrt(dispersion_ * response_.variance(mean_, parameters_)) / mean_;
  const double ratio = deviation / relative;
  if (!(ratio > negligible_ratio)) {
    nodes_ = {{mean_, 1.0}};
    return;
  }
  const double of_a_side = std::min(std::ceil(range / std::min(widest_step, 1.0 / ratio)), most_nodes_of_a_side);
  const double step = range / of_a_side;
  double total = 0.0;
  for (double k = -of_a_side; k <= of_a_side; ++k) {
    const double z = k * step;
    nodes_.push_back({mean_ * exp_bounded(z * deviation), std::exp(-0.5 * z * z)});
    total += nodes_.back().weight;
  }
  for (Node& node : nodes_) node.weight /= total;
}

double PredictiveDistribution::cumulative(double y) const {
  double probability = 0.0;
  for (const Node& node : nodes_) {
    probability += node.weight * response_.cumulative(y, node.mean, dispersion_, parameters_);
  }
  return probability;
}

double PredictiveDistribution::quantile(double probability) const {
  if (cumulative(0.0) >= probability) return 0.0;
  return response_.is_discrete ? discrete_quantile(probability) : continuous_quantile(probability);
}

// Bisection between whole numbers, after doubling.
double PredictiveDistribution::discrete_quantile(double probability) const {
  double low = 0.0;
  double high = std::max(1.0, std::ceil(mean_));
  while (cumulative(high) < probability && std::isfinite(high)) {
    low = high;
    high *= 2.0;
  }
  while (high - low > 1.0) {
    const double middle = std::floor(0.5 * (low + high));
    if (!(middle > low && middle < high)) break;  // Neighbouring numbers of the floating-point format.
    (cumulative(middle) < probability ? low : high) = middle;
  }
  return high;
}

// Regula falsi on the logarithm of y (Illinois), within a bracket that grows to
// both sides. It is superlinear where the function is smooth.
double PredictiveDistribution::continuous_quantile(double probability) const {
  constexpr int most_doublings = 400;
  constexpr int most_steps = 100;
  constexpr double rounding = 1e-13;
  const auto excess = [&](double log_y) { return cumulative(std::exp(log_y)) - probability; };
  double low = std::log(mean_);
  double low_excess = excess(low);
  double high = low;
  double high_excess = low_excess;
  for (int k = 0; k < most_doublings && low_excess > 0.0; ++k) {
    high = low;
    high_excess = low_excess;
    low -= static_cast<double>(k + 1);
    low_excess = excess(low);
  }
  for (int k = 0; k < most_doublings && high_excess < 0.0; ++k) {
    low = high;
    low_excess = high_excess;
    high += static_cast<double>(k + 1);
    high_excess = excess(high);
  }
  for (int k = 0, side = 0; k < most_steps && high - low > precision; ++k) {
    const double secant = (low * high_excess - high * low_excess) / (high_excess - low_excess);
    const bool is_inside = secant > low && secant < high;
    const double next = k % 8 == 7 || !is_inside ? 0.5 * (low + high) : secant;
    const double value = excess(next);
    if (std::abs(value) < rounding) return std::exp(next);
    if (value < 0.0) {
      low = next;
      low_excess = value;
      if (side < 0) high_excess *= 0.5;
      side = -1;
    } else {
      high = next;
      high_excess = value;
      if (side > 0) low_excess *= 0.5;
      side = 1;
    }
  }
  return std::exp(0.5 * (low + high));
}

double PredictiveDistribution::standard_deviation() const {
  double mean = 0.0;
  double square = 0.0;
  for (const Node& node : nodes_) {
    mean += node.weight * node.mean / mean_;
    square += node.weight * (std::pow(node.mean / mean_, 2) +
                             dispersion_ * response_.variance(node.mean, parameters_) / (mean_ * mean_));
  }
  return mean_ * std::sqrt(std::max(0.0, square - mean * mean));
}

double PredictiveDistribution::residual(double y, double position) const {
  const double below = cumulative(std::nextafter(y, -std::numeric_limits<double>::infinity()));
  return normal_score(below + position * (cumulative(y) - below));
}

}  // namespace shrimp

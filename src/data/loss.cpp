#include "data/loss.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace shrimp {
namespace {

// Huber's k: 95 % of the efficiency of least squares where the noise is normal (Huber, 1964; Holland and Welsch, 1977).
constexpr double huber_bound = 1.345;

// Beyond it, logistic and Poisson means are the same as there for any purpose, and exp overflows some way off.
constexpr double largest_sum = 30.0;

double held(double sum) { return std::clamp(sum, -largest_sum, largest_sum); }

double probability(double sum) { return 1.0 / (1.0 + std::exp(-held(sum))); }

// log(1 + exp(f)), for large |f|, too.
double softplus(double sum) { return std::max(sum, 0.0) + std::log1p(std::exp(-std::abs(sum))); }

double poisson_loss(double y, double sum) {
  const double f = held(sum);
  const double saturated = y > 0.0 ? y * (std::log(y) - 1.0) : 0.0;
  return std::max(0.0, std::exp(f) - y * f + saturated);
}

double huber_loss(double rest, double bound) {
  const double size = std::abs(rest);
  return size <= bound ? 0.5 * size * size : bound * (size - 0.5 * bound);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

double weighted_median(std::span<const double> y, std::span<const double> weights) {
  if (weights.empty()) return median({y.begin(), y.end()});
  std::vector<std::size_t> order(y.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return y[i]; });
  const double half = 0.5 * std::accumulate(weights.begin(), weights.end(), 0.0);
  double below = 0.0;
  for (const std::size_t i : order) {
    below += weights[i];
    if (below >= half) return y[i];
  }
  return y[order.back()];
}

}  // namespace

double LossFunction::mean(double sum) const {
  if (loss_ == Loss::logistic) return probability(sum);
  if (loss_ == Loss::poisson) return std::exp(held(sum));
  return sum;
}

double LossFunction::link(double mean) const {
  constexpr double edge = 1e-6;
  if (loss_ == Loss::poisson) return std::log(std::max(mean, edge));
  if (loss_ != Loss::logistic) return mean;
  const double p = std::clamp(mean, edge, 1.0 - edge);
  return std::log(p / (1.0 - p));
}

double LossFunction::of(double y, double sum) const {
  switch (loss_) {
    case Loss::logistic:
      return y * softplus(-sum) + (1.0 - y) * softplus(sum);
    case Loss::poisson:
      return poisson_loss(y, sum);
    case Loss::huber:
      return huber_loss(y - sum, huber_bound * scale_);
    case Loss::multinomial:  // Has several linear predictors (solvers/softmax_ridge.hpp).
    case Loss::squared:
      break;
  }
  return 0.5 * (y - sum) * (y - sum);
}

WorkingRow LossFunction::working_row(double y, double sum, double smallest_share) const {
  switch (loss_) {
    case Loss::logistic: {
      constexpr double largest = 0.25;
      const double f = held(sum);
      const double p = probability(f);
      const double weight = std::max(p * (1.0 - p), smallest_share * largest);
      return {f + (y - p) / weight, weight};
    }
    case Loss::poisson: {
      const double f = held(sum);
      const double rate = std::exp(f);
      const double weight = std::max(rate, smallest_share);
      return {f + (y - rate) / weight, weight};
    }
    case Loss::huber: {
      const double bound = huber_bound * scale_;
      return {sum + std::clamp(y - sum, -bound, bound), 1.0};
    }
    case Loss::multinomial:
    case Loss::squared:
      break;
  }
  return {y, 1.0};
}

std::string_view name_of(Loss loss) {
  switch (loss) {
    case Loss::logistic:
      return "logistic";
    case Loss::poisson:
      return "poisson";
    case Loss::huber:
      return "huber";
    case Loss::multinomial:
      return "multinomial";
    case Loss::squared:
      break;
  }
  return "squared";
}

bool has_link(Loss loss) { return loss == Loss::logistic || loss == Loss::poisson || loss == Loss::multinomial; }

TargetForm form_of(Loss loss) {
  if (loss == Loss::logistic) return TargetForm::logit;
  return loss == Loss::poisson ? TargetForm::log : TargetForm::identity;
}

double constant_sum(const LossFunction& loss, std::span<const double> y, std::span<const double> weights) {
  if (loss.kind() == Loss::huber) return weighted_median(y, weights);
  double sum = 0.0;
  double total = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double weight = weights.empty() ? 1.0 : weights[i];
    sum += weight * y[i];
    total += weight;
  }
  return loss.link(sum / total);
}

double mean_loss(const LossFunction& loss, std::span<const double> y, std::span<const double> sums,
                 std::span<const double> weights) {
  double sum = 0.0;
  double total = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double weight = weights.empty() ? 1.0 : weights[i];
    sum += weight * loss.of(y[i], sums[i]);
    total += weight;
  }
  return sum / total;
}

double robust_deviation(std::span<const double> y, std::span<const double> sums, std::span<const double> weights) {
  constexpr double normal = 1.4826;
  std::vector<double> sizes;
  for (std::size_t i = 0; i < y.size(); ++i) sizes.push_back(std::abs(y[i] - sums[i]));
  return normal * weighted_median(sizes, weights);
}

}  // namespace shrimp

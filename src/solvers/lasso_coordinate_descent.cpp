#include "solvers/lasso_coordinate_descent.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/dense.hpp"
#include "solvers/l1.hpp"

namespace shrimp {
namespace {

// Columns enter a few at a time: one Newton step then serves them all, but of many that enter at once in a coherent
// dictionary most must leave again.
constexpr std::size_t entering_per_round = 4;
constexpr std::size_t most_newton_steps_per_round = 50;
constexpr std::size_t smallest_working_set = 64;

double sign(double x) { return x > 0.0 ? 1.0 : -1.0; }

// Where φ(t) = ½ curvature t² + slope t is least once |c_j + t d_j| changes the slope by 2Λ|d_j| at each change of
// sign.
struct LineMinimum {
  double t = 0.0;
  double decrease = 0.0;
  bool same_signs = true;  // No change of sign, so that a full Newton step is the minimum for these signs.
};

LineMinimum search_line(std::span<const double> c, std::span<const double> direction, double threshold, double slope,
                        double curvature) {
  struct Crossing {
    double t;
    double jump;
  };
  std::vector<Crossing> crossings;
  for (std::size_t k = 0; k < c.size(); ++k) {
    const double t = -c[k] / direction[k];
    if (t > 0.0 && std::isfinite(t)) crossings.push_back({t, 2.0 * threshold * std::abs(direction[k])});
  }
  std::ranges::sort(crossings, {}, &Crossing::t);
  LineMinimum minimum;
  const auto advance = [&](double t) {
    const double middle = (minimum.t + t) / 2.0;
    minimum.decrease -= (t - minimum.t) * (slope + curvature * middle);
    minimum.t = t;
  };
  for (const Crossing& crossing : crossings) {
    if (slope + curvature * crossing.t >= 0.0) break;
    advance(crossing.t);
    minimum.same_signs = false;
    slope += crossing.jump;
    if (slope + curvature * crossing.t >= 0.0) return minimum;
  }
  if (slope + curvature * minimum.t < 0.0 && curvature > 0.0) advance(-slope / curvature);
  return minimum;
}

}  // namespace

LassoCoordinateDescent::LassoCoordinateDescent(const LassoProblem& problem)
    : problem_(problem), chosen_(problem.stored.cols, 0) {}

LassoProgress LassoCoordinateDescent::improve(const LassoStep& step, std::span<const std::size_t> left,
                                              LassoIterate& iterate) {
  if (step.threshold != threshold_before_) shrink(iterate);
  const std::size_t added = grow(step, left, iterate);
  threshold_before_ = step.threshold;
  load(iterate);
  // Rounds that gain next to nothing, this often in a row, will gain nothing later.
  constexpr double nothing = 1e-6;
  constexpr std::size_t patience = 10;
  std::size_t idle = 0;
  LassoProgress progress;
  do {
    problem_.check_stop();
    const double decrease = round(step.threshold, progress.iterations);
    idle = decrease > nothing * step.target ? 0 : idle + 1;
  } while (idle < patience && progress.iterations < step.most_iterations &&
           lasso_gap(step.threshold, std::max(0.0, squared_residual_), c_, correlations_).gap > step.target);
  progress.stalled = idle == patience && added == 0;
  for (std::size_t k = 0; k < columns_.size(); ++k) iterate.coefficients[columns_[k]] = c_[k];
  return progress;
}

// Adds the columns that violate optimality most, at most doubling the support. For a new Λ those count as well that are
// likely to violate it on the way there (the strong rule of Tibshirani et al., J. R. Stat. Soc. B 74, 2012).
std::size_t LassoCoordinateDescent::grow(const LassoStep& step, std::span<const std::size_t> left,
                                         const LassoIterate& iterate) {
  const double reach = std::max(0.0, threshold_before_ - step.threshold);
  const double limit = std::max(0.0, step.threshold - reach);
  const double rounding = 1e-14 * std::sqrt(problem_.squared_y);
  std::vector<std::size_t> candidates;
  for (const std::size_t j : left) {
    const double correlation = std::abs(iterate.correlations[j]);
    const bool likely = correlation > limit + rounding * problem_.column_norms[j];
    if (chosen_[j] == 0 && (likely || iterate.coefficients[j] != 0.0)) candidates.push_back(j);
  }
  const std::size_t most = std::max(smallest_working_set, support_size());
  if (candidates.size() > most) {
    const auto more = [&](std::size_t a, std::size_t b) {
      const double x = std::abs(iterate.correlations[a]);
      const double y = std::abs(iterate.correlations[b]);
      return x != y ? x > y : a < b;
    };
    std::ranges::nth_element(candidates, candidates.begin() + static_cast<std::ptrdiff_t>(most), more);
    candidates.resize(most);
    std::ranges::sort(candidates);
  }
  add(candidates);
  return candidates.size();
}

void LassoCoordinateDescent::add(std::span<const std::size_t> columns) {
  if (columns.empty()) return;
  const std::size_t before = columns_.size();
  const std::size_t size = before + columns.size();
  columns_.insert(columns_.end(), columns.begin(), columns.end());
  for (const std::size_t j : columns) chosen_[j] = 1;
  c_.resize(size, 0.0);
  correlations_.resize(size, 0.0);
  factored_.resize(size, 0);
  if (gram_.rows() < size) {
    Matrix larger(std::max(size, 2 * gram_.rows()), std::max(size, 2 * gram_.rows()));
    for (std::size_t k = 0; k < before; ++k) std::ranges::copy(gram_.col(k).first(before), larger.col(k).begin());
    gram_ = std::move(larger);
  }
  const Matrix block = multiply(transpose(gather_columns(problem_.stored, columns)),
                                gather_columns(problem_.stored, columns_));  // Rows: the new columns.
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t row = 0; row < columns.size(); ++row) {
      gram_(before + row, k) = block(row, k);
      gram_(k, before + row) = block(row, k);
    }
  }
}

// A working set that has grown far beyond the support keeps the columns nearest to entering it.
void LassoCoordinateDescent::shrink(const LassoIterate& iterate) {
  const std::size_t wanted = std::max(2 * smallest_working_set, 2 * support_size());
  if (columns_.size() <= 2 * wanted) return;
  std::vector<std::size_t> order(columns_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    if ((c_[a] != 0.0) != (c_[b] != 0.0)) return c_[a] != 0.0;
    return std::abs(iterate.correlations[columns_[a]]) > std::abs(iterate.correlations[columns_[b]]);
  });
  order.resize(wanted);
  std::ranges::sort(order);
  follow_support();  // All of it stays; only the places change.
  for (const std::size_t j : columns_) chosen_[j] = 0;
  for (std::size_t& place : active_) {
    place = static_cast<std::size_t>(std::ranges::lower_bound(order, place) - order.begin());
  }
  for (std::size_t k = 0; k < wanted; ++k) {  // Ascending, so that nothing is overwritten before it is read.
    columns_[k] = columns_[order[k]];
    c_[k] = c_[order[k]];
    factored_[k] = factored_[order[k]];
    chosen_[columns_[k]] = 1;
    for (std::size_t row = 0; row < wanted; ++row) gram_(row, k) = gram_(order[row], order[k]);
  }
  columns_.resize(wanted);
  c_.resize(wanted);
  correlations_.resize(wanted);
  factored_.resize(wanted);
}

void LassoCoordinateDescent::load(const LassoIterate& iterate) {
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    c_[k] = iterate.coefficients[columns_[k]];
    correlations_[k] = iterate.correlations[columns_[k]];
  }
  squared_residual_ = squared_norm(iterate.residual);
}

double LassoCoordinateDescent::round(double threshold, std::size_t& iterations) {
  double decrease = 0.0;
  for (std::size_t k = 0; k < entering_per_round; ++k) {
    const double gained = enter_worst(threshold);
    decrease += gained;
    if (gained == 0.0) break;
  }
  for (std::size_t k = 0; k < most_newton_steps_per_round; ++k) {
    ++iterations;
    const Gain gain = newton_step(threshold);
    decrease += gain.decrease;
    if (gain.settled) break;
  }
  return decrease;
}

// The coordinate at zero whose own minimum gains most goes there. Returns by how much the objective falls.
double LassoCoordinateDescent::enter_worst(double threshold) {
  std::size_t worst = 0;
  double most = 0.0;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const double excess = std::abs(correlations_[k]) - threshold;
    if (c_[k] != 0.0 || excess <= 0.0 || gram_(k, k) == 0.0) continue;
    const double gain = excess * excess / (2.0 * gram_(k, k));
    if (gain > most) {
      most = gain;
      worst = k;
    }
  }
  if (most == 0.0) return 0.0;
  const double value = soft_threshold(correlations_[worst], threshold) / gram_(worst, worst);
  squared_residual_ -= value * (2.0 * correlations_[worst] - value * gram_(worst, worst));
  add_scaled(correlations_, -value, gram_.col(worst).first(columns_.size()));
  c_[worst] = value;
  return most;
}

// The factor of G_SS follows the support S.
void LassoCoordinateDescent::follow_support() {
  for (std::size_t k = active_.size(); k-- > 0;) {
    if (c_[active_[k]] != 0.0) continue;
    factor_.remove(k);
    factored_[active_[k]] = 0;
    active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(k));
  }
  for (std::size_t k = 0; k < c_.size(); ++k) {
    if (c_[k] == 0.0 || factored_[k] != 0) continue;
    active_.push_back(k);
    factored_[k] = 1;
    std::vector<double> row(active_.size());
    std::ranges::transform(active_, row.begin(), [&](std::size_t other) { return gram_(other, k); });
    factor_.append(row);
  }
}

// Along G_SS⁻¹ (a_jᵀr − Λ sign c_j).
LassoCoordinateDescent::Gain LassoCoordinateDescent::newton_step(double threshold) {
  follow_support();
  std::vector<double> direction(active_.size());
  std::ranges::transform(active_, direction.begin(),
                         [&](std::size_t k) { return correlations_[k] - threshold * sign(c_[k]); });
  factor_.solve(direction);
  std::vector<double> change(columns_.size(), 0.0);  // G d
  std::vector<double> start(active_.size());
  double product = 0.0;
  double slope = 0.0;
  for (std::size_t k = 0; k < active_.size(); ++k) {
    start[k] = c_[active_[k]];
    add_scaled(change, direction[k], gram_.col(active_[k]).first(change.size()));
    product += correlations_[active_[k]] * direction[k];
    slope += threshold * sign(start[k]) * direction[k];
  }
  double curvature = 0.0;
  for (std::size_t k = 0; k < active_.size(); ++k) curvature += direction[k] * change[active_[k]];
  const LineMinimum minimum = search_line(start, direction, threshold, slope - product, curvature);
  if (!(minimum.t > 0.0) || !std::isfinite(minimum.t)) return {0.0, true};
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const bool ends_there = -start[k] / direction[k] == minimum.t;
    c_[active_[k]] = ends_there ? 0.0 : start[k] + minimum.t * direction[k];
  }
  add_scaled(correlations_, -minimum.t, change);
  squared_residual_ -= minimum.t * (2.0 * product - minimum.t * curvature);
  return {minimum.decrease, minimum.same_signs};
}

std::size_t LassoCoordinateDescent::support_size() const {
  return c_.size() - static_cast<std::size_t>(std::ranges::count(c_, 0.0));
}

}  // namespace shrimp

#include "solvers/basis_pursuit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "linalg/dense.hpp"
#include "solvers/l1.hpp"
#include "solvers/l1_path.hpp"

namespace shrimp {
namespace {

constexpr std::size_t window = 10;      // Iterations over which progress is judged.
constexpr double least_progress = 0.1;  // What of the error may be left after a window.
constexpr std::size_t memory = 10;      // Objective values that the line search looks back on.
constexpr std::size_t published_memory = 3;
constexpr int most_step_halvings = 10;
constexpr double longest_step = 1e5;
constexpr double sufficient_decrease = 1e-4;  // Of what the gradient promises.
constexpr double no_gradient = 1e-11;  // ‖Aᵀr‖/‖r‖ against ‖Aᵀy‖/‖y‖ where r is orthogonal to A.

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

struct Problem {
  const CountedOperator& A;
  std::span<const double> y;
  double sigma;
  double y_norm;
  double tolerance;

  /// yᵀu − σ‖u‖ for the multiple u of `direction` with ‖Aᵀu‖_∞ = 1: no feasible c has a smaller ‖c‖₁.
  [[nodiscard]] double dual_value(std::span<const double> direction, double largest_product) const {
    return (dot(y, direction) - sigma * norm(direction)) / largest_product;
  }
};

/// c, its residual r = y − A c, and a lower bound on the least ‖c‖₁.
struct Iterate {
  std::vector<double> c;
  std::vector<double> r;
  double bound = 0.0;

  [[nodiscard]] double gap() const {
    const double l1 = l1_norm(c);
    return (l1 - bound) / std::max(1.0, l1);
  }
  [[nodiscard]] double violation(const Problem& problem) const { return std::max(0.0, norm(r) - problem.sigma); }

  /// What the tolerance is compared with.
  [[nodiscard]] double error(const Problem& problem) const {
    return std::max(violation(problem) / problem.y_norm, std::abs(gap()));
  }
};

std::vector<double> residual(const Problem& problem, std::span<const double> c) {
  std::vector<double> r = problem.A.multiply(c);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = problem.y[i] - r[i];
  return r;
}

// Any direction u bounds the Pareto curve from below by a line, φ(τ) ≥ (yᵀu − τ‖Aᵀu‖_∞)/‖u‖, whose root is the dual
// value of u. With u = r that is Newton's step for an inexact φ(τ), which never passes the solution (Aravkin, Burke,
// Drusvyatskiy, Friedlander and Roy, Math. Program. 174, 2019): τ is always the best bound.
//
// SPGL1, as published, differs in two things. It takes Newton's step from the residual alone, τ + ‖r‖(‖r‖ − σ)/‖Aᵀr‖_∞,
// which passes the solution where r is not the shortest in its ball, and it takes it as soon as an iteration changes
// the objective by little. And it backs off from a bad trial point along the projected arc, not on the line to it.
class LevelSet {
 public:
  LevelSet(const Problem& problem, std::vector<double> products, bool published);

  void iterate();
  /// Whether r is orthogonal to A while too long: no c comes nearer.
  [[nodiscard]] bool infeasible() const;
  /// Whether r is as good as none in a ball that is too large and that nothing makes smaller.
  [[nodiscard]] bool overshot() const;
  [[nodiscard]] const Iterate& at() const { return at_; }

 private:
  struct Trial {
    std::vector<double> c;
    std::vector<double> r;
    double promised = 0.0;  // By the gradient, of ½‖r‖².
    double squared_length = 0.0;
    double squared_image = 0.0;
  };

  [[nodiscard]] Trial try_step(double length) const;
  [[nodiscard]] bool is_acceptable(const Trial& trial) const;
  [[nodiscard]] Trial back_off(Trial first) const;
  void move(Trial trial);
  void measure();
  void choose_radius();
  void raise_radius_to_bound(double length);
  void take_newton_step(double length);

  const Problem& problem_;
  bool published_;
  Iterate at_;
  double radius_ = 0.0;           // τ
  std::vector<double> products_;  // Aᵀr
  double largest_product_;
  double largest_product_at_zero_;
  double step_length_ = longest_step;
  bool radius_changed_ = false;
  std::vector<double> objectives_;  // ½‖r‖² of the last iterates.
};

LevelSet::LevelSet(const Problem& problem, std::vector<double> products, bool published)
    : problem_(problem),
      published_(published),
      at_{std::vector<double>(problem.A.cols(), 0.0), std::vector<double>(problem.y.begin(), problem.y.end())},
      products_(std::move(products)),
      largest_product_(largest_magnitude(products_)),
      largest_product_at_zero_(largest_product_) {
  if (!published_) step_length_ = squared_norm(products_) / squared_norm(problem.A.multiply(products_));
  choose_radius();
}

bool LevelSet::infeasible() const {
  const double length = norm(at_.r);
  return length > problem_.sigma + problem_.tolerance * problem_.y_norm &&
         largest_product_ / length <= no_gradient * largest_product_at_zero_ / problem_.y_norm;
}

bool LevelSet::overshot() const {
  return published_ && problem_.sigma == 0.0 && norm(at_.r) <= problem_.tolerance * problem_.y_norm &&
         radius_ > l1_norm(at_.c);
}

void LevelSet::choose_radius() {
  const double length = norm(at_.r);
  if (largest_product_ > 0.0) at_.bound = std::max(at_.bound, problem_.dual_value(at_.r, largest_product_));
  if (published_) {
    take_newton_step(length);
  } else {
    raise_radius_to_bound(length);
  }
  if (objectives_.size() == (published_ ? published_memory : memory)) objectives_.erase(objectives_.begin());
  objectives_.push_back(0.5 * squared_norm(at_.r));
}

// Solving for a ball that the solution is far outside of is wasted: the ball grows once the bounds on φ(τ) − σ, the
// line's value and the residual's length, are within a factor of two.
void LevelSet::raise_radius_to_bound(double length) {
  const double line = (dot(problem_.y, at_.r) - radius_ * largest_product_) / length;
  if (2.0 * (line - problem_.sigma) < length - problem_.sigma || at_.bound <= radius_) return;
  radius_ = at_.bound;
  objectives_.clear();
}

// Not after every iteration: the first one in a new ball may change little.
void LevelSet::take_newton_step(double length) {
  const double objective = 0.5 * length * length;
  const double change = objectives_.empty() ? 0.0 : std::abs(objective - objectives_.back());
  const double little = length > 2.0 * problem_.sigma ? problem_.tolerance : 0.1 * std::abs(length - problem_.sigma);
  radius_changed_ = !radius_changed_ && change <= little * objective && largest_product_ > 0.0;
  if (!radius_changed_) return;
  const double before = radius_;
  radius_ = std::max(0.0, radius_ + length * (length - problem_.sigma) / largest_product_);
  if (radius_ >= before) return;
  project_onto_l1_ball(at_.c, radius_);
  at_.r = residual(problem_, at_.c);
  measure();
  objectives_.clear();
}

void LevelSet::measure() {
  products_ = problem_.A.multiply_transposed(at_.r);
  largest_product_ = largest_magnitude(products_);
}

void LevelSet::iterate() {
  Trial trial = try_step(step_length_);
  move(published_ ? back_off(std::move(trial)) : std::move(trial));
  measure();
  choose_radius();
}

LevelSet::Trial LevelSet::try_step(double length) const {
  Trial trial{at_.c, {}};
  for (std::size_t j = 0; j < trial.c.size(); ++j) trial.c[j] += length * products_[j];
  project_onto_l1_ball(trial.c, radius_);
  trial.r = residual(problem_, trial.c);
  for (std::size_t j = 0; j < trial.c.size(); ++j) {
    const double change = trial.c[j] - at_.c[j];
    trial.promised += change * products_[j];
    trial.squared_length += change * change;
  }
  for (std::size_t i = 0; i < trial.r.size(); ++i) {
    const double change = at_.r[i] - trial.r[i];
    trial.squared_image += change * change;
  }
  return trial;
}

// Not much worse than the worst of the last few iterates.
bool LevelSet::is_acceptable(const Trial& trial) const {
  return 0.5 * squared_norm(trial.r) <= *std::ranges::max_element(objectives_) - sufficient_decrease * trial.promised;
}

// Very long steps all end in the same point of the ball: then only a step that cannot get there is another one.
LevelSet::Trial LevelSet::back_off(Trial first) const {
  constexpr double same = 1e-6;
  if (is_acceptable(first)) return first;
  double length = step_length_;
  double distance = std::sqrt(first.squared_length);
  for (int k = 0; k < most_step_halvings; ++k) {
    length *= 0.5;
    Trial trial = try_step(length);
    if (is_acceptable(trial)) return trial;
    const double before = distance;
    distance = std::sqrt(trial.squared_length);
    if (std::abs(distance - before) <= same * distance) length = std::min(length, distance / norm(products_));
  }
  return first;
}

// Goes to the trial point if it is acceptable, and else to the best point on the way there, which the quadratic
// objective gives away without another product.
void LevelSet::move(Trial trial) {
  if (is_acceptable(trial)) {
    at_.c = std::move(trial.c);
    at_.r = std::move(trial.r);
  } else {
    const double part = std::clamp(trial.promised / trial.squared_image, 0.0, 1.0);
    for (std::size_t j = 0; j < trial.c.size(); ++j) at_.c[j] += part * (trial.c[j] - at_.c[j]);
    for (std::size_t i = 0; i < at_.r.size(); ++i) at_.r[i] += part * (trial.r[i] - at_.r[i]);
  }
  if (trial.squared_image > 0.0 && trial.squared_length > 0.0) {
    const double length = trial.squared_length / trial.squared_image;
    step_length_ = published_ ? std::min(longest_step, length) : length;
  }
}

class Solver {
 public:
  Solver(const Problem& problem, const BasisPursuitOptions& options) : problem_(problem), options_(options) {}

  BasisPursuitSolution solve(std::vector<double> products);

 private:
  void descend(LevelSet& level_set, bool until_it_creeps);
  void follow_path();
  [[nodiscard]] bool converged() const { return best_.error(problem_) <= options_.tolerance; }
  void keep(const Iterate& iterate);
  [[nodiscard]] BasisPursuitSolution result() const;

  const Problem& problem_;
  const BasisPursuitOptions& options_;
  Iterate best_;
  std::size_t iterations_ = 0;
  bool settled_ = false;  // Nothing further can be gained.
};

void Solver::keep(const Iterate& iterate) {
  const double bound = std::max(best_.bound, iterate.bound);
  if (best_.c.empty() || iterate.error(problem_) < best_.error(problem_)) best_ = iterate;
  best_.bound = bound;
}

void Solver::descend(LevelSet& level_set, bool until_it_creeps) {
  double error_before = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; iterations_ < options_.max_iterations; ++k) {
    const double error = level_set.at().error(problem_);
    settled_ = error <= options_.tolerance || level_set.infeasible() || level_set.overshot();
    if (settled_) break;
    if (k % window == 0) {
      if (until_it_creeps && error > least_progress * error_before) break;
      error_before = error;
    }
    problem_.A.check_stop();
    level_set.iterate();
    ++iterations_;
  }
  keep(level_set.at());
}

void Solver::follow_path() {
  constexpr double margin = 0.3;
  const L1PathEnd end = follow_l1_path(problem_.A, problem_.y, problem_.sigma, margin * options_.tolerance,
                                       options_.max_iterations - iterations_);
  iterations_ += end.steps;
  Iterate iterate{end.coefficients, residual(problem_, end.coefficients)};
  iterate.bound = problem_.dual_value(end.dual, largest_magnitude(problem_.A.multiply_transposed(end.dual)));
  const bool nearest = end.finished && end.lambda == 0.0;  // No c leaves a shorter residual.
  if (nearest && iterate.violation(problem_) > options_.tolerance * problem_.y_norm) best_ = iterate;
  keep(iterate);
  settled_ = end.finished;  // What is left is rounding, which first-order iterations do not mend.
}

BasisPursuitSolution Solver::solve(std::vector<double> products) {
  LevelSet level_set(problem_, std::move(products), !options_.follow_path);
  descend(level_set, options_.follow_path);
  if (!settled_ && options_.follow_path) {
    follow_path();
    if (!settled_) descend(level_set, false);
  }
  return result();
}

BasisPursuitSolution Solver::result() const {
  BasisPursuitSolution solution;
  solution.coefficients = best_.c;
  solution.residual_norm = norm(best_.r);
  solution.l1_norm = l1_norm(best_.c);
  solution.duality_gap = best_.gap();
  solution.violation = best_.violation(problem_);
  solution.iterations = iterations_;
  solution.products = problem_.A.products();
  solution.columns = problem_.A.columns_fetched();
  solution.converged = converged();
  return solution;
}

void check(const LinearOperator& A, std::span<const double> y, double sigma) {
  if (!(sigma >= 0.0) || !std::isfinite(sigma)) throw std::invalid_argument("sigma must be a number of 0 or more.");
  if (y.size() != A.rows()) {
    throw std::invalid_argument("y has " + std::to_string(y.size()) + " values for a matrix of " +
                                std::to_string(A.rows()) + " rows.");
  }
  if (!all_finite(y)) throw std::invalid_argument("y must be finite.");
}

}  // namespace

BasisPursuitSolution solve_basis_pursuit(const LinearOperator& A, std::span<const double> y, double sigma,
                                         const BasisPursuitOptions& options) {
  check(A, y, sigma);
  const CountedOperator counted(A, options.stop);
  counted.check_stop();
  const double y_norm = norm(y);
  BasisPursuitSolution zero;
  zero.coefficients.assign(A.cols(), 0.0);
  zero.residual_norm = y_norm;
  zero.violation = std::max(0.0, y_norm - sigma);
  zero.converged = sigma >= y_norm;
  if (zero.converged) return zero;

  std::vector<double> products = counted.multiply_transposed(y);
  if (!all_finite(products)) throw std::invalid_argument("The matrix must be finite.");
  zero.products = counted.products();
  if (largest_magnitude(products) == 0.0) return zero;  // No column has anything of y.
  const Problem problem{counted, y, sigma, y_norm, options.tolerance};
  return Solver(problem, options).solve(std::move(products));
}

}  // namespace shrimp

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

constexpr std::size_t window = 10;            // Iterations over which progress is judged.
constexpr double least_progress = 0.1;        // What of the error may be left after a window.
constexpr std::size_t memory = 10;            // Objective values that the line search looks back on.
constexpr double sufficient_decrease = 1e-4;  // Of what the gradient promises.
constexpr double no_gradient = 1e-11;  // ‖Aᵀr‖/‖r‖ against ‖Aᵀy‖/‖y‖ where r is orthogonal to A.

double norm(std::span<const double> x) { return std::sqrt(squared_norm(x)); }

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

bool all_finite(std::span<const double> x) {
  return std::ranges::all_of(x, [](double value) { return std::isfinite(value); });
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
class LevelSet {
 public:
  explicit LevelSet(const Problem& problem, std::vector<double> products);

  void iterate();
  /// Whether r is orthogonal to A while too long: no c comes nearer.
  [[nodiscard]] bool infeasible() const;
  [[nodiscard]] const Iterate& at() const { return at_; }

 private:
  void raise_radius();
  void move(std::span<const double> trial, std::vector<double> trial_residual);

  const Problem& problem_;
  Iterate at_;
  double radius_ = 0.0;           // τ
  std::vector<double> products_;  // Aᵀr
  double largest_product_;
  double largest_product_at_zero_;
  double step_length_ = 0.0;
  std::vector<double> objectives_;  // ½‖r‖² of the last iterates in this ball.
};

LevelSet::LevelSet(const Problem& problem, std::vector<double> products)
    : problem_(problem),
      at_{std::vector<double>(problem.A.cols(), 0.0), std::vector<double>(problem.y.begin(), problem.y.end())},
      products_(std::move(products)),
      largest_product_(largest_magnitude(products_)),
      largest_product_at_zero_(largest_product_) {
  const std::vector<double> image = problem.A.multiply(products_);
  step_length_ = squared_norm(products_) / squared_norm(image);
  raise_radius();
}

bool LevelSet::infeasible() const {
  const double length = norm(at_.r);
  return length > problem_.sigma + problem_.tolerance * problem_.y_norm &&
         largest_product_ / length <= no_gradient * largest_product_at_zero_ / problem_.y_norm;
}

// Solving for a ball that the solution is far outside of is wasted: the ball grows once the bounds on φ(τ) − σ, the
// line's value and the residual's length, are within a factor of two.
void LevelSet::raise_radius() {
  const double length = norm(at_.r);
  if (largest_product_ > 0.0) at_.bound = std::max(at_.bound, problem_.dual_value(at_.r, largest_product_));
  const double line = (dot(problem_.y, at_.r) - radius_ * largest_product_) / length;
  if (2.0 * (line - problem_.sigma) >= length - problem_.sigma && at_.bound > radius_) {
    radius_ = at_.bound;
    objectives_.clear();
  }
  if (objectives_.size() == memory) objectives_.erase(objectives_.begin());
  objectives_.push_back(0.5 * length * length);
}

void LevelSet::iterate() {
  std::vector<double> trial(at_.c);
  for (std::size_t j = 0; j < trial.size(); ++j) trial[j] += step_length_ * products_[j];
  project_onto_l1_ball(trial, radius_);
  move(trial, residual(problem_, trial));
  products_ = problem_.A.multiply_transposed(at_.r);
  largest_product_ = largest_magnitude(products_);
  raise_radius();
}

// Goes to the trial point if it is not much worse than the worst of the last few iterates, and else to the best point
// on the way there, which the quadratic objective gives away without another product.
void LevelSet::move(std::span<const double> trial, std::vector<double> trial_residual) {
  double promised = 0.0;
  double squared_length = 0.0;
  for (std::size_t j = 0; j < trial.size(); ++j) {
    const double change = trial[j] - at_.c[j];
    promised += change * products_[j];
    squared_length += change * change;
  }
  double squared_image = 0.0;
  for (std::size_t i = 0; i < trial_residual.size(); ++i) {
    const double change = at_.r[i] - trial_residual[i];
    squared_image += change * change;
  }
  const double accepted = *std::ranges::max_element(objectives_) - sufficient_decrease * promised;
  if (0.5 * squared_norm(trial_residual) <= accepted) {
    at_.c.assign(trial.begin(), trial.end());
    at_.r = std::move(trial_residual);
  } else {
    const double part = std::clamp(promised / squared_image, 0.0, 1.0);
    for (std::size_t j = 0; j < trial.size(); ++j) at_.c[j] += part * (trial[j] - at_.c[j]);
    for (std::size_t i = 0; i < at_.r.size(); ++i) at_.r[i] += part * (trial_residual[i] - at_.r[i]);
  }
  if (squared_image > 0.0 && squared_length > 0.0) step_length_ = squared_length / squared_image;
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
    settled_ = error <= options_.tolerance || level_set.infeasible();
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
  LevelSet level_set(problem_, std::move(products));
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
  if (!(sigma >= 0.0) || !std::isfinite(sigma)) throw std::invalid_argument("sigma must be a number from 0.");
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

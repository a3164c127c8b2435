#include "solvers/lasso_proximal_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/dense.hpp"
#include "solvers/l1.hpp"

namespace shrimp {
namespace {

std::vector<double> minus(std::span<const double> a, std::span<const double> b) {
  std::vector<double> difference(a.size());
  std::ranges::transform(a, b, difference.begin(), std::minus<>());
  return difference;
}

double product(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// A point and what A makes of it.
struct Point {
  std::vector<double> x;
  std::vector<double> Ax;
};

// The steps at one Λ, from a start without momentum.
class Descent {
 public:
  Descent(const LinearOperator& A, const LassoProblem& problem, double threshold, Point start, double& curvature)
      : A_(A), problem_(problem), threshold_(threshold), at_(std::move(start)), ahead_(at_), curvature_(curvature) {}

  // The gap of the point reached, with the certificate along the residual at the point extrapolated from it: that
  // residual's products are at hand.
  double gap() {
    residual_ = minus(problem_.y, ahead_.Ax);
    correlations_ = A_.multiply_transposed(residual_);
    const LassoGap own = lasso_gap(threshold_, squared_norm(residual_), ahead_.x, correlations_);
    double distance = 0.0;
    for (std::size_t i = 0; i < residual_.size(); ++i) {
      const double difference = problem_.y[i] - at_.Ax[i] - own.scale * residual_[i];
      distance += difference * difference;
    }
    double slack = 0.0;
    for (std::size_t j = 0; j < at_.x.size(); ++j) {
      slack += threshold_ * std::abs(at_.x[j]) - own.scale * at_.x[j] * correlations_[j];
    }
    return distance / 2.0 + std::max(0.0, slack);
  }

  // To be called after gap(), whose products it uses. False where the step is lost in rounding.
  bool advance() {
    Point next = proximal_step();
    const bool moved = next.x != at_.x;
    const std::vector<double> last = minus(next.x, at_.x);
    if (product(minus(ahead_.x, next.x), last) > 0.0) momentum_ = 1.0;
    const double before = momentum_;
    momentum_ = (1.0 + std::sqrt(1.0 + 4.0 * before * before)) / 2.0;
    const double beta = (before - 1.0) / momentum_;
    const std::vector<double> last_image = minus(next.Ax, at_.Ax);
    at_ = std::move(next);
    ahead_ = at_;
    add_scaled(ahead_.x, beta, last);
    add_scaled(ahead_.Ax, beta, last_image);
    return moved;
  }

  [[nodiscard]] const std::vector<double>& coefficients() const { return at_.x; }

 private:
  // The step of length 1/L, for an L that bounds the curvature along it.
  Point proximal_step() {
    curvature_ *= 0.98;  // A little longer than the last one, unless that proves too long.
    while (true) {
      Point next{ahead_.x, {}};
      for (std::size_t j = 0; j < next.x.size(); ++j) {
        next.x[j] = soft_threshold(ahead_.x[j] + correlations_[j] / curvature_, threshold_ / curvature_);
      }
      next.Ax = A_.multiply(next.x);
      const double length = squared_norm(minus(next.x, ahead_.x));
      const double image = std::sqrt(squared_norm(minus(next.Ax, ahead_.Ax)));
      const double rounding = 1e-13 * (std::sqrt(squared_norm(next.Ax)) + std::sqrt(squared_norm(ahead_.Ax)));
      if (!(image > std::sqrt(curvature_ * length) + rounding)) return next;
      curvature_ = std::max(1.1 * curvature_, image * image / length);
    }
  }

  const LinearOperator& A_;
  const LassoProblem& problem_;
  double threshold_;
  Point at_;
  Point ahead_;
  std::vector<double> residual_;
  std::vector<double> correlations_;
  double momentum_ = 1.0;
  double& curvature_;
};

// A first L: the curvature along Aᵀr, a lower bound that the steps raise where they must.
double curvature_along(const LinearOperator& A, std::span<const double> direction) {
  const double length = squared_norm(direction);
  return length > 0.0 ? squared_norm(A.multiply(direction)) / length : 0.0;
}

}  // namespace

// Where A is stored, steps cost least on the columns that are in the solution or violate optimality; the caller's gap
// over all that are left tells when others must join.
std::vector<std::size_t> LassoProximalGradient::working_set(double threshold, std::span<const std::size_t> left,
                                                            const LassoIterate& iterate) {
  if (!problem_.is_stored()) return {left.begin(), left.end()};
  std::vector<std::size_t> chosen;
  std::vector<std::size_t> violating;
  for (const std::size_t j : left) {
    if (iterate.coefficients[j] != 0.0) {
      chosen.push_back(j);
    } else if (std::abs(iterate.correlations[j]) > threshold) {
      violating.push_back(j);
    }
  }
  constexpr std::size_t fewest = 64;
  const std::size_t most = std::max(fewest, chosen.size());
  if (violating.size() > most) {
    const auto more = [&](std::size_t a, std::size_t b) {
      const double x = std::abs(iterate.correlations[a]);
      const double y = std::abs(iterate.correlations[b]);
      return x != y ? x > y : a < b;
    };
    std::ranges::nth_element(violating, violating.begin() + static_cast<std::ptrdiff_t>(most), more);
    violating.resize(most);
  }
  chosen.insert(chosen.end(), violating.begin(), violating.end());
  std::ranges::sort(chosen);
  return chosen;
}

LassoProgress LassoProximalGradient::improve(const LassoStep& step, std::span<const std::size_t> left,
                                             LassoIterate& iterate) {
  const std::vector<std::size_t> working = working_set(step.threshold, left, iterate);
  const bool whole = working.size() == problem_.A->cols();
  const Matrix packed = whole ? Matrix() : gather_columns(problem_.stored, working);
  const DenseOperator part(packed);
  const LinearOperator& A = whole ? *problem_.A : part;
  Point start;
  std::vector<double> correlations;
  for (const std::size_t j : working) {
    start.x.push_back(iterate.coefficients[j]);
    correlations.push_back(iterate.correlations[j]);
  }
  start.Ax = minus(problem_.y, iterate.residual);
  double curvature = curvature_along(A, correlations);
  if (!(curvature > 0.0)) return {.iterations = 1, .stalled = true};

  const bool grown = std::ranges::count(start.x, 0.0) > 0;
  Descent descent(A, problem_, step.threshold, std::move(start), curvature);
  LassoProgress progress;
  constexpr std::size_t patience = 20;
  std::size_t idle = 0;
  descent.gap();
  do {
    problem_.check_stop();
    idle = descent.advance() ? 0 : idle + 1;
    ++progress.iterations;
  } while (descent.gap() > step.target && idle < patience && progress.iterations < step.most_iterations);
  progress.stalled = idle == patience && !grown;
  for (std::size_t k = 0; k < working.size(); ++k) iterate.coefficients[working[k]] = descent.coefficients()[k];
  return progress;
}

}  // namespace shrimp

#include "solvers/lasso.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "linalg/dense.hpp"
#include "solvers/l1.hpp"
#include "solvers/lasso_coordinate_descent.hpp"
#include "solvers/lasso_problem.hpp"
#include "solvers/lasso_proximal_gradient.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

void check_data(const LinearOperator& A, std::span<const double> y, const LassoOptions& options) {
  if (y.size() != A.rows()) throw std::invalid_argument("the Lasso needs one target for every row");
  if (!all_finite(y)) throw std::invalid_argument("the Lasso's targets must be finite");
  if (!(options.tolerance > 0.0)) throw std::invalid_argument("the Lasso's tolerance must be positive");
  if (!(options.total_weight >= 0.0 && std::isfinite(options.total_weight))) {
    throw std::invalid_argument("the Lasso's total weight must be finite and not negative");
  }
}

double weight_of(std::size_t rows, double total_weight) {
  return total_weight > 0.0 ? total_weight : static_cast<double>(std::max<std::size_t>(rows, 1));
}

std::vector<double> norms_of_columns(MatrixView A) {
  std::vector<double> norms(A.cols);
  constexpr std::size_t tile = 256;
  parallel_for((A.cols + tile - 1) / tile, [&](std::size_t k) {
    for (std::size_t j = k * tile; j < std::min(A.cols, (k + 1) * tile); ++j) {
      norms[j] = std::sqrt(squared_norm(A.col(j)));
    }
  });
  return norms;
}

std::vector<std::size_t> nonzeros(std::span<const double> c) {
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < c.size(); ++j) {
    if (c[j] != 0.0) columns.push_back(j);
  }
  return columns;
}

std::vector<double> pick(std::span<const double> values, std::span<const std::size_t> columns) {
  std::vector<double> picked(columns.size());
  std::ranges::transform(columns, picked.begin(), [&](std::size_t j) { return values[j]; });
  return picked;
}

std::unique_ptr<LassoInnerLoop> make_inner_loop(const LassoProblem& problem, LassoSolver solver) {
  if (solver == LassoSolver::proximal_gradient) return std::make_unique<LassoProximalGradient>(problem);
  if (!problem.is_stored()) throw std::invalid_argument("coordinate descent needs a matrix that is stored");
  return std::make_unique<LassoCoordinateDescent>(problem);
}

}  // namespace

LassoGap lasso_gap(double threshold, double squared_residual, std::span<const double> coefficients,
                   std::span<const double> correlations) {
  double largest = 0.0;
  double product = 0.0;  // cᵀAᵀr
  double norm = 0.0;     // ‖c‖₁
  for (std::size_t j = 0; j < coefficients.size(); ++j) {
    largest = std::max(largest, std::abs(correlations[j]));
    product += coefficients[j] * correlations[j];
    norm += std::abs(coefficients[j]);
  }
  // The dual value is largest at rᵀy/‖r‖², where feasible.
  double scale = squared_residual > 0.0 ? std::max(0.0, 1.0 + product / squared_residual) : 1.0;
  if (scale * largest > threshold) scale = threshold / largest;
  const double distance = (1.0 - scale) * (1.0 - scale) * squared_residual / 2.0;
  double slack = 0.0;
  for (std::size_t j = 0; j < coefficients.size(); ++j) {
    slack += threshold * std::abs(coefficients[j]) - scale * coefficients[j] * correlations[j];
  }
  return {scale, distance + std::max(0.0, slack)};
}

class LassoPath::State {
 public:
  State(std::unique_ptr<LinearOperator> owned, const LinearOperator& A, MatrixView stored, std::span<const double> y,
        const LassoOptions& options)
      : owned_(std::move(owned)), options_(options), weight_(weight_of(A.rows(), options.total_weight)) {
    problem_.A = &A;
    problem_.stored = stored;
    if (problem_.is_stored()) problem_.column_norms = norms_of_columns(stored);
    problem_.y.assign(y.begin(), y.end());
    problem_.squared_y = squared_norm(y);
    problem_.stop = options.stop;
    inner_ = make_inner_loop(problem_, options.solver);
    all_.resize(A.cols());
    std::iota(all_.begin(), all_.end(), std::size_t{0});
    restart_from_zero();
    if (!all_finite(iterate_.correlations)) throw std::invalid_argument("the Lasso's columns must be finite");
    largest_correlation_ = largest_magnitude(iterate_.correlations);
    target_ = options.tolerance * problem_.squared_y;
  }

  LassoSolution solve(double lambda) {
    if (!(lambda >= 0.0 && std::isfinite(lambda))) {
      throw std::invalid_argument("the Lasso's lambda must be finite and not negative");
    }
    problem_.check_stop();
    // ‖Aᵀy‖_∞ ≤ nλ, up to the rounding of λ_max itself: zero, whatever the solution before.
    constexpr double rounding = 1.0 + 1e-15;
    const double threshold = lambda * weight_;
    if (largest_correlation_ <= threshold * rounding) restart_from_zero();
    return descend(lambda, threshold);
  }

 private:
  void restart_from_zero() {
    iterate_.coefficients.assign(all_.size(), 0.0);
    iterate_.residual = problem_.y;
    iterate_.correlations.resize(all_.size());
    correlate(all_);
  }

  LassoSolution descend(double lambda, double threshold) {
    LassoStep step{threshold, 0.3 * target_, options_.max_iterations};
    std::vector<std::size_t> left = all_;
    bool stalled = false;
    std::size_t iterations = 0;
    while (true) {
      const LassoGap gap = measure(threshold, left);
      const bool good = gap.gap <= target_;
      const bool over = stalled || iterations >= options_.max_iterations;
      if ((good || over) && left.size() == all_.size()) return report(lambda, gap.gap, iterations);
      if (good || over) {  // The certificate is for the whole problem, and so is the start of the next one.
        left = all_;
        correlate(left);
        stalled = stalled && !good;
        if (good) step.target *= 0.3;
        continue;
      }
      screen(threshold, gap, left);
      step.most_iterations = options_.max_iterations - iterations;
      const LassoProgress progress = inner_->improve(step, left, iterate_);
      iterations += progress.iterations;
      stalled = progress.stalled;
      update(left);
    }
  }

  // Every dual solution lies within √(2·gap) of ν, since ½‖ν‖² is strongly convex.
  void screen(double threshold, const LassoGap& gap, std::vector<std::size_t>& left) {
    if (!problem_.is_stored()) return;
    const double radius = std::sqrt(2.0 * gap.gap);
    std::erase_if(left, [&](std::size_t j) {
      return iterate_.coefficients[j] == 0.0 &&
             gap.scale * std::abs(iterate_.correlations[j]) + radius * problem_.column_norms[j] < threshold;
    });
  }

  [[nodiscard]] LassoGap measure(double threshold, std::span<const std::size_t> left) const {
    const double squares = squared_norm(iterate_.residual);
    if (left.size() == all_.size()) {
      return lasso_gap(threshold, squares, iterate_.coefficients, iterate_.correlations);
    }
    return lasso_gap(threshold, squares, pick(iterate_.coefficients, left), pick(iterate_.correlations, left));
  }

  void update(std::span<const std::size_t> left) {
    const std::vector<double> prediction = problem_.A->multiply(iterate_.coefficients);
    for (std::size_t i = 0; i < prediction.size(); ++i) iterate_.residual[i] = problem_.y[i] - prediction[i];
    correlate(left);
  }

  void correlate(std::span<const std::size_t> left) {
    const std::size_t entries = problem_.A->rows() * left.size();
    if (left.size() == all_.size() || entries < DenseOperator::worth_sharing) {
      iterate_.correlations = problem_.A->multiply_transposed(iterate_.residual);
      return;
    }
    const std::vector<double> products = project_columns(problem_.stored, left, iterate_.residual);
    for (std::size_t k = 0; k < left.size(); ++k) iterate_.correlations[left[k]] = products[k];
  }

  [[nodiscard]] LassoSolution report(double lambda, double gap, std::size_t iterations) const {
    LassoSolution solution;
    solution.lambda = lambda;
    solution.columns = nonzeros(iterate_.coefficients);
    solution.coefficients = pick(iterate_.coefficients, solution.columns);
    solution.objective = squared_norm(iterate_.residual) / (2.0 * weight_) + lambda * l1_norm(solution.coefficients);
    solution.gap = gap / weight_;
    solution.iterations = iterations;
    solution.converged = gap <= target_;
    return solution;
  }

  std::unique_ptr<LinearOperator> owned_;
  LassoOptions options_;
  double weight_;
  LassoProblem problem_;
  std::unique_ptr<LassoInnerLoop> inner_;
  std::vector<std::size_t> all_;
  LassoIterate iterate_;
  double largest_correlation_ = 0.0;
  double target_ = 0.0;
};

LassoPath::LassoPath(MatrixView A, std::span<const double> y, const LassoOptions& options) {
  auto dense = std::make_unique<DenseOperator>(A);
  const LinearOperator& reference = *dense;
  check_data(reference, y, options);
  state_ = std::make_unique<State>(std::move(dense), reference, A, y, options);
}

LassoPath::LassoPath(const LinearOperator& A, std::span<const double> y, const LassoOptions& options) {
  check_data(A, y, options);
  state_ = std::make_unique<State>(nullptr, A, MatrixView{}, y, options);
}

LassoPath::LassoPath(LassoPath&&) noexcept = default;
LassoPath& LassoPath::operator=(LassoPath&&) noexcept = default;
LassoPath::~LassoPath() = default;

LassoSolution LassoPath::solve(double lambda) { return state_->solve(lambda); }

double lasso_lambda_max(const LinearOperator& A, std::span<const double> y, double total_weight) {
  check_data(A, y, {.total_weight = total_weight});
  return largest_magnitude(A.multiply_transposed(y)) / weight_of(A.rows(), total_weight);
}

double lasso_lambda_max(MatrixView A, std::span<const double> y, double total_weight) {
  return lasso_lambda_max(DenseOperator(A), y, total_weight);
}

std::vector<double> lambda_grid(double lambda_max, double ratio, std::size_t count) {
  if (!(lambda_max >= 0.0 && std::isfinite(lambda_max))) {
    throw std::invalid_argument("the largest lambda must be finite and not negative");
  }
  if (!(ratio > 0.0 && ratio <= 1.0)) throw std::invalid_argument("the ratio of lambdas must be in (0, 1]");
  std::vector<double> lambdas(count, lambda_max);
  for (std::size_t k = 1; k < count; ++k) {
    lambdas[k] = lambda_max * std::pow(ratio, static_cast<double>(k) / static_cast<double>(count - 1));
  }
  return lambdas;
}

}  // namespace shrimp

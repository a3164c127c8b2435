#include "solvers/kernel_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "solvers/minimum_norm.hpp"

namespace shrimp {
namespace {

Matrix add_to_diagonal(const Matrix& K, double lambda) {
  Matrix shifted(K);
  for (std::size_t i = 0; i < K.rows(); ++i) shifted(i, i) += lambda;
  return shifted;
}

double one_norm(const Matrix& A) {
  double largest = 0.0;
  for (std::size_t j = 0; j < A.cols(); ++j) {
    double sum = 0.0;
    for (const double value : A.col(j)) sum += std::abs(value);
    largest = std::max(largest, sum);
  }
  return largest;
}

}  // namespace

KernelRidge::KernelRidge(Matrix K, std::span<const double> y, std::span<const double> root_weights)
    : K_(std::move(K)), y_(y.begin(), y.end()), root_weights_(root_weights.begin(), root_weights.end()) {
  const std::size_t m = K_.rows();
  if (K_.cols() != m || y.size() != m || (!root_weights.empty() && root_weights.size() != m)) {
    throw std::invalid_argument("the kernel matrix, the target and the weights have different sizes.");
  }
  for (const double root : root_weights) {
    if (!(root >= 0.0 && std::isfinite(root))) {
      throw std::invalid_argument("the root of a row weight is not a number from 0.");
    }
  }
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = j; i < m; ++i) {
      if (!root_weights.empty()) K_(i, j) *= root_weights[i] * root_weights[j];
      K_(j, i) = K_(i, j);
    }
    if (!root_weights.empty()) y_[j] *= root_weights[j];
  }
}

KernelRidgeSolution KernelRidge::solve(double lambda) const {
  if (!(lambda >= 0.0 && std::isfinite(lambda))) throw std::invalid_argument("lambda is not a number from 0.");
  const std::size_t m = K_.rows();
  KernelRidgeSolution solution;
  if (m == 0) return solution;
  Matrix shifted = add_to_diagonal(K_, lambda);
  const double norm = one_norm(shifted);
  const auto factor = Cholesky::factor(std::move(shifted));
  if (factor && factor->rcond(norm) > default_rank_tolerance(m, m)) {
    solution.alpha = y_;
    factor->solve(solution.alpha);
    std::vector<double> residual = multiply(K_, solution.alpha);
    for (std::size_t i = 0; i < m; ++i) residual[i] = y_[i] - (residual[i] + lambda * solution.alpha[i]);
    factor->solve(residual);
    for (std::size_t i = 0; i < m; ++i) solution.alpha[i] += residual[i];
    solution.rank = m;
  } else {
    MinimumNormSolution least = solve_minimum_norm(add_to_diagonal(K_, lambda), y_);
    solution = {std::move(least.coefficients), least.rank, true};
  }
  for (std::size_t i = 0; i < root_weights_.size(); ++i) solution.alpha[i] *= root_weights_[i];
  return solution;
}

}  // namespace shrimp

#include "solvers/hard_ridge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>

#include "linalg/dense.hpp"
#include "shrimp/errors.hpp"
#include "solvers/minimum_norm.hpp"

namespace shrimp {
namespace {

void check(const LinearOperator& A, std::span<const double> y, const HardRidgeOptions& options) {
  if (y.size() != A.rows()) {
    throw std::invalid_argument(fmt::format("y has {} entries, but A has {} rows.", y.size(), A.rows()));
  }
  if (options.sparsity < 1 || options.sparsity > A.cols()) {
    throw std::invalid_argument(fmt::format("sparsity {} is not from 1 to {}.", options.sparsity, A.cols()));
  }
  if (!(options.ridge >= 0.0) || !std::isfinite(options.ridge)) {
    throw std::invalid_argument(fmt::format("ridge {} is not a finite number of 0 or more.", options.ridge));
  }
  if (!(options.step > 0.0)) throw std::invalid_argument(fmt::format("step {} is not above 0.", options.step));
}

// 1/‖a_j‖, and 0 for columns of zeros.
std::vector<double> inverse_norms(const LinearOperator& A) {
  constexpr std::size_t block = 256;
  std::vector<double> scale;
  for (std::size_t first = 0; first < A.cols(); first += block) {
    std::vector<std::size_t> which(std::min(block, A.cols() - first));
    std::iota(which.begin(), which.end(), first);
    const Matrix part = A.gather(which);
    for (std::size_t k = 0; k < which.size(); ++k) {
      const double norm = std::sqrt(squared_norm(part.col(k)));
      scale.push_back(norm > 0.0 ? 1.0 / norm : 0.0);
    }
  }
  return scale;
}

std::vector<std::size_t> largest_entries(std::span<const double> v, std::size_t count) {
  std::vector<std::size_t> order(v.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto larger = [&](std::size_t a, std::size_t b) {
    return std::abs(v[a]) != std::abs(v[b]) ? std::abs(v[a]) > std::abs(v[b]) : a < b;
  };
  std::ranges::nth_element(order, order.begin() + static_cast<std::ptrdiff_t>(count - 1), larger);
  order.resize(count);
  std::ranges::sort(order);
  return order;
}

class Pursuit {
 public:
  Pursuit(const LinearOperator& A, std::span<const double> y, const HardRidgeOptions& options)
      : A_(A), y_(y), options_(options), scale_(inverse_norms(A)) {}

  HardRidgeSolution run() {
    std::set<std::vector<std::size_t>> seen;
    HardRidgeSolution best;
    double least = std::numeric_limits<double>::infinity();
    std::vector<double> c(A_.cols(), 0.0);  // Of columns of norm 1.
    std::size_t iteration = 0;
    bool again = false;
    while (!again && iteration < options_.max_iterations) {
      if (options_.stop != nullptr && options_.stop->load()) throw Interrupted();
      ++iteration;
      std::vector<std::size_t> S = largest_entries(gradient_step(c), options_.sparsity);
      again = !seen.insert(S).second;
      if (again) break;
      HardRidgeSolution solution = fit(std::move(S), c);
      const double objective = solution.residual + options_.ridge * squared_norm(c);
      if (objective < least) {
        least = objective;
        best = std::move(solution);
      }
    }
    best.iterations = iteration;
    best.converged = again;
    return best;
  }

 private:
  [[nodiscard]] std::vector<double> gradient_step(std::span<const double> c) const {
    std::vector<double> scaled(c.size());
    for (std::size_t j = 0; j < c.size(); ++j) scaled[j] = scale_[j] * c[j];
    std::vector<double> r = A_.multiply(scaled);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = y_[i] - r[i];
    std::vector<double> v = A_.multiply_transposed(r);
    const double shrink = 1.0 - options_.step * options_.ridge;
    for (std::size_t j = 0; j < v.size(); ++j) v[j] = shrink * c[j] + options_.step * scale_[j] * v[j];
    return v;
  }

  // The ridge solution on S: least squares with the rows √λ I below A. c becomes it, for columns of norm 1.
  HardRidgeSolution fit(std::vector<std::size_t> S, std::vector<double>& c) const {
    const Matrix A_S = A_.gather(S);
    const std::size_t m = A_S.rows();
    const bool penalised = options_.ridge > 0.0;
    Matrix stacked(m + (penalised ? S.size() : 0), S.size());
    for (std::size_t k = 0; k < S.size(); ++k) {
      for (std::size_t i = 0; i < m; ++i) stacked(i, k) = scale_[S[k]] * A_S(i, k);
      if (penalised) stacked(m + k, k) = std::sqrt(options_.ridge);
    }
    std::vector<double> b(y_.begin(), y_.end());
    b.resize(stacked.rows(), 0.0);
    const MinimumNormSolution solved = solve_minimum_norm(std::move(stacked), b);

    HardRidgeSolution solution;
    std::ranges::fill(c, 0.0);
    for (std::size_t k = 0; k < S.size(); ++k) {
      c[S[k]] = solved.coefficients[k];
      solution.coefficients.push_back(scale_[S[k]] * solved.coefficients[k]);
    }
    std::vector<double> gap = multiply(A_S, solution.coefficients);
    for (std::size_t i = 0; i < m; ++i) gap[i] -= y_[i];
    solution.residual = squared_norm(gap);
    solution.rank = solved.rank;
    solution.columns = std::move(S);
    return solution;
  }

  const LinearOperator& A_;
  std::span<const double> y_;
  const HardRidgeOptions& options_;
  std::vector<double> scale_;
};

}  // namespace

HardRidgeSolution solve_hard_ridge(const LinearOperator& A, std::span<const double> y,
                                   const HardRidgeOptions& options) {
  check(A, y, options);
  return Pursuit(A, y, options).run();
}

}  // namespace shrimp

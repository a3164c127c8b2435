#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/dense.hpp"
#include "path/prune.hpp"
#include "shrimp/path.hpp"
#include "solvers/minimum_norm.hpp"

namespace shrimp {
namespace {

void check(MatrixView A, std::span<const double> y, const PathOptions& options) {
  if (A.rows == 0 || A.cols == 0) throw std::invalid_argument("A has no entries.");
  if (y.size() != A.rows) {
    throw std::invalid_argument(fmt::format("y has {} entries where A has {} rows.", y.size(), A.rows));
  }
  if (!(options.prune_rate > 0.0 && options.prune_rate < 1.0)) {
    throw std::invalid_argument(fmt::format("prune rate {} is not between 0 and 1.", options.prune_rate));
  }
  if (!(options.rank_tolerance >= 0.0 && options.rank_tolerance < 1.0)) {
    throw std::invalid_argument(fmt::format("rank tolerance {} is not in [0, 1).", options.rank_tolerance));
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!std::isfinite(y[i])) throw std::invalid_argument(fmt::format("y[{}] = {} is not finite.", i, y[i]));
  }
  for (std::size_t j = 0; j < A.cols; ++j) {
    for (std::size_t i = 0; i < A.rows; ++i) {
      if (!std::isfinite(A(i, j)))
        throw std::invalid_argument(fmt::format("A({}, {}) = {} is not finite.", i, j, A(i, j)));
    }
  }
}

PathStep refit(MatrixView A, std::span<const double> y, std::vector<std::size_t> columns, const PathOptions& options) {
  Matrix A_P = gather_columns(A, columns);
  MinimumNormSolution solution = solve_minimum_norm(Matrix(A_P), y, options.rank_tolerance, options.spectrum);
  std::vector<double> residual = multiply(A_P, solution.coefficients);
  for (std::size_t i = 0; i < y.size(); ++i) residual[i] -= y[i];

  PathStep step;
  step.train_mse = squared_norm(residual) / static_cast<double>(y.size());
  step.rank = solution.rank;
  if (options.spectrum) {
    const auto count = static_cast<double>(columns.size());
    step.lambda_max = std::pow(solution.singular_values.front(), 2) / count;
    step.lambda_min = std::pow(solution.singular_values.back(), 2) / count;
  }
  step.columns = std::move(columns);
  step.coefficients = std::move(solution.coefficients);
  return step;
}

}  // namespace

void visit_prune_path(MatrixView A, std::span<const double> y, const PathOptions& options, const PathVisitor& visit) {
  check(A, y, options);
  std::vector<std::size_t> columns(A.cols);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  while (true) {
    const PathStep step = refit(A, y, std::move(columns), options);
    if (!visit(step) || step.columns.size() == 1) return;
    columns.clear();
    for (const std::size_t k : keep_largest(step.coefficients, drop_count(step.columns.size(), options.prune_rate))) {
      columns.push_back(step.columns[k]);
    }
  }
}

std::vector<PathStep> prune_path(MatrixView A, std::span<const double> y, const PathOptions& options) {
  std::vector<PathStep> steps;
  visit_prune_path(A, y, options, [&](const PathStep& step) {
    steps.push_back(step);
    return true;
  });
  return steps;
}

}  // namespace shrimp

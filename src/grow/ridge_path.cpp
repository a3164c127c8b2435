#include "grow/ridge_path.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "linalg/dense.hpp"
#include "path/prune.hpp"

namespace shrimp {
namespace {

std::vector<std::size_t> numbers_below(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

}  // namespace

RidgePath::RidgePath(Matrix A, std::vector<double> y, std::span<const double> weights, double lambda)
    : A_(std::move(A)),
      y_(std::move(y)),
      weights_(weights.begin(), weights.end()),
      lambda_(lambda),
      all_(sum_up(numbers_below(y_.size()))) {}

PathStep RidgePath::fit() const {
  PathStep step;
  step.columns = numbers_below(all_.columns());
  solve(all_, step);
  return step;
}

std::vector<PathStep> RidgePath::steps(const EliminationRule& rule) const { return walk(all_, rule); }

GramSummary RidgePath::sum_up(std::span<const std::size_t> rows) const {
  // A block of rows at a time: a copy of all would double the memory.
  constexpr std::size_t block = 2048;
  GramSummary sums(A_.cols());
  for (std::size_t first = 0; first < rows.size(); first += block) {
    const auto own = rows.subspan(first, std::min(block, rows.size() - first));
    Matrix part = transpose(gather_rows(A_, own));
    std::vector<double> y;
    double total = 0.0;
    for (std::size_t k = 0; k < own.size(); ++k) {
      const double weight = weights_.empty() ? 1.0 : weights_[own[k]];
      const double root = std::sqrt(weight);
      total += weight;
      for (double& value : part.col(k)) value *= root;
      y.push_back(root * y_[own[k]]);
    }
    sums.add_transposed(part, y, total);
  }
  return sums;
}

// λ may be less than rounding beside columns of many terms: then the least that is not takes its place. Gives the
// factorised matrix of the equations, none of no columns.
std::optional<Cholesky> RidgePath::solve(const GramSummary& sums, PathStep& step) const {
  const std::size_t n = step.columns.size();
  step.coefficients.clear();
  for (const std::size_t column : step.columns) step.coefficients.push_back(sums.target.products[column]);
  step.rank = n;
  step.ridge = lambda_;
  if (n == 0) return std::nullopt;
  for (; std::isfinite(step.ridge); step.ridge *= 10.0) {
    Matrix own = Matrix::uninitialized(n, n);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = j; i < n; ++i) own(i, j) = sums.G(step.columns[i], step.columns[j]);
      own(j, j) += step.ridge;
    }
    if (auto L = Cholesky::factor(std::move(own))) {
      L->solve(step.coefficients);
      return L;
    }
  }
  throw std::logic_error("features that are not numbers");
}

std::vector<PathStep> RidgePath::walk(const GramSummary& sums, const EliminationRule& rule) const {
  std::vector<PathStep> steps;
  PathStep step;
  step.columns = numbers_below(sums.columns());
  while (true) {
    const std::optional<Cholesky> M = solve(sums, step);
    steps.push_back(step);
    if (!M) return steps;
    const std::vector<std::size_t> positions = eliminate(*M, step.coefficients, step.columns, rule);
    if (positions.size() == step.columns.size()) return steps;
    step = restrict_step(step, positions);
  }
}

RowErrors RidgePath::errors_on(const PathStep& step, const Matrix& A, std::span<const double> y,
                               std::span<const double> weights) {
  const std::vector<double> fitted = combine_columns(A, step.columns, step.coefficients);
  const double total =
      weights.empty() ? static_cast<double>(y.size()) : std::accumulate(weights.begin(), weights.end(), 0.0);
  RowErrors errors;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double weight = (weights.empty() ? 1.0 : weights[i]) * static_cast<double>(y.size()) / total;
    errors.squares.push_back(weight * (y[i] - fitted[i]) * (y[i] - fitted[i]));
    errors.mean += errors.squares.back() / static_cast<double>(y.size());
  }
  return errors;
}

std::vector<RowErrors> RidgePath::validate(const EliminationRule& rule, std::span<const RowSplit> folds) const {
  std::vector<RowErrors> errors;
  for (const RowSplit& split : folds) {
    const Matrix held = gather_rows(A_, split.held_out);
    std::vector<double> y;
    for (const std::size_t i : split.held_out) y.push_back(y_[i]);
    const std::vector<PathStep> steps = walk(all_.without(sum_up(split.held_out)), rule);
    errors.resize(std::max(errors.size(), steps.size()), {std::vector<double>(y_.size(), 0.0), 0.0});
    for (std::size_t t = 0; t < steps.size(); ++t) {
      const std::vector<double> squares = errors_on(steps[t], held, y, {}).squares;
      for (std::size_t k = 0; k < squares.size(); ++k) errors[t].squares[split.held_out[k]] = squares[k];
    }
  }
  const double total =
      weights_.empty() ? static_cast<double>(y_.size()) : std::accumulate(weights_.begin(), weights_.end(), 0.0);
  for (RowErrors& step : errors) {
    for (std::size_t i = 0; i < y_.size(); ++i) {
      if (!weights_.empty()) step.squares[i] *= weights_[i] * static_cast<double>(y_.size()) / total;
      step.mean += step.squares[i] / static_cast<double>(y_.size());
    }
  }
  return errors;
}

}  // namespace shrimp

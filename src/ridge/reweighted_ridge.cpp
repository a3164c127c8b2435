#include "ridge/reweighted_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "linalg/dense.hpp"
#include "ridge/residual_maker.hpp"
#include "ridge/solve.hpp"

namespace shrimp {
namespace {

constexpr std::size_t rows_of_a_passage = 4096;

constexpr int most_steps = 60;
constexpr int most_halvings = 12;

// From a constant, three steps come close to the minimum; chosen by hand.
constexpr int steps_in_any_case = 3;

// What a passage over the rows sums up: (1) at some coefficients, and the weighted least squares that it is near them.
struct Passage {
  std::vector<double> sums;
  double loss = 0.0;          // Σ v l
  double weight = 0.0;        // Σ v
  Matrix G;                   // AᵀWA, the lower triangle.
  std::vector<double> b;      // AᵀWz
  std::vector<double> means;  // AᵀW1
  double total = 0.0;         // 1ᵀW1
  double response = 0.0;      // 1ᵀWz
};

double weight_of(const ReweightedProblem& problem, std::size_t i) {
  return problem.weights.empty() ? 1.0 : problem.weights[i];
}

// Rows times the roots of their working weights, which come with the responses.
struct WorkingBlock {
  Matrix A;
  std::vector<double> roots;
  std::vector<double> responses;
};

WorkingBlock working_block(const ReweightedProblem& problem, std::size_t first, std::size_t count, Matrix A,
                           std::span<const double> sums) {
  WorkingBlock block{std::move(A), std::vector<double>(count), std::vector<double>(count)};
  const std::vector<WorkingRow> rows =
      problem.loss.working_rows(problem.y.subspan(first, count), sums.subspan(first, count));
  for (std::size_t i = 0; i < count; ++i) {
    block.roots[i] = std::sqrt(rows[i].weight * weight_of(problem, first + i));
    block.responses[i] = rows[i].response;
  }
  scale_rows(block.A, block.roots);
  return block;
}

void add_block(const WorkingBlock& block, Passage& passage) {
  add_gram_of_columns(passage.G, block.A);
  add_scaled(passage.means, 1.0, multiply_transposed(block.A, block.roots));
  std::vector<double> weighted(block.roots.size());
  for (std::size_t i = 0; i < weighted.size(); ++i) {
    weighted[i] = block.roots[i] * block.responses[i];
    passage.total += block.roots[i] * block.roots[i];
    passage.response += block.roots[i] * weighted[i];
  }
  add_scaled(passage.b, 1.0, multiply_transposed(block.A, weighted));
}

Passage pass(const ReweightedProblem& problem, double constant, std::span<const double> coefficients) {
  const std::size_t n = problem.A.columns;
  Passage passage;
  passage.sums.assign(problem.A.rows, constant);
  passage.G = Matrix(n, n);
  passage.b.assign(n, 0.0);
  passage.means.assign(n, 0.0);
  for (std::size_t first = 0; first < problem.A.rows; first += rows_of_a_passage) {
    if (problem.check) problem.check();
    const std::size_t count = std::min(rows_of_a_passage, problem.A.rows - first);
    Matrix A = problem.A.block(first, count);
    if (n > 0) add_scaled(std::span(passage.sums).subspan(first, count), 1.0, multiply(A, coefficients));
    const std::vector<double> losses =
        problem.loss.values(problem.y.subspan(first, count), std::span(passage.sums).subspan(first, count));
    for (std::size_t i = first; i < first + count; ++i) {
      passage.loss += weight_of(problem, i) * losses[i - first];
      passage.weight += weight_of(problem, i);
    }
    add_block(working_block(problem, first, count, std::move(A), passage.sums), passage);
  }
  return passage;
}

double objective(const Passage& passage, std::span<const double> coefficients, double lambda) {
  return passage.loss + 0.5 * lambda * squared_norm(coefficients);
}

// Of the least squares with the constant taken out, λ added; none without columns.
std::optional<Cholesky> factor(const Passage& passage, double lambda) {
  const std::size_t n = passage.means.size();
  Matrix M(passage.G);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) M(i, j) -= passage.means[i] * passage.means[j] / passage.total;
  }
  // Rounding of what the constant took out must not make it indefinite.
  constexpr double rounding = 1e-12;
  double largest = 0.0;
  for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, passage.G(j, j));
  return n == 0 ? std::nullopt : factor_ridge(std::move(M), lambda + rounding * largest);
}

struct Solution {
  std::vector<double> coefficients;
  double constant = 0.0;
};

Solution solve(const Passage& passage, double lambda) {
  Solution solution{passage.b, passage.response / passage.total};
  add_scaled(solution.coefficients, -solution.constant, passage.means);
  if (const std::optional<Cholesky> M = factor(passage, lambda)) {
    M->solve(solution.coefficients);
  } else {
    std::ranges::fill(solution.coefficients, 0.0);
  }
  for (std::size_t j = 0; j < solution.coefficients.size(); ++j) {
    solution.constant -= solution.coefficients[j] * passage.means[j] / passage.total;
  }
  return solution;
}

void move_halfway(Solution& to, const ReweightedFit& from) {
  to.constant = 0.5 * (to.constant + from.constant);
  for (std::size_t j = 0; j < to.coefficients.size(); ++j) {
    to.coefficients[j] = 0.5 * (to.coefficients[j] + from.coefficients[j]);
  }
}

ReweightedFit begin(const ReweightedProblem& problem, const ReweightedFit* start) {
  ReweightedFit fit;
  if (start != nullptr && start->coefficients.size() == problem.A.columns) {
    fit.coefficients = start->coefficients;
    fit.constant = start->constant;
    return fit;
  }
  fit.coefficients.assign(problem.A.columns, 0.0);
  fit.constant = best_constant(problem.loss, problem.y, problem.weights);
  return fit;
}

}  // namespace

RowsOfColumns rows_of(const Matrix& A) {
  return {A.rows(), A.cols(), [&A](std::size_t first, std::size_t count) {
            return Matrix(MatrixView{A.data() + first, count, A.cols(), A.rows()});
          }};
}

ReweightedFit fit_reweighted(const ReweightedProblem& problem, double lambda, const ReweightedFit* start) {
  ReweightedFit fit = begin(problem, start);
  Passage here = pass(problem, fit.constant, fit.coefficients);
  double value = objective(here, fit.coefficients, lambda);
  fit.converged = false;
  const double small_change = problem.precision;
  for (int step = 0; step < most_steps && !fit.converged; ++step) {
    if (step >= steps_in_any_case && problem.is_over && problem.is_over()) break;
    Solution next = solve(here, lambda);
    Passage there = pass(problem, next.constant, next.coefficients);
    double after = objective(there, next.coefficients, lambda);
    for (int halved = 0; halved < most_halvings && !(after <= value * (1.0 + small_change)); ++halved) {
      move_halfway(next, fit);
      there = pass(problem, next.constant, next.coefficients);
      after = objective(there, next.coefficients, lambda);
    }
    fit.converged = !(value - after > small_change * std::abs(value));
    if (!(after <= value)) break;  // As low as rounding lets it be.
    fit.coefficients = std::move(next.coefficients);
    fit.constant = next.constant;
    here = std::move(there);
    value = after;
  }
  fit.loss = here.loss / here.weight;
  fit.sums = std::move(here.sums);
  return fit;
}

std::vector<double> leave_one_out_sums(const ReweightedProblem& problem, double lambda, const ReweightedFit& fit,
                                       const GroupStarts& starts) {
  const Passage passage = pass(problem, fit.constant, fit.coefficients);
  const std::optional<Cholesky> M = factor(passage, lambda);
  if (!M && problem.A.columns > 0) return {};
  const std::size_t m = problem.A.rows;
  const double root = std::sqrt(passage.total);
  WorkingBlock all = working_block(problem, 0, m, problem.A.block(0, m), passage.sums);
  for (std::size_t j = 0; j < all.A.cols(); ++j) {
    add_scaled(all.A.col(j), -passage.means[j] / passage.total, all.roots);
  }
  Matrix T = transpose(all.A);
  if (M) M->solve_lower(T);
  ResidualMaker rest(m, 1.0, starts);
  if (M) rest.add_squares(-1.0, T);
  std::vector<double> constant(m);
  std::vector<double> residual(m);
  for (std::size_t i = 0; i < m; ++i) {
    constant[i] = all.roots[i] / root;
    residual[i] = all.roots[i] * (all.responses[i] - passage.sums[i]);
  }
  rest.add_square(-1.0, constant);
  const std::optional<std::vector<double>> errors = rest.errors(residual);
  if (!errors) return {};
  std::vector<double> sums(m);
  for (std::size_t i = 0; i < m; ++i) sums[i] = all.responses[i] - (*errors)[i] / all.roots[i];
  return sums;
}

}  // namespace shrimp

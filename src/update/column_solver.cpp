#include "update/column_solver.hpp"

#include <cmath>

#include "linalg/dense.hpp"
#include "linalg/householder.hpp"
#include "ridge/solve.hpp"
#include "solvers/minimum_norm.hpp"

namespace shrimp {
namespace {

// Without the first `rows` rows and the constant's column.
Matrix without_constant(const Matrix& R, std::size_t rows) {
  return Matrix(MatrixView{R.data() + R.rows() + rows, R.rows() - rows, R.cols() - 1, R.rows()});
}

}  // namespace

ColumnSolver::ColumnSolver(const Model& model, RefitRule rule) : rule_(std::move(rule)) {
  if (rule_.ridge > 0.0) prior_.emplace(model.dictionary, model.inputs.size(), rule_.scales);
}

std::vector<double> ColumnSolver::solve_ridge(RidgeProblem problem) const {
  AugmentedTriangle triangle(std::move(problem.R), std::move(problem.b), problem.ridge);
  solve_triangle(triangle.T, triangle.b, false);
  prior_->unwhiten(triangle.b);
  return std::move(triangle.b);
}

// The first row of R is the constant's: what is below it, is the triangle of the columns less their means.
double ColumnSolver::constant_of(const TriangularSystem& sums, double kept_constant) const {
  return rule_.constant == RefitRule::Constant::kept ? kept_constant : sums.b[0] / sums.R(0, 0);
}

RidgeProblem ColumnSolver::problem(const TriangularSystem& sums, double unit, double kept_constant) const {
  const bool fitted = rule_.constant == RefitRule::Constant::fitted;
  RidgeProblem problem;
  problem.R = without_constant(sums.R, fitted ? 1 : 0);
  problem.b.assign(sums.b.begin() + (fitted ? 1 : 0), sums.b.end());
  problem.ridge = unit * rule_.ridge;
  if (!fitted) problem.b[0] -= sums.R(0, 0) * constant_of(sums, kept_constant);
  if (prior_) prior_->whiten(problem.R);
  return problem;
}

std::vector<double> ColumnSolver::solve(const TriangularSystem& sums, double unit, double kept_constant) const {
  double constant = constant_of(sums, kept_constant);
  std::vector<double> c;
  if (sums.columns() > 1) {
    RidgeProblem columns = problem(sums, unit, kept_constant);
    if (rule_.ridge > 0.0) {
      c = solve_ridge(std::move(columns));
    } else if (columns.R.rows() == 0) {
      c.assign(columns.R.cols(), 0.0);
    } else {
      const double tolerance =
          rule_.rank_tolerance > 0.0 ? rule_.rank_tolerance : default_rank_tolerance(sums.rows, sums.columns() - 1);
      c = solve_minimum_norm(std::move(columns.R), columns.b, tolerance).coefficients;
    }
  }
  const bool fitted = rule_.constant == RefitRule::Constant::fitted;
  for (std::size_t k = 0; fitted && k < c.size(); ++k) constant -= c[k] * sums.R(0, k + 1) / sums.R(0, 0);
  c.insert(c.begin(), constant);
  return c;
}

std::optional<Posterior> ColumnSolver::posterior(const TriangularSystem& sums, double unit) const {
  const bool fitted = rule_.constant == RefitRule::Constant::fitted;
  const std::size_t columns = sums.columns() - 1;
  if (columns == 0 || (!prior_ && sums.rows <= columns) || sums.R.rows() < 2) return std::nullopt;
  Matrix R = without_constant(sums.R, fitted ? 1 : 0);
  Matrix means = Matrix::uninitialized(1, columns);
  for (std::size_t k = 0; k < columns; ++k) means(0, k) = sums.R(0, 1 + k) / sums.R(0, 0);
  if (prior_) {
    prior_->whiten(R);
    prior_->whiten(means);
  }
  for (double& value : std::span(R.data(), R.rows() * R.cols())) value /= std::sqrt(unit);
  Matrix G(columns, columns);
  add_gram_of_columns(G, R);
  std::vector<double> taken_out(means.data(), means.data() + (fitted ? columns : 0));
  return Posterior::of(prior_, std::move(G), std::move(taken_out), sums.weight / unit, rule_.ridge);
}

}  // namespace shrimp

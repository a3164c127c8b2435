#include "update/column_solver.hpp"

#include <cmath>

#include "linalg/dense.hpp"
#include "linalg/householder.hpp"
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

// The ridge is a row for each column, √λ c_k ≈ 0: by orthogonal factors, the condition number is not squared.
std::vector<double> ColumnSolver::solve_ridge(Matrix R, std::vector<double> b, double ridge) const {
  const std::size_t n = R.cols();
  prior_->whiten(R);
  Matrix penalty(n, n);
  for (std::size_t k = 0; k < n; ++k) penalty(k, k) = std::sqrt(ridge);
  const HouseholderQr qr(R.rows() > 0 ? stack_rows(R, penalty) : std::move(penalty));
  b.resize(b.size() + n, 0.0);
  qr.apply_transposed(b);
  b.resize(n);
  solve_triangle(qr.R(), b, false);
  prior_->unwhiten(b);
  return b;
}

std::vector<double> ColumnSolver::solve(const TriangleSummary& sums, double unit, double kept_constant) const {
  // The first row of R is the constant's: what is below it, is the triangle of the columns less their means.
  const bool fitted = rule_.constant == RefitRule::Constant::fitted;
  const double mean = sums.b[0] / sums.R(0, 0);
  double constant = rule_.constant == RefitRule::Constant::kept ? kept_constant : mean;
  std::vector<double> c;
  if (sums.columns() > 1) {
    const std::size_t skipped = fitted ? 1 : 0;
    Matrix R = without_constant(sums.R, skipped);
    std::vector<double> b(sums.b.begin() + static_cast<std::ptrdiff_t>(skipped), sums.b.end());
    if (!fitted) b[0] -= sums.R(0, 0) * constant;
    if (rule_.ridge > 0.0) {
      c = solve_ridge(std::move(R), std::move(b), unit * rule_.ridge);
    } else if (R.rows() == 0) {
      c.assign(R.cols(), 0.0);
    } else {
      const double tolerance =
          rule_.rank_tolerance > 0.0 ? rule_.rank_tolerance : default_rank_tolerance(sums.rows, sums.columns() - 1);
      c = solve_minimum_norm(std::move(R), b, tolerance).coefficients;
    }
  }
  for (std::size_t k = 0; fitted && k < c.size(); ++k) constant -= c[k] * sums.R(0, k + 1) / sums.R(0, 0);
  c.insert(c.begin(), constant);
  return c;
}

std::optional<Posterior> ColumnSolver::posterior(const TriangleSummary& sums, double unit) const {
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

#include "update/column_solver.hpp"

#include <cmath>

#include "linalg/dense.hpp"
#include "linalg/householder.hpp"
#include "shrimp/kernels.hpp"
#include "solvers/minimum_norm.hpp"

namespace shrimp {
namespace {

std::vector<std::size_t> kernel_columns(const Dictionary& dictionary) {
  std::vector<std::size_t> columns;
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    if (dictionary.functions[k] == Function::kernel) columns.push_back(k);
  }
  return columns;
}

// Rows with the centres' coordinates. Inputs that the kernel does not look at are 0.
Matrix centres_of(const Dictionary& sections, std::size_t inputs) {
  Matrix centres(sections.columns(), inputs);
  for (std::size_t k = 0; k < sections.columns(); ++k) {
    const auto support = sections.support(k);
    const auto coordinates = sections.weights.weights(sections.rows[k]);
    for (std::size_t l = 0; l < support.size(); ++l) centres(k, support[l]) = coordinates[l];
  }
  return centres;
}

Cholesky factor_kernel(const Dictionary& sections, std::size_t inputs) {
  const Matrix centres = centres_of(sections, inputs);
  for (double extra = kernel_jitter;; extra *= 10.0) {
    Matrix K = evaluate(sections, centres);
    for (std::size_t k = 0; k < K.cols(); ++k) K(k, k) += extra;
    if (std::optional<Cholesky> L = Cholesky::factor(std::move(K))) return std::move(*L);
  }
}

// Without the first `rows` rows and the constant's column.
Matrix without_constant(const Matrix& R, std::size_t rows) {
  return Matrix(MatrixView{R.data() + R.rows() + rows, R.rows() - rows, R.cols() - 1, R.rows()});
}

}  // namespace

ColumnSolver::ColumnSolver(const Model& model, RefitRule rule) : rule_(std::move(rule)) {
  if (!(rule_.ridge > 0.0)) return;
  sections_ = kernel_columns(model.dictionary);
  if (!sections_.empty()) kernel_ = factor_kernel(model.dictionary.subset(sections_), model.inputs.size());
}

// Columns of prior variance 1: times their scales, and those of kernels by L⁻ᵀ, L Lᵀ being the kernel at the centres.
void ColumnSolver::whiten(Matrix& R) const {
  for (std::size_t k = 0; k < R.cols(); ++k) {
    for (double& value : R.col(k)) value *= rule_.scales[k];
  }
  if (!kernel_) return;
  Matrix own = transpose(gather_columns(R, sections_));
  kernel_->solve_lower(own);
  own = transpose(own);
  for (std::size_t k = 0; k < sections_.size(); ++k) std::ranges::copy(own.col(k), R.col(sections_[k]).begin());
}

void ColumnSolver::unwhiten(std::vector<double>& c) const {
  if (kernel_) {
    Matrix own(sections_.size(), 1);
    for (std::size_t k = 0; k < sections_.size(); ++k) own(k, 0) = c[sections_[k]];
    kernel_->solve_lower_transposed(own);
    for (std::size_t k = 0; k < sections_.size(); ++k) c[sections_[k]] = own(k, 0);
  }
  for (std::size_t k = 0; k < c.size(); ++k) c[k] *= rule_.scales[k];
}

// The ridge is a row for each column, √λ c_k ≈ 0: by orthogonal factors, the condition number is not squared.
std::vector<double> ColumnSolver::solve_ridge(RidgeProblem problem) const {
  const std::size_t n = problem.R.cols();
  Matrix penalty(n, n);
  for (std::size_t k = 0; k < n; ++k) penalty(k, k) = std::sqrt(problem.ridge);
  const HouseholderQr qr(problem.R.rows() > 0 ? stack_rows(problem.R, penalty) : std::move(penalty));
  std::vector<double> b = std::move(problem.b);
  b.resize(b.size() + n, 0.0);
  qr.apply_transposed(b);
  b.resize(n);
  solve_triangle(qr.R(), b, false);
  unwhiten(b);
  return b;
}

// The first row of R is the constant's: what is below it, is the triangle of the columns less their means.
double ColumnSolver::constant_of(const TriangleSummary& sums, double kept_constant) const {
  return rule_.constant == RefitRule::Constant::kept ? kept_constant : sums.b[0] / sums.R(0, 0);
}

RidgeProblem ColumnSolver::problem(const TriangleSummary& sums, double unit, double kept_constant) const {
  const bool fitted = rule_.constant == RefitRule::Constant::fitted;
  RidgeProblem problem;
  problem.R = without_constant(sums.R, fitted ? 1 : 0);
  problem.b.assign(sums.b.begin() + (fitted ? 1 : 0), sums.b.end());
  problem.ridge = unit * rule_.ridge;
  if (!fitted) problem.b[0] -= sums.R(0, 0) * constant_of(sums, kept_constant);
  if (rule_.ridge > 0.0) whiten(problem.R);
  return problem;
}

std::vector<double> ColumnSolver::solve(const TriangleSummary& sums, double unit, double kept_constant) const {
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

}  // namespace shrimp

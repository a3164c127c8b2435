#include "path/path_solver.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "linalg/householder.hpp"
#include "path/group_compression.hpp"
#include "path/ridge.hpp"
#include "solvers/minimum_norm.hpp"

namespace shrimp {
namespace {

// Below this the refinement of a Gram solution no longer converges fast.
constexpr double smallest_gram_rcond = 1e-10;
// A matrix this many times as wide as high is reduced block by block.
constexpr std::size_t very_wide = 4;

Columns all_columns(std::size_t count) {
  Columns columns(count);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return columns;
}

void scale_rows(Matrix& M, std::span<const double> factors) {
  for (std::size_t j = 0; j < M.cols(); ++j) {
    for (std::size_t i = 0; i < M.rows(); ++i) M(i, j) *= factors[i];
  }
}

std::vector<double> scaled(std::vector<double> values, std::span<const double> factors) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= factors[i];
  return values;
}

double norm(std::span<const double> x) { return std::sqrt(squared_norm(x)); }

}  // namespace

CompressedProblem compress(MatrixView A, std::span<const double> y, const PathOptions& options) {
  CompressedProblem problem;
  problem.equations = A.rows;
  if (A.rows >= A.cols) {
    const HouseholderQr qr{Matrix(A)};
    problem.b.assign(y.begin(), y.end());
    qr.apply_transposed(problem.b);
    problem.rest = squared_norm(std::span(problem.b).subspan(A.cols));
    problem.b.resize(A.cols);
    problem.M = std::make_shared<DenseRows>(qr.R(), options.threads);
    problem.scale.assign(A.cols, 1.0);
    return problem;
  }
  if (auto grouped = compress_groups(A, y, options)) return std::move(*grouped);
  problem.M = std::make_shared<DenseRows>(A, options.threads);
  problem.b.assign(y.begin(), y.end());
  problem.scale.assign(A.rows, 1.0);
  return problem;
}

PathSolver::PathSolver(CompressedProblem problem, const PathOptions& options)
    : options_(options),
      problem_(std::move(problem)),
      columns_(all_columns(problem_.M->cols())),
      positions_(columns_),
      triangular_(problem_.equations >= problem_.M->cols()) {}

PathSolver::PathSolver(const PathSolver& other)
    : options_(other.options_),
      problem_(other.problem_),
      columns_(other.columns_),
      positions_(other.positions_),
      gram_(other.gram_),
      gram_helps_(other.gram_helps_),
      truncated_(other.truncated_),
      triangular_(other.triangular_),
      deficient_(other.deficient_),
      ridge_(other.ridge_) {}

double PathSolver::tolerance() const {
  return options_.rank_tolerance > 0.0 ? options_.rank_tolerance
                                       : default_rank_tolerance(problem_.equations, columns_.size());
}

void PathSolver::keep_columns(const Columns& P) {
  if (P.size() == columns_.size()) return;
  Columns kept;
  Columns dropped;
  std::size_t next = 0;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const bool stays = next < P.size() && P[next] == columns_[k];
    (stays ? kept : dropped).push_back(positions_[k]);
    if (stays) ++next;
  }
  columns_ = P;
  positions_ = std::move(kept);
  triangular_ = false;
  if (auto smaller = problem_.M->recompress(problem_, positions_, tolerance())) {
    problem_ = std::move(*smaller);
    positions_ = all_columns(P.size());
    gram_ = Matrix();
    gram_helps_ = true;
  } else if (!gram_.empty() && positions_.size() >= gram_.rows()) {
    problem_.M->downdate(gram_, positions_, dropped);
  }
}

Matrix PathSolver::unscaled_rows() const {
  Matrix M = problem_.M->gather(positions_);
  scale_rows(M, problem_.scale);
  return M;
}

void PathSolver::adopt(Matrix M, std::vector<double> b, std::vector<double> scale) {
  problem_.M = std::make_shared<DenseRows>(std::move(M), options_.threads);
  problem_.b = std::move(b);
  problem_.scale = std::move(scale);
  positions_ = all_columns(columns_.size());
  gram_ = Matrix();
}

// Fewer columns than rows: the triangle of M_P = Q R takes the place of M.
void PathSolver::reduce_to_triangle() {
  const HouseholderQr qr(unscaled_rows());
  std::vector<double> b = scaled(problem_.b, problem_.scale);
  qr.apply_transposed(b);
  const std::size_t n = columns_.size();
  problem_.rest += squared_norm(std::span(b).subspan(n));
  b.resize(n);
  adopt(qr.R(), std::move(b), std::vector<double>(n, 1.0));
  gram_helps_ = false;
  triangular_ = true;
}

// M_P Π = Q R; rows of Qᵀ M_P with |R_kk| below the tolerance go, the others are divided by |R_kk|, which leaves them
// well conditioned.
void PathSolver::truncate() {
  const std::size_t n = columns_.size();
  const std::size_t r = problem_.M->rows();
  std::vector<double> b = scaled(problem_.b, problem_.scale);
  std::vector<double> scale;
  Matrix M;
  const auto read = [&](const RankRevealingQr& qr) {
    qr.apply_transposed(std::span<double>(b));
    problem_.rest += squared_norm(std::span(b).subspan(qr.rank()));
    b.resize(qr.rank());
    for (std::size_t k = 0; k < qr.rank(); ++k) scale.push_back(qr.diagonal(k));
  };
  if (n > very_wide * r) {
    // Pivoting moves columns about; a triangle with the same column space has fewer of them.
    const RankRevealingQr qr(left_triangle(), tolerance());
    read(qr);
    Matrix full = unscaled_rows();
    qr.apply_transposed(full);
    M = Matrix(MatrixView{full.data(), qr.rank(), n, full.rows()});
  } else {
    const RankRevealingQr qr(unscaled_rows(), tolerance());
    read(qr);
    M = qr.rows();
  }
  deficient_ = scale.size() < std::min(n, r);
  std::vector<double> inverse;
  for (const double entry : scale) inverse.push_back(1.0 / entry);
  scale_rows(M, inverse);
  adopt(std::move(M), scaled(std::move(b), inverse), std::move(scale));
  gram_helps_ = true;
  truncated_ = true;
  triangular_ = false;
}

// L of M_P = L Q, from blocks of columns: [L | block] = L' Q.
Matrix PathSolver::left_triangle() const {
  const std::size_t r = problem_.M->rows();
  const std::size_t block = very_wide * r;
  Matrix L_transposed;
  for (std::size_t first = 0; first < positions_.size(); first += block) {
    const std::size_t last = std::min(first + block, positions_.size());
    const Columns part(positions_.begin() + static_cast<std::ptrdiff_t>(first),
                       positions_.begin() + static_cast<std::ptrdiff_t>(last));
    Matrix M = problem_.M->gather(part);
    scale_rows(M, problem_.scale);
    Matrix stacked(std::max(r, L_transposed.rows() + part.size()), r);
    for (std::size_t j = 0; j < r; ++j) {
      for (std::size_t i = 0; i < L_transposed.rows(); ++i) stacked(i, j) = L_transposed(i, j);
      for (std::size_t i = 0; i < part.size(); ++i) stacked(L_transposed.rows() + i, j) = M(j, i);
    }
    L_transposed = HouseholderQr(std::move(stacked)).R();
  }
  return transpose(L_transposed);
}

PathSolution PathSolver::finish(std::vector<double> c) const {
  std::vector<double> gap = problem_.M->combine(positions_, c);
  for (std::size_t i = 0; i < gap.size(); ++i) gap[i] = problem_.scale[i] * (gap[i] - problem_.b[i]);
  PathSolution solution;
  solution.residual = squared_norm(gap) + problem_.rest;
  solution.rank = problem_.M->rows();
  solution.ridge = ridge_;
  solution.coefficients = std::move(c);
  return solution;
}

// c = M_Pᵀ G⁻¹ b, then c ← c + M_Pᵀ G⁻¹ (b − M_P c): the residual is taken with M itself, so that the error falls
// to that of an orthogonal solver although G has the square of M's condition number.
std::optional<PathSolution> PathSolver::solve_by_gram() {
  if (gram_.empty()) gram_ = problem_.M->gram(positions_);
  Matrix G(gram_);
  for (std::size_t i = 0; i < G.rows(); ++i) G(i, i) += ridge_ / (problem_.scale[i] * problem_.scale[i]);
  const auto factor = Cholesky::factor(std::move(G));
  if (!factor || !(factor->rcond() > smallest_gram_rcond)) return std::nullopt;

  constexpr int most_refinements = 4;
  constexpr double converged = 1e-13;
  std::vector<double> z = problem_.b;
  factor->solve(z);
  std::vector<double> c = problem_.M->project(positions_, z);
  for (int k = 0; k < most_refinements; ++k) {
    std::vector<double> gap = problem_.M->combine(positions_, c);
    for (std::size_t i = 0; i < gap.size(); ++i) {
      gap[i] = problem_.b[i] - gap[i] - ridge_ / (problem_.scale[i] * problem_.scale[i]) * z[i];
    }
    factor->solve(gap);
    const std::vector<double> correction = problem_.M->project(positions_, gap);
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += gap[i];
    for (std::size_t j = 0; j < c.size(); ++j) c[j] += correction[j];
    if (norm(correction) <= converged * norm(c)) break;
  }
  return finish(std::move(c));
}

// M_P is an upper triangle.
std::optional<PathSolution> PathSolver::solve_by_triangle() {
  const Matrix R = problem_.M->gather(positions_);
  if (!(triangle_rcond(R) > tolerance())) {
    truncate();
    return std::nullopt;
  }
  std::vector<double> c = problem_.b;
  solve_triangle(R, c, false);
  PathSolution solution;
  solution.residual = problem_.rest;
  solution.rank = c.size();
  solution.coefficients = std::move(c);
  return solution;
}

// M_Pᵀ = Q R, so c = Q R⁻ᵀ b. A ridge adds the rows √λ I to M_Pᵀ.
std::optional<PathSolution> PathSolver::solve_by_householder() {
  const std::size_t n = columns_.size();
  const std::size_t r = problem_.M->rows();
  const Matrix M = unscaled_rows();
  Matrix stacked(n + (ridge_ > 0.0 ? r : 0), r);
  for (std::size_t i = 0; i < r; ++i) {
    for (std::size_t j = 0; j < n; ++j) stacked(j, i) = M(i, j);
    if (ridge_ > 0.0) stacked(n + i, i) = std::sqrt(ridge_);
  }
  const HouseholderQr qr(std::move(stacked));
  const Matrix R = qr.R();
  if (ridge_ == 0.0 && !truncated_ && !(triangle_rcond(R) > tolerance())) {
    truncate();
    return std::nullopt;
  }
  std::vector<double> c = scaled(problem_.b, problem_.scale);
  solve_triangle(R, c, true);
  c.resize(n + (ridge_ > 0.0 ? r : 0), 0.0);
  qr.apply(c);
  c.resize(n);
  return finish(std::move(c));
}

void PathSolver::choose_ridge() {
  ridge_ = options_.ridge;
  if (!options_.ridge_by_gcv) return;
  Matrix G = gram_.empty() ? problem_.M->gram(positions_) : Matrix(gram_);
  for (std::size_t j = 0; j < G.cols(); ++j) {
    for (std::size_t i = j; i < G.rows(); ++i) G(i, j) *= problem_.scale[i] * problem_.scale[j];
  }
  ridge_ = gcv_ridge(std::move(G), scaled(problem_.b, problem_.scale), problem_.rest, problem_.equations);
}

// λ of A_P A_Pᵀ/N_t, or of A_Pᵀ A_P/N_t once N_t < m. Directions that were cut off count as 0.
void PathSolver::add_spectrum(PathSolution& solution) const {
  const std::size_t n = columns_.size();
  const std::size_t full = std::min(problem_.equations, n);
  Matrix M = unscaled_rows();
  Matrix triangle = M.rows() > M.cols() ? HouseholderQr(std::move(M)).R() : HouseholderQr(transpose(M)).R();
  const std::vector<double> sigma = singular_values(std::move(triangle));
  const auto count = static_cast<double>(n);
  solution.lambda_max = sigma.empty() ? 0.0 : sigma.front() * sigma.front() / count;
  solution.lambda_min = sigma.size() < full ? 0.0 : sigma.back() * sigma.back() / count;
}

PathSolution PathSolver::solve(const Columns& P) {
  keep_columns(P);
  if (columns_.size() < problem_.M->rows()) {
    if (deficient_ && options_.ridge == 0.0) {
      truncate();
    } else {
      reduce_to_triangle();
    }
  }
  choose_ridge();
  while (true) {
    std::optional<PathSolution> solution;
    if (problem_.M->rows() == 0) {
      solution = finish(std::vector<double>(columns_.size(), 0.0));
    } else if (triangular_ && ridge_ == 0.0) {
      solution = solve_by_triangle();
    } else if (gram_helps_) {
      solution = solve_by_gram();
      if (!solution) {
        gram_helps_ = false;
        gram_ = Matrix();
      }
    } else if (!truncated_ && (deficient_ || columns_.size() > very_wide * problem_.M->rows())) {
      truncate();
    } else {
      solution = solve_by_householder();
    }
    if (!solution) continue;
    // A later, smaller set of columns may have lost rank again.
    truncated_ = false;
    if (options_.spectrum) add_spectrum(*solution);
    return std::move(*solution);
  }
}

}  // namespace shrimp

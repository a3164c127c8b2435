#include "path/path_solver.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "linalg/householder.hpp"
#include "path/group_compression.hpp"
#include "ridge/generalized_cross_validation.hpp"
#include "solvers/minimum_norm.hpp"

namespace shrimp {
namespace {

std::vector<double> scaled(std::vector<double> values, std::span<const double> factors) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= factors[i];
  return values;
}

std::vector<std::size_t> pick(std::span<const std::size_t> values, std::span<const std::size_t> places) {
  std::vector<std::size_t> picked;
  for (const std::size_t k : places) picked.push_back(values[k]);
  return picked;
}

// Whether so many columns look at the same inputs that some of them will depend on each other.
bool has_large_groups(std::span<const std::uint32_t> groups) {
  constexpr std::size_t large = 24;  // About the dimensions of smooth functions of one input.
  return !groups.empty() && groups.size() >= large * (1 + std::size_t{std::ranges::max(groups)});
}

std::shared_ptr<const Matrix> share(Matrix M) { return std::make_shared<const Matrix>(std::move(M)); }

}  // namespace

PathSolver::PathSolver(const std::shared_ptr<const RowSpace>& A, std::span<const double> y, const PathOptions& options,
                       const std::function<Matrix()>& gram)
    : options_(options), columns_(all_columns(A->cols())) {
  base_.problem.equations = A->rows();
  if (A->rows() >= A->cols()) {
    Reduction reduced = A->reduce(y);
    known_ = {reduced.ranked, reduced.ranked};  // The latter is not known, but likely.
    extension_ = std::move(reduced.extension);
    const std::size_t rows = reduced.M->rows();
    base_ = make_stage(std::move(reduced.M), reduced.order, std::move(reduced.b), std::vector<double>(rows, 1.0),
                       reduced.rest);
    work_on(base_, reduced.triangular ? Form::triangle : Form::householder);
    return;
  }
  base_.positions = columns_;
  base_.problem.M = A;
  base_.problem.b.assign(y.begin(), y.end());
  base_.problem.scale.assign(A->rows(), 1.0);
  work_on(base_, Form::gram);
  if (auto grouped = compress_groups(*A, y, options)) {
    work_.problem = std::move(*grouped);
    return;
  }
  known_.dependent = has_large_groups(options.groups);
  if (gram) work_.gram = gram();
}

Matrix PathSolver::Stage::gather_unscaled() const {
  Matrix M = problem.M->gather(positions);
  scale_rows(M, problem.scale);
  return M;
}

Matrix PathSolver::Stage::gather_stored() const {
  Columns stored = positions;
  std::ranges::sort(stored);
  Matrix M = problem.M->gather(stored);
  scale_rows(M, problem.scale);
  return M;
}

std::vector<std::size_t> PathSolver::Stage::order() const {
  std::vector<std::size_t> order = all_columns(positions.size());
  std::ranges::sort(order, {}, [&](std::size_t k) { return positions[k]; });
  return order;
}

std::vector<double> PathSolver::Stage::unscaled_b() const { return scaled(problem.b, problem.scale); }

double PathSolver::tolerance() const {
  return options_.rank_tolerance > 0.0 ? options_.rank_tolerance
                                       : default_rank_tolerance(base_.problem.equations, columns_.size());
}

// Up to a constant, the size that directions are cut off at: σ_max grows like the root of the number of columns.
double PathSolver::cut() const { return tolerance() * std::sqrt(static_cast<double>(columns_.size())); }

void PathSolver::keep_columns(const Columns& P) {
  if (P.size() == columns_.size()) return;
  Columns base_kept;
  Columns kept;
  Columns dropped;
  std::size_t next = 0;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const bool stays = next < P.size() && P[next] == columns_[k];
    (stays ? kept : dropped).push_back(work_.positions[k]);
    if (!stays) continue;
    base_kept.push_back(base_.positions[k]);
    ++next;
  }
  columns_ = P;
  base_.positions = std::move(base_kept);
  work_.positions = std::move(kept);
  if (work_.form == Form::triangle) work_.form = Form::householder;
  if (auto smaller = work_.problem.M->recompress(work_.positions, tolerance())) {
    work_on({std::move(*smaller), all_columns(P.size())}, Form::gram);
  } else if (work_.problem.M->is_lossy() || (work_.cut > 0.0 && cut() < 0.25 * work_.cut)) {
    work_on(base_, Form::householder);  // What was cut off for many columns may count for few.
  } else if (!work_.gram.empty() && P.size() >= work_.gram.rows()) {
    update_gram(dropped);
  }
}

void PathSolver::update_gram(const Columns& dropped) {
  const bool on_base = work_.problem.M == base_.problem.M;
  if (shelf_ == nullptr || !on_base) return work_.problem.M->downdate(work_.gram, work_.positions, dropped);
  Columns before;
  std::ranges::merge(work_.positions, dropped, std::back_inserter(before));
  work_.gram = shelf_->derive(*work_.problem.M, work_.positions, before, std::move(work_.gram));
  if (record_) shelf_->put(work_.positions, work_.gram);
}

PathSolver::Stage PathSolver::make_stage(std::shared_ptr<const Matrix> M, std::span<const std::size_t> order,
                                         std::vector<double> b, std::vector<double> scale, double rest) const {
  Stage stage;
  stage.positions.resize(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) stage.positions[order[k]] = k;
  stage.problem.M = std::make_shared<DenseRows>(std::move(M));
  stage.problem.b = std::move(b);
  stage.problem.scale = std::move(scale);
  stage.problem.rest = rest;
  stage.problem.equations = base_.problem.equations;
  return stage;
}

void PathSolver::work_on(Stage stage, Form form, double cut) { work_ = {std::move(stage), form, cut, LargeMatrix()}; }

// Fewer columns than rows: base_P = Q R.
void PathSolver::reduce_to_triangle() {
  const std::size_t n = columns_.size();
  TriangularSystem sums(n);
  sums.add(base_.gather_stored(), base_.unscaled_b());
  base_ = make_stage(share(std::move(sums.R)), base_.order(), std::move(sums.b), std::vector<double>(n, 1.0),
                     base_.problem.rest + sums.rest);
  work_on(base_, Form::triangle);
}

// base_P Π = Q R; rows of Qᵀ base_P with |R_kk| below the tolerance stay out of the work, the others are divided by
// |R_kk|, which leaves them well conditioned. Where that leaves nearly as many rows as columns, R gives the solution at
// once, as in LAPACK's dgelsy; a Gram matrix would serve no later step.
std::optional<PathSolution> PathSolver::truncate() {
  constexpr std::size_t few_dependent = 8;
  const std::size_t n = columns_.size();
  const bool is_wide = n > base_.rows();
  // Pivoting moves columns about; a triangle with the same column space has fewer of them.
  const RankRevealingQr qr = is_very_wide() ? RankRevealingQr(left_triangle_of_base(), tolerance()) : rank_base();
  const std::vector<std::size_t> stored = base_.order();
  const std::vector<std::size_t> order = is_very_wide() ? all_columns(n) : pick(stored, qr.pivots());
  std::vector<double> b = base_.unscaled_b();
  qr.apply_transposed(std::span<double>(b));
  if (!is_wide) {
    const double rest = base_.problem.rest + squared_norm(std::span(b).subspan(n));
    b.resize(n);
    base_ = make_stage(share(qr.rows(n)), order, b, std::vector<double>(n, 1.0), rest);
    known_.ranked = true;
  }
  const double rest = base_.problem.rest + squared_norm(std::span(b).subspan(qr.rank()));
  b.resize(qr.rank());
  known_.dependent = qr.rank() < std::min(n, base_.rows()) || (qr.rank() == n && !(qr.rcond() > tolerance()));
  std::optional<PathSolution> solution;
  if (ridge_ == 0.0 && few_dependent * (n - qr.rank()) <= n) {
    solution = {std::vector<double>(n), qr.rank(), rest};
    const std::vector<double> c = qr.least_norm(b);
    for (std::size_t k = 0; k < n; ++k) solution->coefficients[stored[k]] = c[k];
  }
  if (solution && !is_wide) {
    work_on(base_, Form::householder);
    return solution;
  }
  std::vector<double> scale;
  std::vector<double> inverse;
  for (std::size_t k = 0; k < qr.rank(); ++k) {
    scale.push_back(qr.diagonal(k));
    inverse.push_back(1.0 / scale.back());
  }
  Matrix M = rows_above_cut(qr);
  scale_rows(M, inverse);
  work_on(make_stage(share(std::move(M)), order, scaled(std::move(b), inverse), std::move(scale), rest), Form::gram,
          cut());
  return solution;
}

bool PathSolver::is_very_wide() const { return columns_.size() > very_wide * base_.rows(); }

// Pivoted QR of the base's columns as they are stored. Columns that were left out since may have been those that ranked
// others: where the triangle is far worse conditioned than its diagonal shows, all columns are ranked anew.
RankRevealingQr PathSolver::rank_base() const {
  const double worst = tolerance() / static_cast<double>(columns_.size());
  RankRevealingQr qr(base_.gather_stored(), tolerance(), known_.ranked);
  if (known_.ranked && !(qr.rcond() > worst)) return {base_.gather_stored(), tolerance()};
  return qr;
}

// Of Qᵀ base_P.
Matrix PathSolver::rows_above_cut(const RankRevealingQr& qr) const {
  if (!is_very_wide()) return qr.rows(qr.rank());
  Matrix turned = base_.gather_unscaled();
  qr.apply_transposed(turned);
  return Matrix(MatrixView{turned.data(), qr.rank(), turned.cols(), turned.rows()});
}

namespace {

// The columns P alone.
Reduction part_of(Reduction reduction, const Columns& P) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  const std::size_t n = reduction.order.size();
  if (P.size() == n) return reduction;
  std::vector<std::size_t> names(n, none);
  for (std::size_t k = 0; k < P.size(); ++k) names[P[k]] = k;
  Columns kept;
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < n; ++k) {
    if (names[reduction.order[k]] == none) continue;
    kept.push_back(k);
    order.push_back(names[reduction.order[k]]);
  }
  reduction.M = share(gather_columns(*reduction.M, kept));
  reduction.order = std::move(order);
  return reduction;
}

}  // namespace

std::optional<Reduction> PathSolver::with_rows(const RowSpace* more, std::span<const double> y,
                                               const Columns& P) const {
  if (base_.rows() >= base_.problem.equations) return std::nullopt;
  if (extension_ != nullptr && more != nullptr && 4 * P.size() >= 3 * base_.positions.size()) {
    auto extended = extension_->extend(*more, y);
    if (extended) return part_of(*std::move(extended), P);
  }
  Stage part = base_;
  part.positions = pick(base_.positions, P);
  Reduction result;
  result.order = part.order();
  result.ranked = known_.ranked;
  result.rest = base_.problem.rest;
  // The others come first: the columns of a triangle end the later the further right they stand.
  const Matrix above = more != nullptr ? more->gather(pick(P, result.order)) : Matrix(0, P.size());
  result.M = share(stack_rows(above, part.gather_stored()));
  result.b.assign(y.begin(), y.end());
  const std::vector<double> own = part.unscaled_b();
  result.b.insert(result.b.end(), own.begin(), own.end());
  return result;
}

// L of base_P = L Q, from blocks of columns: [L | block] = L' Q.
Matrix PathSolver::left_triangle_of_base() const {
  const std::size_t r = base_.rows();
  const std::size_t block = very_wide * r;
  Matrix L_transposed(0, r);
  for (std::size_t first = 0; first < base_.positions.size(); first += block) {
    const std::size_t last = std::min(first + block, base_.positions.size());
    const Columns part(base_.positions.begin() + static_cast<std::ptrdiff_t>(first),
                       base_.positions.begin() + static_cast<std::ptrdiff_t>(last));
    Matrix M = base_.problem.M->gather(part);
    scale_rows(M, base_.problem.scale);
    L_transposed = HouseholderQr(stack_rows(L_transposed, transpose(M))).R();
  }
  return transpose(L_transposed);
}

PathSolution PathSolver::finish(std::vector<double> c) const {
  std::vector<double> fitted = work_.problem.M->combine(work_.positions, c);
  return finish(std::move(c), std::move(fitted));
}

PathSolution PathSolver::finish(std::vector<double> c, std::vector<double> fitted) const {
  std::vector<double> gap = std::move(fitted);
  for (std::size_t i = 0; i < gap.size(); ++i) gap[i] -= work_.problem.b[i];
  PathSolution solution;
  solution.residual = squared_norm(scaled(std::move(gap), work_.problem.scale)) + work_.problem.rest;
  solution.rank = work_.rows();
  solution.ridge = ridge_;
  solution.coefficients = std::move(c);
  return solution;
}

// c = M_Pᵀ G⁻¹ b, then c ← c + M_Pᵀ G⁻¹ (b − M_P c): the residual is taken with M itself, so that the error falls
// to that of an orthogonal solver although G has the square of M's condition number. How fast it falls tells whether G
// could be trusted: a correction of relative size ρ leaves an error of about ρ².
std::optional<PathSolution> PathSolver::solve_by_gram() {
  constexpr int most_refinements = 4;
  constexpr double converged = 1e-8;
  constexpr double hopeless = 1e-3;
  const CompressedProblem& problem = work_.problem;
  if (work_.gram.empty()) work_.gram = problem.M->gram(work_.positions);
  Matrix G = copy_lower_triangle(work_.gram);
  std::vector<double> shift;
  for (std::size_t i = 0; i < G.rows(); ++i) {
    shift.push_back(ridge_ / (problem.scale[i] * problem.scale[i]));
    G(i, i) += shift[i];
  }
  const auto factor = Cholesky::factor(std::move(G));
  if (!factor) return std::nullopt;

  std::vector<double> z = problem.b;
  factor->solve(z);
  std::vector<double> c(columns_.size(), 0.0);
  std::vector<double> fitted = problem.M->project_and_combine(work_.positions, z, c);
  double last = hopeless;
  for (int k = 0; k < most_refinements; ++k) {
    std::vector<double> step(fitted.size());
    for (std::size_t i = 0; i < step.size(); ++i) step[i] = problem.b[i] - fitted[i] - shift[i] * z[i];
    factor->solve(step);
    std::vector<double> correction = c;
    fitted = problem.M->project_and_combine(work_.positions, step, c);
    for (std::size_t j = 0; j < c.size(); ++j) correction[j] -= c[j];
    const double size = norm(correction) / std::max(norm(c), std::numeric_limits<double>::min());
    if (!(size <= last)) return std::nullopt;
    if (size <= converged) return finish(std::move(c), std::move(fitted));
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += step[i];
    last = size;
  }
  return std::nullopt;
}

// M_P as stored is an upper triangle.
std::optional<PathSolution> PathSolver::solve_by_triangle() const {
  const Matrix R = work_.gather_stored();
  if (!(triangle_rcond(R) > tolerance())) return std::nullopt;
  std::vector<double> c = work_.problem.b;
  solve_triangle(R, c, false);
  PathSolution solution;
  solution.residual = work_.problem.rest;
  solution.rank = c.size();
  for (const std::size_t position : work_.positions) solution.coefficients.push_back(c[position]);
  return solution;
}

// M_Pᵀ = Q R, so c = Q R⁻ᵀ b. A ridge adds the rows √λ I to M_Pᵀ.
std::optional<PathSolution> PathSolver::solve_by_householder(bool truncated) const {
  const std::size_t n = columns_.size();
  const std::size_t r = work_.rows();
  const Matrix M = work_.gather_unscaled();
  Matrix stacked = transpose(M);
  if (ridge_ > 0.0) {
    Matrix below(r, r);
    for (std::size_t i = 0; i < r; ++i) below(i, i) = std::sqrt(ridge_);
    stacked = stack_rows(stacked, below);
  }
  const HouseholderQr qr(std::move(stacked));
  const Matrix R = qr.R();
  if (ridge_ == 0.0 && !truncated && !(triangle_rcond(R) > tolerance())) return std::nullopt;
  std::vector<double> c = work_.unscaled_b();
  solve_triangle(R, c, true);
  c.resize(n + (ridge_ > 0.0 ? r : 0), 0.0);
  qr.apply(c);
  c.resize(n);
  return finish(std::move(c));
}

void PathSolver::choose_ridge() {
  ridge_ = options_.ridge;
  if (!options_.ridge_by_gcv) return;
  Matrix G = work_.gram.empty() ? work_.problem.M->gram(work_.positions) : Matrix(work_.gram);
  for (std::size_t j = 0; j < G.cols(); ++j) {
    for (std::size_t i = j; i < G.rows(); ++i) G(i, j) *= work_.problem.scale[i] * work_.problem.scale[j];
  }
  ridge_ = gcv_ridge(std::move(G), work_.unscaled_b(), work_.problem.rest, work_.problem.equations);
}

// λ of A_P A_Pᵀ/N_t, or of A_Pᵀ A_P/N_t once N_t < m.
void PathSolver::add_spectrum(PathSolution& solution) const {
  const std::size_t n = columns_.size();
  Matrix M = base_.gather_unscaled();
  Matrix triangle = M.rows() > M.cols() ? HouseholderQr(std::move(M)).R() : HouseholderQr(transpose(M)).R();
  const std::vector<double> sigma = singular_values(std::move(triangle));
  const auto count = static_cast<double>(n);
  solution.lambda_max = sigma.empty() ? 0.0 : sigma.front() * sigma.front() / count;
  const bool complete = sigma.size() == std::min(n, base_.problem.equations);  // Others are 0.
  solution.lambda_min = sigma.empty() || !complete ? 0.0 : sigma.back() * sigma.back() / count;
}

std::optional<PathSolution> PathSolver::solve_work(bool truncated) {
  if (work_.rows() == 0) return finish(std::vector<double>(columns_.size(), 0.0));
  if (work_.form == Form::triangle && ridge_ == 0.0) return solve_by_triangle();
  if (work_.form == Form::gram) {
    if (auto solution = solve_by_gram()) return solution;
    work_.form = Form::householder;
    work_.gram = LargeMatrix();
  }
  const bool hopeless = known_.dependent || columns_.size() > very_wide * work_.rows();
  if (hopeless && !truncated) return std::nullopt;
  return solve_by_householder(truncated);
}

PathSolution PathSolver::solve(const Columns& P) {
  keep_columns(P);
  std::optional<PathSolution> solution;
  bool truncated = false;
  if (columns_.size() < work_.rows()) {
    truncated = known_.dependent && options_.ridge == 0.0 && !options_.ridge_by_gcv;
    if (truncated) {
      solution = truncate();
    } else {
      reduce_to_triangle();
    }
  }
  choose_ridge();
  while (!solution) {
    solution = solve_work(truncated);
    if (solution) break;
    solution = truncate();
    truncated = true;
  }
  if (options_.spectrum) add_spectrum(*solution);
  return std::move(*solution);
}

}  // namespace shrimp

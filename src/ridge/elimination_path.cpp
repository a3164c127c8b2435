#include "ridge/elimination_path.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "linalg/dense.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

std::vector<std::size_t> numbers_below(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

double operations(std::size_t a, std::size_t b, std::size_t c) {
  return static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c);
}

// The lower triangle of the rows and columns given, with the ridge on its diagonal.
Matrix part_of(const Matrix& G, std::span<const std::size_t> which, double ridge) {
  const std::size_t n = which.size();
  Matrix own = Matrix::uninitialized(n, n);
  const auto take = [&](std::size_t j) {
    for (std::size_t i = j; i < n; ++i) own(i, j) = G(which[i], which[j]);
    own(j, j) += ridge;
  };
  parallel_for(n, take, operations(n, n, 1));
  return own;
}

// Of a matrix with all rows: enough for BLAS, and what a second does.
constexpr std::size_t columns_at_once = 256;

// Every part holds a few matrices of this size. Larger ones keep all threads busy by themselves.
constexpr std::size_t largest_at_once = 2048;

RidgeFit restricted(const RidgeFit& fit, std::span<const std::size_t> positions) {
  RidgeFit part = fit;
  part.columns.clear();
  for (const std::size_t k : positions) part.columns.push_back(fit.columns[k]);
  return part;
}

// Calls body with spans of so many at a time.
template <typename Body>
void in_blocks(std::span<const std::size_t> numbers, std::size_t block, const Body& body) {
  for (std::size_t first = 0; first < numbers.size(); first += block) {
    body(numbers.subspan(first, std::min(block, numbers.size() - first)));
  }
}

}  // namespace

struct EliminationPath::Part {
  std::vector<std::size_t> rows;
  std::vector<std::size_t> held_out;
  double ridge = 0.0;
  std::atomic<bool>* failed = nullptr;  // Of any part.
  double work = 0.0;
  std::vector<RidgeFit> steps;
  std::vector<std::vector<double>> squares;  // Of what each step leaves of the rows held out.
};

EliminationPath::EliminationPath(Matrix A, std::vector<double> y, std::span<const double> weights, double lambda,
                                 std::function<void()> check, const std::shared_ptr<Device>& device)
    : A_(std::move(A)),
      y_(std::move(y)),
      total_weight_(weights.empty() ? static_cast<double>(y_.size())
                                    : std::accumulate(weights.begin(), weights.end(), 0.0)),
      lambda_(lambda),
      check_(std::move(check)) {
  if (!weights.empty()) {
    std::vector<double> roots;
    for (const double weight : weights) roots.push_back(std::sqrt(weight));
    scale_rows(A_, roots);
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] *= roots[i];
  }
  const std::vector<std::size_t> rows = numbers_below(A_.rows());
  const std::vector<std::size_t> columns = numbers_below(A_.cols());
  if (is_wide()) {
    K_ = Matrix(A_.rows(), A_.rows());
    add_products(K_, 1.0, rows, columns);
    for (const std::size_t i : rows) smallest_lambda_ = std::max(smallest_lambda_, K_(i, i));
  } else {
    put_on(device);
    sums_ = sum_up(rows, columns);
    for (const std::size_t j : columns) smallest_lambda_ = std::max(smallest_lambda_, sums_->G(j, j));
  }
  // What adds nothing to the diagonal.
  smallest_lambda_ *= std::numeric_limits<double>::epsilon();
  work_ = 0.5 * operations(A_.rows(), A_.cols(), std::min(A_.rows(), A_.cols()));
}

Matrix EliminationPath::gather(std::span<const std::size_t> rows, std::span<const std::size_t> columns) const {
  Matrix own = Matrix::uninitialized(rows.size(), columns.size());
  const auto take = [&](std::size_t j) {
    for (std::size_t i = 0; i < rows.size(); ++i) own(i, j) = A_(rows[i], columns[j]);
  };
  parallel_for(columns.size(), take, operations(rows.size(), columns.size(), 1));
  return own;
}

// Of fewer columns, the rows take longer to get there than to be summed up here.
void EliminationPath::put_on(const std::shared_ptr<Device>& device) {
  constexpr std::size_t fewest_columns = 256;
  if (device == nullptr || A_.cols() < fewest_columns) return;
  try {
    there_.emplace(device, A_, y_);
  } catch (const DeviceMemoryError&) {
  }
}

NormalEquations EliminationPath::sum_up(std::span<const std::size_t> rows, std::span<const std::size_t> columns) const {
  try {
    if (there_ && columns.size() == A_.cols()) return there_->sum_up(rows);
  } catch (const DeviceMemoryError&) {
  }
  // A block of rows at a time: a copy of all would double the memory.
  constexpr std::size_t block = 2048;
  NormalEquations sums(columns.size());
  in_blocks(rows, block, [&](std::span<const std::size_t> own) {
    look_up();
    std::vector<double> y;
    for (const std::size_t i : own) y.push_back(y_[i]);
    sums.add_transposed(transpose(gather(own, columns)), y, static_cast<double>(own.size()));
  });
  return sums;
}

/// K ← K ± A Aᵀ of these rows and columns.
void EliminationPath::add_products(Matrix& K, double sign, std::span<const std::size_t> rows,
                                   std::span<const std::size_t> columns) const {
  in_blocks(columns, columns_at_once, [&](std::span<const std::size_t> own) {
    look_up();
    add_gram(K, sign, gather(rows, own));
  });
}

// Fits the step's columns through K.
void EliminationPath::fit_wide(const Cholesky& K, const Part& part, RidgeFit& step) const {
  std::vector<double> z;
  for (const std::size_t i : part.rows) z.push_back(y_[i]);
  K.solve(z);
  step.coefficients.clear();
  in_blocks(step.columns, columns_at_once, [&](std::span<const std::size_t> own) {
    for (const double c : multiply_transposed(gather(part.rows, own), z)) step.coefficients.push_back(c);
  });
  step.rank = part.rows.size();
}

// By B = L⁻¹A_P with L Lᵀ = K: λM⁻¹ = I − BᵀB.
std::vector<std::size_t> EliminationPath::eliminate_wide(const Cholesky& K, const Part& part, const RidgeFit& step,
                                                         const EliminationRule& rule) const {
  std::vector<InverseBlock> blocks;
  for (std::vector<std::size_t>& positions : blocks_of(step.columns, rule)) {
    look_up();
    std::vector<std::size_t> columns;
    for (const std::size_t k : positions) columns.push_back(step.columns[k]);
    Matrix B = gather(part.rows, columns);
    K.solve_lower(B);
    Matrix inverse(columns.size(), columns.size());
    add_gram_of_columns(inverse, B);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      inverse(j, j) -= 1.0;
      for (std::size_t i = j; i < columns.size(); ++i) inverse(j, i) = inverse(i, j) /= -part.ridge;
    }
    blocks.push_back({std::move(positions), std::move(inverse)});
  }
  return eliminate(std::move(blocks), step.coefficients, step.columns, rule);
}

// Gives the factorised matrix of the equations.
std::optional<Cholesky> EliminationPath::solve(const NormalEquations& sums, std::span<const std::size_t> places,
                                               Part& part, RidgeFit& step) const {
  const std::size_t n = step.columns.size();
  std::vector<std::size_t> own;
  step.coefficients.clear();
  for (const std::size_t column : step.columns) {
    own.push_back(places[column]);
    step.coefficients.push_back(sums.target.products[own.back()]);
  }
  step.rank = n;
  std::optional<Cholesky> L = Cholesky::factor(part_of(sums.G, own, part.ridge));
  if (L) L->solve(step.coefficients);
  part.work += operations(n, n, n) / 6.0;
  return L;
}

void EliminationPath::record(RidgeFit& step, Part& part) const {
  step.lambda = part.ridge;
  const auto gaps = [&](const Matrix& A, std::span<const std::size_t> columns, std::vector<double> y) {
    add_scaled(y, -1.0, combine_columns(A, columns, step.coefficients));
    for (double& gap : y) gap *= gap;
    return y;
  };
  if (part.held_out.empty()) {
    const std::vector<double> squares = gaps(A_, step.columns, y_);
    step.train_mse = std::accumulate(squares.begin(), squares.end(), 0.0) / total_weight_;
  } else {
    std::vector<double> y;
    for (const std::size_t i : part.held_out) y.push_back(y_[i]);
    part.squares.push_back(gaps(gather(part.held_out, step.columns), numbers_below(step.columns.size()), y));
  }
  part.steps.push_back(step);
}

// While columns are many more than rows. Whether all went well; the path has ended where nothing more may go.
bool EliminationPath::walk_wide(Part& part, const EliminationRule& rule, RidgeFit& step, bool& ended) const {
  Matrix K = part_of(K_, part.rows, 0.0);
  while (is_wide(part.rows.size(), step.columns.size())) {
    look_up();
    const auto factor = Cholesky::factor(part_of(K, numbers_below(K.rows()), part.ridge));
    if (!factor || *part.failed) return false;
    fit_wide(*factor, part, step);
    record(step, part);
    const std::vector<std::size_t> kept = eliminate_wide(*factor, part, step, rule);
    part.work += operations(K.rows(), K.rows(), K.rows() / 6 + step.columns.size() / 2);
    ended = kept.size() == step.columns.size();
    if (ended) return true;
    const RidgeFit before = std::exchange(step, restricted(step, kept));
    if (!is_wide(part.rows.size(), step.columns.size())) break;
    std::vector<std::size_t> gone;
    std::ranges::set_difference(before.columns, step.columns, std::back_inserter(gone));
    const bool few_go = gone.size() < step.columns.size();
    if (!few_go) K = Matrix(K.rows(), K.rows());
    add_products(K, few_go ? -1.0 : 1.0, part.rows, few_go ? gone : step.columns);
    part.work += operations(K.rows(), K.rows(), std::min(gone.size(), step.columns.size())) / 2.0;
  }
  return true;
}

// Whether every matrix was positive definite.
bool EliminationPath::walk(Part& part, const EliminationRule& rule) const {
  RidgeFit step;
  step.columns = numbers_below(A_.cols());
  bool ended = false;
  if (is_wide() && !walk_wide(part, rule, step, ended)) return false;
  if (ended) return true;
  std::vector<std::size_t> places(A_.cols());
  for (std::size_t k = 0; k < step.columns.size(); ++k) places[step.columns[k]] = k;
  std::optional<NormalEquations> own;
  if (is_wide()) {
    own = sum_up(part.rows, step.columns);
    part.work += operations(part.rows.size(), step.columns.size(), step.columns.size()) / 2.0;
  } else if (!part.held_out.empty()) {
    own = sums_->without(sum_up(part.held_out, step.columns));
  }
  const NormalEquations& sums = own ? *own : *sums_;
  while (!step.columns.empty()) {
    look_up();
    const std::optional<Cholesky> M = solve(sums, places, part, step);
    if (!M || *part.failed) return false;
    record(step, part);
    const std::vector<std::size_t> kept = eliminate(*M, step.coefficients, step.columns, rule);
    part.work += operations(step.columns.size(), step.columns.size(), step.columns.size()) / 3.0;
    if (kept.size() == step.columns.size()) return true;
    step = restricted(step, kept);
  }
  step.coefficients.clear();
  step.rank = 0;
  record(step, part);
  return true;
}

// λ may be less than rounding beside columns of many terms: then the least that is not takes its place, for all parts.
void EliminationPath::walk_all(std::vector<Part>& parts, const EliminationRule& rule) const {
  for (double ridge = std::max(lambda_, smallest_lambda_); std::isfinite(ridge); ridge *= 10.0) {
    std::atomic<bool> failed = false;
    const auto walk_one = [&](std::size_t k) {
      parts[k].ridge = ridge;
      parts[k].failed = &failed;
      parts[k].steps.clear();
      parts[k].squares.clear();
      if (!walk(parts[k], rule)) failed = true;
    };
    if (std::min(A_.rows(), A_.cols()) <= largest_at_once) {
      parallel_for(parts.size(), walk_one);
    } else {
      for (std::size_t k = 0; k < parts.size(); ++k) walk_one(k);
    }
    for (Part& part : parts) work_ += std::exchange(part.work, 0.0);
    if (!failed) return;
  }
  throw std::logic_error("random features with NaN or infinite values");
}

RidgeFit EliminationPath::fit() const { return steps({std::vector<bool>(A_.cols(), true), 0.5, {}}).front(); }

std::vector<RidgeFit> EliminationPath::steps(const EliminationRule& rule) const {
  std::vector<Part> parts(1);
  parts.front().rows = numbers_below(A_.rows());
  walk_all(parts, rule);
  return parts.front().steps;
}

RowErrors EliminationPath::errors_on(const RidgeFit& step, const Matrix& A, std::span<const double> y,
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

ValidatedPath EliminationPath::validate(const EliminationRule& rule, std::span<const RowSplit> folds) const {
  std::vector<Part> parts(1 + folds.size());
  parts.front().rows = numbers_below(A_.rows());
  for (std::size_t k = 0; k < folds.size(); ++k) {
    parts[1 + k].rows = folds[k].train;
    parts[1 + k].held_out = folds[k].held_out;
  }
  walk_all(parts, rule);
  ValidatedPath path;
  // Paths are of one length unless rounding kept a column from being dropped in time.
  std::size_t count = std::numeric_limits<std::size_t>::max();
  for (const Part& part : parts) count = std::min(count, part.steps.size());
  path.steps = std::move(parts.front().steps);
  path.steps.resize(count);
  const double rows = static_cast<double>(A_.rows());
  for (std::size_t t = 0; t < count; ++t) {
    RowErrors errors{std::vector<double>(A_.rows()), 0.0};
    for (const Part& part : std::span(parts).subspan(1)) {
      for (std::size_t k = 0; k < part.held_out.size(); ++k) {
        errors.squares[part.held_out[k]] = part.squares[t][k] * rows / total_weight_;
      }
    }
    errors.mean = std::accumulate(errors.squares.begin(), errors.squares.end(), 0.0) / rows;
    path.errors.push_back(std::move(errors));
  }
  return path;
}

}  // namespace shrimp

#include "ridge/elimination_path.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

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

// Enough for BLAS, and at most about a second of work with all rows. Chosen by hand.
constexpr std::size_t columns_at_once = 256;

// Parts with matrices up to this size run in parallel: each holds a few, and larger ones keep all threads busy by
// themselves. Chosen by hand.
constexpr std::size_t largest_at_once = 2048;

// Calls body with successive spans of `block` numbers.
template <typename Body>
void in_blocks(std::span<const std::size_t> numbers, std::size_t block, const Body& body) {
  for (std::size_t first = 0; first < numbers.size(); first += block) {
    body(numbers.subspan(first, std::min(block, numbers.size() - first)));
  }
}

}  // namespace

// One path: all rows, or the training rows of a fold.
struct EliminationPath::Part {
  std::vector<std::size_t> rows;
  std::vector<std::size_t> held_out;
  double lambda = 0.0;
  std::atomic<bool>* failed = nullptr;  // Shared by all parts.
  double work = 0.0;
  std::vector<RidgeFit> steps;
  std::vector<std::vector<double>> squares;  // Squared residuals of the held-out rows at each step.
  Matrix K;                                  // Dual equations of `columns_of_K`, without λ.
  std::vector<std::size_t> columns_of_K;
  std::optional<NormalEquations> own;  // Primal equations of the part; those of all rows otherwise.
  std::vector<std::size_t> places;     // Of the columns of A in the primal equations; empty before the first use.
};

EliminationPath::EliminationPath(Matrix A, std::vector<double> y, std::span<const double> weights, double lambda,
                                 std::function<void()> check, const std::shared_ptr<Device>& device)
    : A_(std::move(A)),
      y_(std::move(y)),
      total_weight_(weights.empty() ? static_cast<double>(y_.size())
                                    : std::accumulate(weights.begin(), weights.end(), 0.0)),
      lambda_(lambda),
      check_(check ? std::move(check) : [] {}) {
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
    // With fewer columns, the transfer of the rows takes longer than the sums here. Chosen by hand.
    constexpr std::size_t fewest_columns = 256;
    try {
      if (device != nullptr && A_.cols() >= fewest_columns) there_.emplace(device, A_, y_);
    } catch (const DeviceMemoryError&) {
    }
    sums_ = sum_up(rows, columns);
    for (const std::size_t j : columns) smallest_lambda_ = std::max(smallest_lambda_, sums_->G(j, j));
  }
  // Less than this would not change the diagonal.
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

NormalEquations EliminationPath::sum_up(std::span<const std::size_t> rows, std::span<const std::size_t> columns) const {
  try {
    if (there_ && columns.size() == A_.cols()) return there_->sum_up(rows);
  } catch (const DeviceMemoryError&) {
  }
  // Block by block: a copy of all rows would double the memory.
  constexpr std::size_t block = 2048;
  NormalEquations sums(columns.size());
  in_blocks(rows, block, [&](std::span<const std::size_t> own) {
    check_();
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
    check_();
    add_gram(K, sign, gather(rows, own));
  });
}

// Adds or subtracts columns, whichever are fewer.
void EliminationPath::update_dual(Part& part, const std::vector<std::size_t>& columns) const {
  if (part.K.empty()) {
    part.K = principal_submatrix(K_, part.rows);
    part.columns_of_K = columns;
    return;
  }
  std::vector<std::size_t> gone;
  std::ranges::set_difference(part.columns_of_K, columns, std::back_inserter(gone));
  const std::size_t m = part.rows.size();
  const bool few_go = gone.size() < columns.size();
  if (!few_go) part.K = Matrix(m, m);
  add_products(part.K, few_go ? -1.0 : 1.0, part.rows, few_go ? gone : columns);
  part.work += operations(m, m, std::min(gone.size(), columns.size())) / 2.0;
  part.columns_of_K = columns;
}

// With B = L⁻¹A_P and L Lᵀ = K: λM⁻¹ = I − BᵀB.
std::optional<std::vector<InverseBlock>> EliminationPath::fit_dual(Part& part, const EliminationRule& rule,
                                                                   RidgeFit& fit) const {
  update_dual(part, fit.columns);
  const std::optional<Cholesky> K = factor_ridge(copy_lower_triangle(part.K), part.lambda);
  if (!K) return std::nullopt;
  std::vector<double> z;
  for (const std::size_t i : part.rows) z.push_back(y_[i]);
  K->solve(z);
  fit.coefficients.clear();
  in_blocks(fit.columns, columns_at_once, [&](std::span<const std::size_t> own) {
    for (const double c : multiply_transposed(gather(part.rows, own), z)) fit.coefficients.push_back(c);
  });
  fit.rank = part.rows.size();
  std::vector<InverseBlock> blocks;
  for (std::vector<std::size_t>& positions : blocks_of(fit.columns, rule)) {
    check_();
    std::vector<std::size_t> columns;
    for (const std::size_t k : positions) columns.push_back(fit.columns[k]);
    Matrix B = gather(part.rows, columns);
    K->solve_lower(B);
    Matrix inverse(columns.size(), columns.size());
    add_gram_of_columns(inverse, B);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      inverse(j, j) -= 1.0;
      for (std::size_t i = j; i < columns.size(); ++i) inverse(j, i) = inverse(i, j) /= -part.lambda;
    }
    blocks.push_back({std::move(positions), std::move(inverse)});
  }
  part.work += operations(part.rows.size(), part.rows.size(), part.rows.size() / 6 + fit.columns.size() / 2);
  return blocks;
}

std::optional<std::vector<InverseBlock>> EliminationPath::fit_primal(Part& part, const EliminationRule& rule,
                                                                     RidgeFit& fit) const {
  const std::size_t n = fit.columns.size();
  if (part.places.empty()) {
    part.K = Matrix();
    part.places.resize(A_.cols());
    for (std::size_t k = 0; k < n; ++k) part.places[fit.columns[k]] = k;
    if (is_wide()) {
      part.own = sum_up(part.rows, fit.columns);
      part.work += operations(part.rows.size(), n, n) / 2.0;
    } else if (!part.held_out.empty()) {
      part.own = sums_->without(sum_up(part.held_out, fit.columns));
    }
  }
  const NormalEquations& sums = part.own ? *part.own : *sums_;
  std::vector<std::size_t> places;
  for (const std::size_t column : fit.columns) places.push_back(part.places[column]);
  const std::optional<Cholesky> M = fit_columns(sums.G, sums.target.products, places, fit);
  if (!M) return std::nullopt;
  part.work += operations(n, n, n) / 6.0 + operations(n, n, n) / 3.0;
  return inverse_blocks(*M, fit.columns, rule);
}

void EliminationPath::record(const RidgeFit& fit, Part& part) const {
  RidgeFit step = fit;
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
  part.steps.push_back(std::move(step));
}

void EliminationPath::walk(Part& part, const EliminationRule& rule) const {
  part.steps.clear();
  part.squares.clear();
  RidgeFit all;
  all.columns = numbers_below(A_.cols());
  all.lambda = part.lambda;
  eliminate_backward(
      std::move(all), rule,
      [&](RidgeFit& fit) {
        check_();
        const bool wide = is_wide() && is_wide(part.rows.size(), fit.columns.size());
        auto blocks = wide ? fit_dual(part, rule, fit) : fit_primal(part, rule, fit);
        if (!blocks && !fit.columns.empty()) *part.failed = true;
        return *part.failed ? std::nullopt : std::move(blocks);
      },
      [&](const RidgeFit& fit) {
        if (!*part.failed) record(fit, part);
      });
  part.K = Matrix();
  part.own.reset();
  part.places.clear();
}

// λ may be less than the rounding of columns of many terms. It is then raised for all parts.
void EliminationPath::walk_all(std::vector<Part>& parts, const EliminationRule& rule) const {
  double start = std::max(lambda_, smallest_lambda_);
  raise_lambda(start, [&](double lambda) {
    std::atomic<bool> failed = false;
    const auto walk_one = [&](std::size_t k) {
      parts[k].lambda = lambda;
      parts[k].failed = &failed;
      walk(parts[k], rule);
    };
    if (std::min(A_.rows(), A_.cols()) <= largest_at_once) {
      parallel_for(parts.size(), walk_one);
    } else {
      for (std::size_t k = 0; k < parts.size(); ++k) walk_one(k);
    }
    for (Part& part : parts) work_ += std::exchange(part.work, 0.0);
    return !failed;
  });
}

RidgeFit EliminationPath::fit() const { return steps({std::vector<bool>(A_.cols(), true), 0.5, {}}).front(); }

std::vector<RidgeFit> EliminationPath::steps(const EliminationRule& rule) const {
  std::vector<Part> parts(1);
  parts.front().rows = numbers_below(A_.rows());
  walk_all(parts, rule);
  return parts.front().steps;
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
  // Paths have equal lengths unless rounding delayed the removal of a column.
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

#include "ridge/leave_one_out_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "linalg/dense.hpp"
#include "linalg/small.hpp"
#include "ridge/lambda_search.hpp"
#include "ridge/solve.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

Condensed condense(const Matrix& B, double lambda) {
  // Dropping a direction of this eigenvalue changes the log marginal likelihood by half the fraction of λ.
  constexpr double fraction_of_lambda = 1e-3;
  constexpr double fraction_of_rounding = 1e-16;
  Matrix G(B.cols(), B.cols());
  add_gram(G, 1.0, transpose(B));
  double trace = 0.0;
  for (std::size_t j = 0; j < G.cols(); ++j) trace += G(j, j);
  const auto [values, Q] = symmetric_eigen(std::move(G));
  const double least = std::max(fraction_of_lambda * lambda, fraction_of_rounding * trace);
  const auto below = static_cast<std::size_t>(std::ranges::lower_bound(values, least) - values.begin());
  std::vector<std::size_t> kept;
  for (std::size_t j = std::min(below, values.size() - 1); j < values.size(); ++j) kept.push_back(j);
  Matrix few = gather_columns(Q, kept);
  return {multiply(B, few), std::move(few)};
}

LeaveOneOutRidge::LeaveOneOutRidge(std::span<const double> y, std::span<const double> roots, double lambda,
                                   GroupStarts starts)
    : roots_(roots.begin(), roots.end()),
      constant_(roots_),
      lambda_(lambda),
      starts_(std::move(starts)),
      parts_(y.size(), 1.0, starts_) {
  if (constant_.empty()) constant_.assign(y.size(), 1.0);
  total_weight_ = squared_norm(constant_);
  for (double& value : constant_) value /= std::sqrt(total_weight_);
  Matrix column = Matrix::uninitialized(y.size(), 1);
  std::ranges::copy(y, column.col(0).begin());
  centre(column);
  y_.assign(column.col(0).begin(), column.col(0).end());
  factor();
}

void LeaveOneOutRidge::centre(Matrix& B) const {
  if (!roots_.empty()) scale_rows(B, roots_);
  const std::vector<double> means = multiply_transposed(B, constant_);
  for (std::size_t j = 0; j < B.cols(); ++j) add_scaled(B.col(j), -means[j], constant_);
}

void LeaveOneOutRidge::add(Matrix B) {
  const bool extended = extend(B);
  blocks_.push_back(std::move(B));
  if (!extended) gather();
}

// With Φ' = [Φ B]: L' = [L 0; Y T] with Y = BᵀΦ L⁻ᵀ = (V B)ᵀ and T Tᵀ = BᵀB + λI − Y Yᵀ; V gets the rows T⁻¹(Bᵀ − Y V).
bool LeaveOneOutRidge::extend(const Matrix& B) {
  const std::size_t n = columns_;
  const std::size_t k = B.cols();
  if (n == 0 || V_.empty() || is_wide() || 5 * (n + k) > 8 * rows()) return false;
  const Matrix VB = multiply(V_, B);
  Matrix F = transpose(B);
  Matrix corner = multiply(F, B);
  const Matrix cross = transpose(multiply(Phi_t_, B));
  Matrix own(corner);
  for (std::size_t j = 0; j < k; ++j) own(j, j) += lambda_;
  const Matrix known = multiply_transposed(VB, VB);
  for (std::size_t j = 0; j < k; ++j) add_scaled(own.col(j), -1.0, known.col(j));
  const auto T = Cholesky::factor(std::move(own));
  if (!T) return false;
  const Matrix YV = multiply_transposed(VB, V_);
  for (std::size_t i = 0; i < F.cols(); ++i) add_scaled(F.col(i), -1.0, YV.col(i));
  T->solve_lower(F);
  Phi_t_ = stack_rows(Phi_t_, transpose(B));
  V_ = stack_rows(V_, F);
  Matrix G(n + k, n + k);
  for (std::size_t j = 0; j < n; ++j) {
    std::copy_n(G_.col(j).data() + j, n - j, &G(j, j));
    std::copy_n(cross.col(j).data(), k, &G(n, j));
  }
  for (std::size_t j = 0; j < k; ++j) std::copy_n(corner.col(j).data() + j, k - j, &G(n + j, n + j));
  G_ = std::move(G);
  L_ = L_->bordered(transpose(VB), *T);
  columns_ += k;
  const auto width = static_cast<double>(k);
  work_ += static_cast<double>(rows()) * width * (6.0 * static_cast<double>(n) + 3.0 * width);
  add_scaled(residual_, -1.0, multiply_transposed(F, multiply(F, y_)));
  parts_.add_squares(-1.0, F);
  set_errors();
  return true;
}

void LeaveOneOutRidge::replace_all(std::vector<Matrix> blocks, double lambda) {
  blocks_ = std::move(blocks);
  lambda_ = lambda;
  gather();
}

// Only the rows and columns of the block leave ΦᵀΦ.
void LeaveOneOutRidge::remove(std::size_t block) {
  const bool known = columns_ > 0 && !is_wide();
  std::size_t first = 0;
  for (std::size_t k = 0; k < block; ++k) first += blocks_[k].cols();
  const std::size_t count = blocks_[block].cols();
  blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(block));
  if (!known || columns_ == count) return gather();
  std::vector<std::size_t> kept;
  for (std::size_t j = 0; j < columns_; ++j) {
    if (j < first || j >= first + count) kept.push_back(j);
  }
  G_ = principal_submatrix(G_, kept);
  Phi_t_ = gather_rows(Phi_t_, kept);
  columns_ = kept.size();
  factor();
}

void LeaveOneOutRidge::set_lambda(double lambda) {
  lambda_ = lambda;
  factor();
}

void LeaveOneOutRidge::tune_lambda() {
  if (columns_ == 0) return;
  const double smallest_by_rounding = least_lambda(rows());
  constexpr double smallest_by_noise = 1e-3;  // Relative to the error. Chosen by hand.
  constexpr double largest = 1e9;
  constexpr int most_steps = 100;  // More than lie between the bounds.
  while (std::isinf(error()) && lambda_ < largest) set_lambda(lambda_step * lambda_);
  TriedLambda best{lambda_, error()};
  const auto attempt = [&](double next) -> std::optional<TriedLambda> {
    const double smallest = std::max(smallest_by_rounding, smallest_by_noise * best.error);
    if (next > largest || next < smallest) return std::nullopt;
    set_lambda(next);
    return TriedLambda{next, error()};
  };
  for (const double factor : {lambda_step, 1.0 / lambda_step}) {
    const bool moved = walk_lambda(best, factor, most_steps, attempt);
    if (lambda_ != best.lambda) set_lambda(best.lambda);
    if (moved) break;
  }
}

void LeaveOneOutRidge::gather() {
  columns_ = 0;
  for (const Matrix& B : blocks_) columns_ += B.cols();
  const auto m = static_cast<double>(rows());
  const auto n = static_cast<double>(columns_);
  if (is_wide()) {
    Phi_t_ = Matrix();
    G_ = Matrix(rows(), rows());
    for (const Matrix& B : blocks_) add_gram(G_, 1.0, B);
    work_ += m * m * n;
  } else {
    Matrix Phi = Matrix::uninitialized(rows(), columns_);
    std::size_t first = 0;
    for (const Matrix& B : blocks_) {
      std::copy_n(B.data(), B.rows() * B.cols(), Phi.data() + first * rows());
      first += B.cols();
    }
    Phi_t_ = transpose(Phi);
    G_ = Matrix(columns_, columns_);
    add_gram(G_, 1.0, Phi_t_);
    work_ += n * n * m;
  }
  factor();
}

// K is 0 along the constant, where a small λ alone would be lost in rounding. The constant is added with weight 1;
// factor() subtracts λ/(1 + λ) from R again.
Matrix LeaveOneOutRidge::wide_root(Matrix K) const {
  for (std::size_t j = 0; j < rows(); ++j) {
    for (std::size_t i = j; i < rows(); ++i) K(i, j) += constant_[i] * constant_[j];
  }
  const auto L = factor_ridge(std::move(K), lambda_);
  const auto m = static_cast<double>(rows());
  work_ += 4.0 / 3.0 * m * m * m;
  if (!L) return {};
  Matrix root(rows(), rows());
  for (std::size_t i = 0; i < rows(); ++i) root(i, i) = std::sqrt(lambda_);
  L->solve_lower(root);
  return root;
}

void LeaveOneOutRidge::factor() {
  V_ = Matrix();  // It stays empty if the factorisation fails.
  residual_ = y_;
  errors_ = {{}, infinite, starts_};
  if (columns_ > 0 && is_wide()) {
    V_ = wide_root(Matrix(G_));
    if (V_.empty()) return;
    residual_ = multiply_transposed(V_, multiply(V_, y_));
    parts_ = ResidualMaker(rows(), 0.0, starts_);
    parts_.add_square(-lambda_ / (1.0 + lambda_), constant_);
    parts_.add_squares(1.0, V_);
    set_errors();
    return;
  }
  parts_ = ResidualMaker(rows(), 1.0, starts_);
  parts_.add_square(-1.0, constant_);
  if (columns_ > 0) {
    L_ = factor_ridge(Matrix(G_), lambda_);
    if (!L_) return;
    const auto n = static_cast<double>(columns_);
    work_ += n * n * n / 3.0 + n * n * static_cast<double>(rows());
    V_ = Matrix(Phi_t_);
    L_->solve_lower(V_);
    add_scaled(residual_, -1.0, multiply_transposed(V_, multiply(V_, y_)));
    parts_.add_squares(-1.0, V_);
  }
  set_errors();
}

void LeaveOneOutRidge::set_errors() { errors_ = errors_of(residual_, parts_); }

RowErrors LeaveOneOutRidge::errors_of(std::span<const double> residual, const ResidualMaker& parts) const {
  RowErrors errors{{}, infinite, starts_};
  const auto left_out = parts.errors(residual);
  if (!left_out) return errors;
  errors.mean = 0.0;
  const auto m = static_cast<double>(residual.size());
  for (const double error : *left_out) {
    errors.squares.push_back(error * error * m / total_weight_);
    errors.mean += errors.squares.back() / m;
  }
  return errors;
}

double LeaveOneOutRidge::unexplained(std::span<const double> residual) const {
  constexpr double fraction_of_rounding = 1e-15;
  return std::max(std::inner_product(y_.begin(), y_.end(), residual.begin(), 0.0),
                  fraction_of_rounding * squared_norm(y_));
}

double LeaveOneOutRidge::log_marginal_likelihood_of(std::span<const double> residual, double log_determinant) const {
  return -0.5 * (static_cast<double>(rows() - 1) * std::log(unexplained(residual)) + log_determinant);
}

// √λ L⁻¹ has the diagonal √λ / L_ii. Along the constant, K has the eigenvalue 1 + λ instead of λ.
double LeaveOneOutRidge::wide_log_determinant(const Matrix& root) const {
  double log_determinant = std::log(lambda_ / (1.0 + lambda_));
  for (std::size_t i = 0; i < rows(); ++i) log_determinant -= 2.0 * std::log(root(i, i));
  return log_determinant;
}

double LeaveOneOutRidge::log_marginal_likelihood() const {
  if (columns_ == 0) return log_marginal_likelihood_of(residual_, 0.0);
  if (V_.empty()) return -infinite;
  if (is_wide()) return log_marginal_likelihood_of(residual_, wide_log_determinant(V_));
  return log_marginal_likelihood_of(residual_,
                                    L_->log_determinant() - static_cast<double>(columns_) * std::log(lambda_));
}

double LeaveOneOutRidge::noise_over_lambda() const {
  return unexplained(residual_) / static_cast<double>(rows() - 1) / lambda_;
}

// With q = yᵀR y: d log det(I + ΦΦᵀ/λ) = 2 tr(ΦᵀR dΦ)/λ, and dq = −2 (Φᵀr)ᵀ(dΦᵀr)/λ for r = R y.
std::vector<Matrix> LeaveOneOutRidge::marginal_likelihood_gradient() const {
  if (V_.empty()) return {};
  Matrix RPhi;  // R Φ = λΦ(ΦᵀΦ + λI)⁻¹.
  if (!is_wide()) {
    RPhi = Matrix(V_);
    L_->solve_lower_transposed(RPhi);
    scale_rows(RPhi, std::vector<double>(columns_, lambda_));
    work_ += static_cast<double>(columns_ * columns_) * static_cast<double>(rows());
    RPhi = transpose(RPhi);
  }
  const double weight = static_cast<double>(rows() - 1) / unexplained(residual_);
  std::vector<std::size_t> firsts = {0};
  for (const Matrix& B : blocks_) {
    if (is_wide()) count_work_with(B);
    firsts.push_back(firsts.back() + B.cols());
  }
  std::vector<Matrix> slopes(blocks_.size());
  parallel_for(blocks_.size(), [&](std::size_t k) {
    const Matrix& B = blocks_[k];
    Matrix slope = is_wide() ? transpose(project(B, nullptr))
                             : Matrix(MatrixView{RPhi.col(firsts[k]).data(), rows(), B.cols(), rows()});
    const std::vector<double> Br = multiply_transposed(B, residual_);
    for (std::size_t j = 0; j < B.cols(); ++j) {
      add_scaled(slope.col(j), -weight * Br[j], residual_);
      for (double& value : slope.col(j)) value /= -lambda_;
    }
    slopes[k] = std::move(slope);
  });
  return slopes;
}

std::vector<LeaveOneOutRidge::RemovalEffect> LeaveOneOutRidge::removal_effects(
    std::span<const std::size_t> blocks) const {
  for (const std::size_t block : blocks) count_work_without(block);
  std::vector<RemovalEffect> effects(blocks.size());
  parallel_for(blocks.size(), [&](std::size_t k) {
    Without without = compute_without(blocks[k]);
    effects[k] = {std::move(without.errors), without.log_marginal_likelihood};
  });
  return effects;
}

std::vector<double> LeaveOneOutRidge::residual_without(std::size_t block) const {
  count_work_without(block);
  Without without = compute_without(block);
  return without.root.empty() ? residual_ : std::move(without.residual);
}

void LeaveOneOutRidge::count_work_without(std::size_t block) const {
  const std::size_t count = blocks_[block].cols();
  const std::size_t of_a_column =
      is_wide() ? rows() * (4 * rows() + 2 * count) : (2 * rows() + columns_) * columns_ + 2 * rows() * count;
  work_ += static_cast<double>(of_a_column) * static_cast<double>(count);
}

LeaveOneOutRidge::Without LeaveOneOutRidge::compute_without(std::size_t block) const {
  Without result{{}, {}, parts_, {{}, infinite, starts_}, -infinite};
  if (V_.empty()) return result;
  double log_determinant = 0.0;
  if (is_wide()) {
    result.root = wide_growth_without(blocks_[block], log_determinant);
  } else {
    result.root = growth_without(block, log_determinant);
  }
  if (result.root.empty()) return result;
  result.residual = residual_;
  add_scaled(result.residual, 1.0, multiply_transposed(result.root, multiply(result.root, y_)));
  result.parts.add_squares(1.0, result.root);
  result.log_marginal_likelihood = log_marginal_likelihood_of(result.residual, log_determinant);
  result.errors = errors_of(result.residual, result.parts);
  return result;
}

// With Y = L⁻¹E for the block's columns E of the identity, the removal adds VᵀY(YᵀY)⁻¹YᵀV to R.
Matrix LeaveOneOutRidge::growth_without(std::size_t block, double& log_determinant) const {
  std::size_t first = 0;
  for (std::size_t k = 0; k < block; ++k) first += blocks_[k].cols();
  const std::size_t count = blocks_[block].cols();
  Matrix Y(columns_, count);
  for (std::size_t j = 0; j < count; ++j) Y(first + j, j) = 1.0;
  L_->solve_lower(Y);
  const auto T = Cholesky::factor(multiply_transposed(Y, Y));
  if (!T) return {};
  Matrix root = multiply_transposed(Y, V_);
  T->solve_lower(root);
  const auto left = static_cast<double>(columns_ - count);
  log_determinant = L_->log_determinant() + T->log_determinant() - left * std::log(lambda_);
  return root;
}

// The removal subtracts B Bᵀ from M = K + u uᵀ + λI. With S = I − BᵀM⁻¹B, it adds λ M⁻¹B S⁻¹BᵀM⁻¹ to R (Woodbury) and
// multiplies det M by det S. M⁻¹ = VᵀV/λ.
Matrix LeaveOneOutRidge::wide_growth_without(const Matrix& B, double& log_determinant) const {
  const std::size_t count = B.cols();
  Matrix P = multiply(V_, B);
  Matrix S = multiply_transposed(P, P);
  for (std::size_t j = 0; j < count; ++j) {
    for (double& value : S.col(j)) value /= -lambda_;
    S(j, j) += 1.0;
  }
  const auto T = Cholesky::factor(std::move(S));
  if (!T) return {};
  Matrix root = multiply_transposed(P, V_);
  T->solve_lower(root);
  scale_rows(root, std::vector<double>(count, 1.0 / std::sqrt(lambda_)));
  log_determinant = wide_log_determinant(V_) + T->log_determinant();
  return root;
}

Matrix LeaveOneOutRidge::project(const Matrix& B, const Without* without) const {
  Matrix BR;
  const auto add_product = [&](double sign, const Matrix& left, const Matrix& right) {
    const Matrix product = multiply_transposed(left, right);
    for (std::size_t i = 0; i < BR.cols(); ++i) add_scaled(BR.col(i), sign, product.col(i));
  };
  if (columns_ > 0 && is_wide()) {
    BR = multiply_transposed(multiply(V_, B), V_);
  } else {
    BR = transpose(B);
    if (columns_ > 0) add_product(-1.0, multiply(V_, B), V_);
  }
  if (without != nullptr) add_product(1.0, multiply(without->root, B), without->root);
  return BR;
}

std::vector<RowErrors> LeaveOneOutRidge::errors_with_each(std::span<const Matrix> blocks) const {
  std::vector<RowErrors> errors(blocks.size());
  for (const Matrix& B : blocks) count_work_with(B);
  parallel_for(blocks.size(), [&](std::size_t k) { errors[k] = compute_with(blocks[k], nullptr); });
  return errors;
}

std::vector<RowErrors> LeaveOneOutRidge::errors_with_replacements(std::span<const Matrix> others) const {
  std::vector<RowErrors> errors(others.size());
  for (std::size_t k = 0; k < others.size(); ++k) {
    if (others[k].empty()) continue;
    count_work_without(k);
    count_work_with(others[k]);
  }
  parallel_for(others.size(), [&](std::size_t k) {
    if (others[k].empty()) return;
    const Without without = compute_without(k);
    errors[k] = compute_with(others[k], &without);
  });
  return errors;
}

void LeaveOneOutRidge::count_work_with(const Matrix& B) const {
  const auto k = static_cast<double>(B.cols());
  work_ += static_cast<double>(rows()) * k * (4.0 * static_cast<double>(V_.rows()) + 3.0 * k);
}

RowErrors LeaveOneOutRidge::compute_with(const Matrix& B, const Without* without) const {
  if ((columns_ > 0 && V_.empty()) || (without != nullptr && without->root.empty())) return {{}, infinite, starts_};
  Matrix F = project(B, without);
  const auto T = factor_ridge(multiply(F, B), lambda_);
  if (!T) return {{}, infinite, starts_};
  T->solve_lower(F);
  std::vector<double> residual = without != nullptr ? without->residual : residual_;
  ResidualMaker parts = without != nullptr ? without->parts : parts_;
  add_scaled(residual, -1.0, multiply_transposed(F, multiply(F, y_)));
  parts.add_squares(-1.0, F);
  return errors_of(residual, parts);
}

RowErrors LeaveOneOutRidge::errors_for(std::span<const double> y) const {
  std::vector<double> residual(y.begin(), y.end());
  if (columns_ > 0) {
    const std::vector<double> projected = multiply_transposed(V_, multiply(V_, y));
    if (is_wide()) {
      residual = projected;
    } else {
      add_scaled(residual, -1.0, projected);
    }
  }
  return errors_of(residual, parts_);
}

}  // namespace shrimp

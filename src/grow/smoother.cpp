#include "grow/smoother.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "linalg/dense.hpp"
#include "linalg/small.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// Below it the diagonal of R is rounding.
constexpr double smallest_diagonal = 1e-9;

void add_squared_columns(std::span<double> sums, double sign, const Matrix& A) {
  for (std::size_t i = 0; i < A.cols(); ++i) sums[i] += sign * squared_norm(A.col(i));
}

Matrix with_diagonal(Matrix G, double lambda) {
  for (std::size_t j = 0; j < G.rows(); ++j) G(j, j) += lambda;
  return G;
}

}  // namespace

Condensed condense(const Matrix& B, double lambda) {
  constexpr double share_of_lambda = 1e-5;
  constexpr double share_of_rounding = 1e-16;
  Matrix G(B.cols(), B.cols());
  add_gram(G, 1.0, transpose(B));
  double trace = 0.0;
  for (std::size_t j = 0; j < G.cols(); ++j) trace += G(j, j);
  const auto [values, Q] = symmetric_eigen(std::move(G));
  const double least = std::max(share_of_lambda * lambda, share_of_rounding * trace);
  const auto below = static_cast<std::size_t>(std::ranges::lower_bound(values, least) - values.begin());
  std::vector<std::size_t> kept;
  for (std::size_t j = std::min(below, values.size() - 1); j < values.size(); ++j) kept.push_back(j);
  Matrix few = gather_columns(Q, kept);
  return {multiply(B, few), std::move(few)};
}

Smoother::Smoother(std::span<const double> y, std::span<const double> roots, double lambda)
    : roots_(roots.begin(), roots.end()), constant_(roots_), lambda_(lambda) {
  if (constant_.empty()) constant_.assign(y.size(), 1.0);
  total_weight_ = squared_norm(constant_);
  for (double& value : constant_) value /= std::sqrt(total_weight_);
  Matrix column = Matrix::uninitialized(y.size(), 1);
  std::ranges::copy(y, column.col(0).begin());
  centre(column);
  y_.assign(column.col(0).begin(), column.col(0).end());
  factor();
}

void Smoother::centre(Matrix& B) const {
  if (!roots_.empty()) scale_rows(B, roots_);
  const std::vector<double> means = multiply_transposed(B, constant_);
  for (std::size_t j = 0; j < B.cols(); ++j) add_scaled(B.col(j), -means[j], constant_);
}

void Smoother::add(Matrix B) {
  blocks_.push_back(std::move(B));
  gather();
}

void Smoother::replace(std::size_t block, Matrix B) {
  blocks_[block] = std::move(B);
  gather();
}

void Smoother::replace_all(std::vector<Matrix> blocks, double lambda) {
  blocks_ = std::move(blocks);
  lambda_ = lambda;
  gather();
}

void Smoother::remove(std::size_t block) {
  blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(block));
  gather();
}

void Smoother::set_lambda(double lambda) {
  lambda_ = lambda;
  factor();
}

void Smoother::tune_lambda() {
  if (columns_ == 0) return;
  const double step = std::sqrt(10.0);
  const double lowest_by_rounding = least_lambda(rows());
  constexpr double lowest_by_noise = 1e-3;
  constexpr double highest = 1e9;
  while (std::isinf(error()) && lambda_ < highest) set_lambda(step * lambda_);
  double best = error();
  const double start = lambda_;
  double kept = lambda_;
  for (const double factor : {step, 1.0 / step}) {
    while (true) {
      const double next = lambda_ * factor;
      if (next > highest || next < std::max(lowest_by_rounding, lowest_by_noise * error())) break;
      set_lambda(next);
      if (!(error() < best)) break;
      best = error();
      kept = lambda_;
    }
    if (lambda_ != kept) set_lambda(kept);
    if (kept != start) break;
  }
}

void Smoother::gather() {
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

// K does not see the constant, and λ alone would be lost beside it in rounding: the constant gets the weight 1, of
// which λ/(1 + λ) is taken out of R again.
Matrix Smoother::wide_root(Matrix K) const {
  for (std::size_t j = 0; j < rows(); ++j) {
    for (std::size_t i = j; i < rows(); ++i) K(i, j) += constant_[i] * constant_[j];
  }
  const auto L = Cholesky::factor(with_diagonal(std::move(K), lambda_));
  const auto m = static_cast<double>(rows());
  work_ += 4.0 / 3.0 * m * m * m;
  if (!L) return {};
  Matrix root(rows(), rows());
  for (std::size_t i = 0; i < rows(); ++i) root(i, i) = std::sqrt(lambda_);
  L->solve_lower(root);
  return root;
}

void Smoother::apply_wide(const Matrix& root, std::vector<double>& residual, std::vector<double>& diagonal) const {
  residual = multiply_transposed(root, multiply(root, y_));
  const double of_constant = lambda_ / (1.0 + lambda_);
  for (std::size_t i = 0; i < rows(); ++i) diagonal[i] = -of_constant * constant_[i] * constant_[i];
  add_squared_columns(diagonal, 1.0, root);
}

void Smoother::factor() {
  V_ = Matrix();  // Where a factor is not found there is none.
  residual_ = y_;
  diagonal_.assign(y_.size(), 1.0);
  for (std::size_t i = 0; i < y_.size(); ++i) diagonal_[i] -= constant_[i] * constant_[i];
  if (columns_ > 0 && is_wide()) {
    V_ = wide_root(Matrix(G_));
    if (V_.empty()) {
      errors_ = {{}, infinite};
      return;
    }
    apply_wide(V_, residual_, diagonal_);
  } else if (columns_ > 0) {
    L_ = Cholesky::factor(with_diagonal(Matrix(G_), lambda_));
    if (!L_) {
      errors_ = {{}, infinite};
      return;
    }
    const auto n = static_cast<double>(columns_);
    work_ += n * n * n / 3.0 + n * n * static_cast<double>(rows());
    V_ = Matrix(Phi_t_);
    L_->solve_lower(V_);
    add_scaled(residual_, -1.0, multiply_transposed(V_, multiply(V_, y_)));
    add_squared_columns(diagonal_, -1.0, V_);
  }
  errors_ = errors_of(residual_, diagonal_);
}

RowErrors Smoother::errors_of(std::span<const double> residual, std::span<const double> diagonal) const {
  RowErrors errors;
  const auto m = static_cast<double>(residual.size());
  errors.squares.assign(residual.size(), 0.0);
  for (std::size_t i = 0; i < residual.size(); ++i) {
    if (constant_[i] == 0.0) continue;  // A row of weight 0.
    if (!(diagonal[i] > smallest_diagonal)) {
      errors.mean = infinite;
      return errors;
    }
    errors.squares[i] = residual[i] / diagonal[i] * (residual[i] / diagonal[i]) * m / total_weight_;
    errors.mean += errors.squares[i] / m;
  }
  return errors;
}

double RowErrors::standard_error() const {
  const auto m = static_cast<double>(squares.size());
  double variance = 0.0;
  for (const double square : squares) variance += std::pow(square - mean, 2) / m;
  return std::sqrt(variance / m);
}

bool RowErrors::clearly_below(const RowErrors& other, double deviations) const {
  if (!(mean < other.mean)) return false;
  if (std::isinf(other.mean)) return true;
  const auto m = static_cast<double>(squares.size());
  double variance = 0.0;
  for (std::size_t i = 0; i < squares.size(); ++i) {
    variance += std::pow(other.squares[i] - squares[i] - (other.mean - mean), 2) / m;
  }
  return other.mean - mean > deviations * std::sqrt(variance / m);
}

double Smoother::unexplained(std::span<const double> residual) const {
  constexpr double share_of_rounding = 1e-15;
  return std::max(std::inner_product(y_.begin(), y_.end(), residual.begin(), 0.0),
                  share_of_rounding * squared_norm(y_));
}

double Smoother::evidence_of(std::span<const double> residual, double log_determinant) const {
  return -0.5 * (static_cast<double>(rows() - 1) * std::log(unexplained(residual)) + log_determinant);
}

// √λ L⁻¹ has the diagonal √λ / L_ii; in the constant's direction K has 1 + λ where it should have λ.
double Smoother::wide_log_determinant(const Matrix& root) const {
  double log_determinant = std::log(lambda_ / (1.0 + lambda_));
  for (std::size_t i = 0; i < rows(); ++i) log_determinant -= 2.0 * std::log(root(i, i));
  return log_determinant;
}

double Smoother::evidence() const {
  if (columns_ == 0) return evidence_of(residual_, 0.0);
  if (V_.empty()) return -infinite;
  if (is_wide()) return evidence_of(residual_, wide_log_determinant(V_));
  return evidence_of(residual_, L_->log_determinant() - static_cast<double>(columns_) * std::log(lambda_));
}

double Smoother::noise_over_lambda() const {
  return unexplained(residual_) / static_cast<double>(rows() - 1) / lambda_;
}

// With q = yᵀR y: d log det(I + ΦΦᵀ/λ) = 2 tr(ΦᵀR dΦ)/λ, and dq = −2 (Φᵀr)ᵀ(dΦᵀr)/λ for r = R y.
std::vector<Matrix> Smoother::evidence_slopes() const {
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
  std::vector<Matrix> slopes;
  std::size_t first = 0;
  for (const Matrix& B : blocks_) {
    Matrix slope = is_wide() ? transpose(project(B, nullptr)) : Matrix::uninitialized(rows(), B.cols());
    if (!is_wide()) std::copy_n(RPhi.col(first).data(), rows() * B.cols(), slope.data());
    const std::vector<double> Br = multiply_transposed(B, residual_);
    for (std::size_t j = 0; j < B.cols(); ++j) {
      add_scaled(slope.col(j), -weight * Br[j], residual_);
      for (double& value : slope.col(j)) value /= -lambda_;
    }
    slopes.push_back(std::move(slope));
    first += B.cols();
  }
  return slopes;
}

Smoother::Without Smoother::without(std::size_t block) const {
  count_work_without(block);
  return compute_without(block);
}

std::vector<Smoother::Verdict> Smoother::without_each() const {
  for (std::size_t k = 0; k < blocks_.size(); ++k) count_work_without(k);
  std::vector<Verdict> verdicts(blocks_.size());
  parallel_over(blocks_.size(), [&](std::size_t k) {
    Without without = compute_without(k);
    verdicts[k] = {std::move(without.errors), without.evidence};
  });
  return verdicts;
}

void Smoother::count_work_without(std::size_t block) const {
  const std::size_t count = blocks_[block].cols();
  const std::size_t of_a_column =
      is_wide() ? rows() * (4 * rows() + 2 * count) : (2 * rows() + columns_) * columns_ + 2 * rows() * count;
  work_ += static_cast<double>(of_a_column) * static_cast<double>(count);
}

Smoother::Without Smoother::compute_without(std::size_t block) const {
  Without result;
  result.errors.mean = infinite;
  result.evidence = -infinite;
  result.diagonal = diagonal_;
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
  add_squared_columns(result.diagonal, 1.0, result.root);
  result.evidence = evidence_of(result.residual, log_determinant);
  result.errors = errors_of(result.residual, result.diagonal);
  return result;
}

// With Y = L⁻¹E for the block's columns E of the identity: R grows by VᵀY(YᵀY)⁻¹YᵀV.
Matrix Smoother::growth_without(std::size_t block, double& log_determinant) const {
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

// Of M = K + u uᵀ + λI the block B takes B Bᵀ: with S = I − BᵀM⁻¹B, R = λM⁻¹ − … grows by λ M⁻¹B S⁻¹BᵀM⁻¹ (Woodbury),
// and det M shrinks by det S. M⁻¹ = VᵀV/λ.
Matrix Smoother::wide_growth_without(const Matrix& B, double& log_determinant) const {
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

Matrix Smoother::project(const Matrix& B, const Without* without) const {
  const auto k = static_cast<double>(B.cols());
  Matrix BR;
  const auto add_product = [&](double sign, const Matrix& left, const Matrix& right) {
    const Matrix product = multiply_transposed(left, right);
    for (std::size_t i = 0; i < BR.cols(); ++i) add_scaled(BR.col(i), sign, product.col(i));
  };
  work_ += 4.0 * static_cast<double>(V_.rows() * rows()) * k;
  if (columns_ > 0 && is_wide()) {
    BR = multiply_transposed(multiply(V_, B), V_);
  } else {
    BR = transpose(B);
    if (columns_ > 0) add_product(-1.0, multiply(V_, B), V_);
  }
  if (without != nullptr) add_product(1.0, multiply(without->root, B), without->root);
  return BR;
}

RowErrors Smoother::errors_with(const Matrix& B, const Without* without) const {
  if ((columns_ > 0 && V_.empty()) || (without != nullptr && without->root.empty())) return {{}, infinite};
  Matrix F = project(B, without);
  work_ += 3.0 * static_cast<double>(B.cols() * B.cols()) * static_cast<double>(rows());
  const auto T = Cholesky::factor(with_diagonal(multiply(F, B), lambda_));
  if (!T) return {{}, infinite};
  T->solve_lower(F);
  std::vector<double> residual = without != nullptr ? without->residual : residual_;
  std::vector<double> diagonal = without != nullptr ? without->diagonal : diagonal_;
  add_scaled(residual, -1.0, multiply_transposed(F, multiply(F, y_)));
  add_squared_columns(diagonal, -1.0, F);
  return errors_of(residual, diagonal);
}

RowErrors Smoother::errors_for(std::span<const double> y) const {
  std::vector<double> residual(y.begin(), y.end());
  if (columns_ > 0) {
    const std::vector<double> projected = multiply_transposed(V_, multiply(V_, y));
    if (is_wide()) {
      residual = projected;
    } else {
      add_scaled(residual, -1.0, projected);
    }
  }
  return errors_of(residual, diagonal_);
}

}  // namespace shrimp

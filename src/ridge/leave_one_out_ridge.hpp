// Ridge regression on blocks of columns with leave-one-out errors and marginal likelihood.
//
// Φ = [B_1 … B_K] and y are centred (with weights), which eliminates the unpenalised intercept. The residual maker is
//   R = I − u uᵀ − Φ(ΦᵀΦ + λI)⁻¹Φᵀ,  u the constant of unit norm.
// The leave-one-out error of row i is (R y)_i / R_ii, exactly and with a new intercept. Rows of a group are left out
// together (ridge/residual_maker.hpp). Adding or removing a block changes R by a matrix of the block's rank, so that
// its effect on the errors needs no new fit.
//
// R is computed from the factor of ΦᵀΦ + λI, or with many more columns than rows from that of ΦΦᵀ + λI, as
// R = λ(ΦΦᵀ + λI)⁻¹ − u uᵀ.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "linalg/cholesky.hpp"
#include "ridge/residual_maker.hpp"
#include "ridge/row_errors.hpp"
#include "shrimp/matrix.hpp"

namespace shrimp {

/// Fewer columns with nearly the same B Bᵀ, on which alone a fit depends: up to a small fraction of λ.
struct Condensed {
  Matrix B;
  Matrix Q;  ///< The condensed columns are the given ones times Q.
};
Condensed condense(const Matrix& B, double lambda);

/// λ below which rounding dominates.
constexpr double least_lambda(std::size_t rows) { return 1e-12 * static_cast<double>(rows); }

class LeaveOneOutRidge {
 public:
  /// `roots`: square roots of the row weights; empty means weights of 1. `starts`: of groups of rows; null means single
  /// rows. λ > 0.
  LeaveOneOutRidge(std::span<const double> y, std::span<const double> roots, double lambda, GroupStarts starts = {});

  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return y_.size(); }
  [[nodiscard]] double lambda() const { return lambda_; }

  /// Multiplies rows by the square roots of their weights, then centres. Every block needs this before it is added.
  void centre(Matrix& B) const;

  void add(Matrix B);
  void replace_all(std::vector<Matrix> blocks, double lambda);
  void remove(std::size_t block);
  void set_lambda(double lambda);
  /// Line search for the λ of least error. λ stays above a thousandth of the error: columns are scaled so that λ is
  /// about the variance of the noise.
  void tune_lambda();

  /// Floating-point operations so far, approximately.
  [[nodiscard]] double work() const { return work_; }

  [[nodiscard]] const RowErrors& errors() const { return errors_; }
  [[nodiscard]] double error() const { return errors_.mean; }
  /// R y.
  [[nodiscard]] const std::vector<double>& residual() const { return residual_; }

  /// Log marginal likelihood of y for independent normal coefficients of variance s²/λ and noise of variance s²,
  /// maximised over s², up to a constant of the rows. It depends on Φ/√λ only.
  [[nodiscard]] double log_marginal_likelihood() const;
  /// s²/λ for the maximising s².
  [[nodiscard]] double noise_over_lambda() const;
  /// Gradient of the log marginal likelihood with respect to each block; empty if the likelihood is 0.
  [[nodiscard]] std::vector<Matrix> marginal_likelihood_gradient() const;

  /// Errors and marginal likelihood after the removal of a block.
  struct RemovalEffect {
    RowErrors errors;
    double log_marginal_likelihood = 0.0;
  };
  [[nodiscard]] std::vector<RemovalEffect> removal_effects(std::span<const std::size_t> blocks) const;

  /// R y after the removal of a block.
  [[nodiscard]] std::vector<double> residual_without(std::size_t block) const;

  /// Errors of a fit to another y, which must be centred.
  [[nodiscard]] RowErrors errors_for(std::span<const double> y) const;

  /// Errors after adding one block, for each of these blocks.
  [[nodiscard]] std::vector<RowErrors> errors_with_each(std::span<const Matrix> blocks) const;
  [[nodiscard]] RowErrors errors_with(const Matrix& B) const { return std::move(errors_with_each({&B, 1}).front()); }
  /// Errors after replacing one block, for each block that has a replacement of nonzero size at its position.
  [[nodiscard]] std::vector<RowErrors> errors_with_replacements(std::span<const Matrix> others) const;

 private:
  /// State after the removal of a block.
  struct Without {
    Matrix root;  ///< The removal adds rootᵀroot to R.
    std::vector<double> residual;
    ResidualMaker parts;
    RowErrors errors;
    double log_marginal_likelihood;
  };
  /// From R y and log det(I + ΦΦᵀ/λ).
  [[nodiscard]] double log_marginal_likelihood_of(std::span<const double> residual, double log_determinant) const;
  [[nodiscard]] double wide_log_determinant(const Matrix& root) const;
  /// yᵀR y, at least its rounding.
  [[nodiscard]] double unexplained(std::span<const double> residual) const;
  void count_work_without(std::size_t block) const;
  [[nodiscard]] Without compute_without(std::size_t block) const;
  /// Root of Without and log det(I + ΦΦᵀ/λ) without the block. Empty if a factorisation fails.
  [[nodiscard]] Matrix growth_without(std::size_t block, double& log_determinant) const;
  [[nodiscard]] Matrix wide_growth_without(const Matrix& B, double& log_determinant) const;
  void gather();
  void factor();
  void count_work_with(const Matrix& B) const;
  /// After the removal of another block if `without` is given.
  [[nodiscard]] RowErrors compute_with(const Matrix& B, const Without* without) const;
  /// BᵀR, after the removal of a block if `without` is given.
  [[nodiscard]] Matrix project(const Matrix& B, const Without* without) const;
  [[nodiscard]] RowErrors errors_of(std::span<const double> residual, const ResidualMaker& parts) const;
  /// Borders G, L and V by the block instead of a new factorisation. Returns whether this was possible.
  bool extend(const Matrix& B);
  void set_errors();
  /// Whether R is computed from ΦΦᵀ. That takes 4m³/3 + m²n operations, ΦᵀΦ n³/3 + 2n²m, which is equal at n = 1.2 m.
  /// Gradients and changes of blocks take m² instead of nm per column, which moves the threshold to 1.6 m (measured).
  [[nodiscard]] bool is_wide() const { return 5 * columns_ > 8 * y_.size(); }
  /// √λ L⁻¹ for L Lᵀ = K + u uᵀ + λI. Empty if K is nearly singular.
  [[nodiscard]] Matrix wide_root(Matrix K) const;

  std::vector<double> roots_;     // Empty for weights of 1.
  std::vector<double> constant_;  // u.
  double total_weight_ = 0.0;
  std::vector<double> y_;
  double lambda_;
  std::vector<Matrix> blocks_;
  std::size_t columns_ = 0;
  Matrix Phi_t_;  // Φᵀ; empty if wide.
  Matrix G_;      // Lower triangle of ΦᵀΦ, or of ΦΦᵀ if wide.
  std::optional<Cholesky> L_;
  Matrix V_;  // L⁻¹Φᵀ, or √λ L⁻¹ if wide.
  std::vector<double> residual_;
  GroupStarts starts_;
  ResidualMaker parts_;
  RowErrors errors_;
  mutable double work_ = 0.0;
};

}  // namespace shrimp

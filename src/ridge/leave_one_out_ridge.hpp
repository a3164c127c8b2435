// Ridge regression on blocks of columns, judged by predicting every row from all others.
//
// Φ = [B_1 … B_K] and y have the (weighted) constant projected out. With
//   R = I − u uᵀ − Φ(ΦᵀΦ + λI)⁻¹Φᵀ,  u the constant of unit norm,
// the error of row i in a fit to the other rows is (R y)_i / R_ii, exactly and with the constant fitted anew; rows that
// belong together are left out together (ridge/residual_maker.hpp). What a block more or less would do to these errors
// follows from R by a correction of the block's rank, without a new fit.
//
// R comes from the factor of ΦᵀΦ + λI; with many more columns than rows, from that of ΦΦᵀ + λI, as
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

/// Fewer columns with nearly the same B Bᵀ, which is all that a fit knows of B: up to a small share of λ.
struct Condensed {
  Matrix B;
  Matrix Q;  ///< They are the given ones times Q.
};
Condensed condense(const Matrix& B, double lambda);

/// λ below which rounding decides.
constexpr double least_lambda(std::size_t rows) { return 1e-12 * static_cast<double>(rows); }

class LeaveOneOutRidge {
 public:
  /// `roots` of the rows' weights; none: every row counts 1. `starts` of groups of rows; none: every row by itself.
  /// λ > 0.
  LeaveOneOutRidge(std::span<const double> y, std::span<const double> roots, double lambda, GroupStarts starts = {});

  [[nodiscard]] std::size_t blocks() const { return blocks_.size(); }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return y_.size(); }
  [[nodiscard]] double lambda() const { return lambda_; }

  /// Rows times the roots of their weights, then the constant projected out: what every block must have gone through.
  void centre(Matrix& B) const;

  void add(Matrix B);
  void replace_all(std::vector<Matrix> blocks, double lambda);
  void remove(std::size_t block);
  void set_lambda(double lambda);
  /// Moves λ by factors of √10 while the error falls. It stays above a thousandth of the error: columns are scaled so
  /// that λ is about the variance of the noise.
  void tune_lambda();

  /// Operations done so far, in about floating-point multiplications and additions.
  [[nodiscard]] double work() const { return work_; }

  [[nodiscard]] const RowErrors& errors() const { return errors_; }
  [[nodiscard]] double error() const { return errors_.mean; }
  /// R y.
  [[nodiscard]] const std::vector<double>& residual() const { return residual_; }

  /// The logarithm of the probability of y if coefficients were normal, independent and of variance s²/λ and the noise
  /// of variance s²: for the s² that makes it largest, and up to a constant that the rows decide. Only Φ/√λ counts.
  [[nodiscard]] double evidence() const;
  /// That s², over λ.
  [[nodiscard]] double noise_over_lambda() const;
  /// By how much it rises with the entries of each block; empty where it is infinitely low.
  [[nodiscard]] std::vector<Matrix> evidence_slopes() const;

  /// What the fit would be without each of these blocks.
  struct Verdict {
    RowErrors errors;
    double evidence = 0.0;
  };
  [[nodiscard]] std::vector<Verdict> without_each(std::span<const std::size_t> blocks) const;

  /// R y without one of the blocks.
  [[nodiscard]] std::vector<double> residual_without(std::size_t block) const;

  /// The errors of the same fit to another y (centred, as residual() is).
  [[nodiscard]] RowErrors errors_for(std::span<const double> y) const;

  /// The errors with one more block: each of these, by itself.
  [[nodiscard]] std::vector<RowErrors> errors_with_each(std::span<const Matrix> blocks) const;
  [[nodiscard]] RowErrors errors_with(const Matrix& B) const { return std::move(errors_with_each({&B, 1}).front()); }
  /// The errors with one of `others` in the place of the block of the same position; none where there is no other.
  [[nodiscard]] std::vector<RowErrors> errors_with_others(std::span<const Matrix> others) const;

 private:
  /// The state without one of the blocks.
  struct Without {
    Matrix root;  ///< R grows by rootᵀroot.
    std::vector<double> residual;
    ResidualMaker parts;
    RowErrors errors;
    double evidence;
  };
  /// Given R y and log det(I + ΦΦᵀ/λ).
  [[nodiscard]] double evidence_of(std::span<const double> residual, double log_determinant) const;
  [[nodiscard]] double wide_log_determinant(const Matrix& root) const;
  /// yᵀR y, or what rounding leaves of it.
  [[nodiscard]] double unexplained(std::span<const double> residual) const;
  void count_work_without(std::size_t block) const;
  [[nodiscard]] Without compute_without(std::size_t block) const;
  /// The root of Without, and log det(I + ΦΦᵀ/λ) without the block; empty where it is not found.
  [[nodiscard]] Matrix growth_without(std::size_t block, double& log_determinant) const;
  [[nodiscard]] Matrix wide_growth_without(const Matrix& B, double& log_determinant) const;
  void gather();
  void factor();
  void count_work_with(const Matrix& B) const;
  /// In place of another block where `without` is given.
  [[nodiscard]] RowErrors compute_with(const Matrix& B, const Without* without) const;
  /// BᵀR, without one of the blocks where `without` is given.
  [[nodiscard]] Matrix project(const Matrix& B, const Without* without) const;
  [[nodiscard]] RowErrors errors_of(std::span<const double> residual, const ResidualMaker& parts) const;
  /// Adds the block's rows to G, L and V, without a new factorisation. Whether it could.
  bool extend(const Matrix& B);
  void set_errors();
  /// Whether R comes from ΦΦᵀ. That takes 4m³/3 + m²n operations, ΦᵀΦ n³/3 + 2n²m: equal at n = 1.2 m; slopes, blocks
  /// more and blocks less take m² a column there and nm here, which moves it to about 1.6 m (measured).
  [[nodiscard]] bool is_wide() const { return 5 * columns_ > 8 * y_.size(); }
  /// √λ L⁻¹ for L Lᵀ = K + u uᵀ + λI; empty where K is too near to singular.
  [[nodiscard]] Matrix wide_root(Matrix K) const;

  std::vector<double> roots_;     // Empty where every row counts 1.
  std::vector<double> constant_;  // u.
  double total_weight_ = 0.0;
  std::vector<double> y_;
  double lambda_;
  std::vector<Matrix> blocks_;
  std::size_t columns_ = 0;
  Matrix Phi_t_;  // Φᵀ; empty where it is wide.
  Matrix G_;      // The lower triangle of ΦᵀΦ, or of ΦΦᵀ where it is wide.
  std::optional<Cholesky> L_;
  Matrix V_;  // L⁻¹Φᵀ, or √λ L⁻¹ where it is wide.
  std::vector<double> residual_;
  GroupStarts starts_;
  ResidualMaker parts_;
  RowErrors errors_;
  mutable double work_ = 0.0;
};

}  // namespace shrimp

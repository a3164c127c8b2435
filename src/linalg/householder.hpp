// A = Q R by Householder reflections: recursive panels (LAPACK dgeqrt) and tiles, at the speed of matrix products.
// Zeros below a staircase cost nothing.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "shrimp/matrix.hpp"

namespace shrimp {

class HouseholderQr {
 public:
  /// A is m×n, m ≥ 1 and n ≥ 1, and is used up.
  explicit HouseholderQr(Matrix A);

  /// min(m,n)×n, zero below the diagonal.
  [[nodiscard]] Matrix R() const;

  /// b ← Qᵀ b and b ← Q b for b of length m.
  void apply_transposed(std::span<double> b) const;
  void apply(std::span<double> b) const;

 private:
  void apply(std::span<double> b, char transposed) const;

  Matrix factors_;
  Matrix T_;
};

/// Reciprocal condition number (1-norm, estimated) of an upper triangle R, n×n, n ≥ 1; 0 where it is singular.
double triangle_rcond(const Matrix& R);

/// b ← R⁻¹ b, or R⁻ᵀ b, for such an R.
void solve_triangle(const Matrix& R, std::span<double> b, bool transposed);

/// A Π = Q R, columns chosen so that |R_kk| falls; the rank is where it is no more than tolerance·max ‖a_j‖.
///
/// Pivots are chosen a block at a time from a random sketch of the remaining columns (Duersch and Gu, SIAM J. Sci.
/// Comput. 39, 2017), so that all other work is in matrix products. The sketch decides the order only.
class RankRevealingQr {
 public:
  /// A is m×n, m ≥ 1 and n ≥ 1, and is used up. Ranked columns stand in an order in which |R_kk| about falls, found by
  /// an earlier factorisation: pivots are chosen only from where it comes near the tolerance.
  RankRevealingQr(Matrix A, double tolerance, bool ranked = false);

  [[nodiscard]] std::size_t rank() const { return rank_; }
  [[nodiscard]] double diagonal(std::size_t k) const;

  /// The first `count` rows of R, at most min(m,n); its column k belongs to column pivots()[k] of A.
  [[nodiscard]] Matrix rows(std::size_t count) const;
  [[nodiscard]] const std::vector<std::size_t>& pivots() const { return pivots_; }

  /// The shortest c with R Πᵀ c = b in the first `rank` rows.
  [[nodiscard]] std::vector<double> least_norm(std::span<const double> b) const;

  /// Reciprocal condition number (1-norm, estimated) of the first `rank` rows and columns of R.
  [[nodiscard]] double rcond() const;

  /// C ← Qᵀ C for C with m rows.
  void apply_transposed(Matrix& C) const;
  void apply_transposed(std::span<double> b) const;

 private:
  void factor_in_order(std::span<const std::size_t> depths, double tolerance);
  void factor_by_pivots(std::size_t depth, double tolerance);
  void apply_transposed(double* C, std::size_t cols) const;

  Matrix factors_;
  Matrix T_;
  std::vector<std::size_t> pivots_;  // Column k of A Π is column pivots_[k] of A.
  double size_ = 0.0;                // Of the largest column of A.
  std::size_t reflectors_ = 0;
  std::size_t rank_ = 0;
  mutable std::optional<double> rcond_;  // Once it was asked for.
};

}  // namespace shrimp

// G = L Lᵀ for symmetric positive definite G, of which the lower triangle counts.
#pragma once

#include <optional>
#include <span>

#include "shrimp/matrix.hpp"

namespace shrimp {

class Cholesky {
 public:
  /// None where G is not numerically positive definite, or holds what is no number. G is n×n, n ≥ 1, and is used up.
  static std::optional<Cholesky> factor(Matrix G);

  [[nodiscard]] std::size_t size() const { return L_.cols(); }

  /// The factor [L 0; Y T] of a larger matrix, `corner` being that of T Tᵀ.
  [[nodiscard]] Cholesky bordered(const Matrix& Y, const Cholesky& corner) const;

  /// b ← G⁻¹ b
  void solve(std::span<double> b) const;

  /// B ← L⁻¹ B
  void solve_lower(Matrix& B) const;

  /// B ← L⁻ᵀ B
  void solve_lower_transposed(Matrix& B) const;

  /// L⁻¹, zero above the diagonal.
  [[nodiscard]] Matrix inverse_of_factor() const;

  /// G⁻¹, both triangles.
  [[nodiscard]] Matrix inverse() const;

  /// L, with anything above the diagonal.
  [[nodiscard]] MatrixView lower() const { return L_; }

  /// Lᵀ, zero below the diagonal, in the place of L.
  [[nodiscard]] Matrix upper() &&;

  /// log det G
  [[nodiscard]] double log_determinant() const;

  /// The reciprocal condition number of G (1-norm, estimated), given its norm.
  [[nodiscard]] double rcond(double one_norm) const;

 private:
  explicit Cholesky(Matrix L) : L_(std::move(L)) {}

  Matrix L_;
};

}  // namespace shrimp

// G = L Lᵀ for symmetric positive definite G, of which the lower triangle counts.
#pragma once

#include <optional>
#include <span>

#include "shrimp/matrix.hpp"

namespace shrimp {

class Cholesky {
 public:
  /// None where G is not numerically positive definite. G is used up.
  static std::optional<Cholesky> factor(Matrix G);

  /// Reciprocal condition number of G (1-norm, estimated).
  [[nodiscard]] double rcond() const { return rcond_; }

  /// b ← G⁻¹ b
  void solve(std::span<double> b) const;

 private:
  Cholesky(Matrix L, double rcond) : L_(std::move(L)), rcond_(rcond) {}

  Matrix L_;
  double rcond_;
};

}  // namespace shrimp

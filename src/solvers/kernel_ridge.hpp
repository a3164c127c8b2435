// Kernel ridge regression: α = (K + λI)⁻¹ y for symmetric positive semi-definite K, for any number of λ.
//
// With row weights w: α = W^½ β, (W^½ K W^½ + λI) β = W^½ y, the minimiser of Σ_i w_i (y_i − (Kα)_i)² + λ αᵀKα.
//
// Each λ takes a Cholesky factorisation and one step of iterative refinement. Where the matrix is singular to working
// precision (equal rows, λ = 0 or close to it), the answer is the least-norm solution through orthogonal factors.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "shrimp/matrix.hpp"

namespace shrimp {

struct KernelRidgeSolution {
  std::vector<double> alpha;
  std::size_t rank = 0;  ///< Of the matrix solved with: the number of rows, unless used_least_norm.
  bool used_least_norm = false;
};

class KernelRidge {
 public:
  /// The lower triangle of K counts; K is used up. root_weights: √w ≥ 0, one a row; none: all 1. Throws
  /// std::invalid_argument where sizes differ or a root weight is negative or not finite.
  KernelRidge(Matrix K, std::span<const double> y, std::span<const double> root_weights = {});

  /// Throws std::invalid_argument unless λ ≥ 0 and finite.
  [[nodiscard]] KernelRidgeSolution solve(double lambda) const;

 private:
  Matrix K_;               // W^½ K W^½, both triangles.
  std::vector<double> y_;  // W^½ y
  std::vector<double> root_weights_;
};

}  // namespace shrimp

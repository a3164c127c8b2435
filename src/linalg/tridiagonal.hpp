// K = Q T Qᵀ for symmetric K: what problems with many shifts K + λI reduce to.
#pragma once

#include <span>
#include <vector>

#include "shrimp/matrix.hpp"

namespace shrimp {

struct Tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> off_diagonal;
  std::vector<double> eigenvalues;  ///< Smallest first.

  /// (T + λI)⁻¹ z for positive semi-definite T and λ > 0.
  [[nodiscard]] std::vector<double> solve_shifted(double lambda, std::span<const double> z) const;
};

/// The lower triangle of K (n×n, n ≥ 1) counts; K is used up, and b becomes Qᵀ b.
Tridiagonal tridiagonalize(Matrix K, std::span<double> b);

}  // namespace shrimp

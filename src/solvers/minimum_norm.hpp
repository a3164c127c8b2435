// min ‖c‖₂ over the minimisers of ‖A c − y‖₂, through orthogonal factors only.
//
// A wide A is reduced by A = L Q, a tall one by A = Q R; the small triangle is then solved by a complete
// orthogonal decomposition (LAPACK dgelsy) that cuts off directions below rank_tolerance·σ_max. The
// reduction changes no singular value, so the cut-off means the same as on A.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "linalg/householder.hpp"
#include "shrimp/matrix.hpp"

namespace shrimp {

struct MinimumNormSolution {
  std::vector<double> coefficients;
  std::size_t rank = 0;
  std::vector<double> singular_values;  ///< Of A, largest first; empty unless asked for.
};

/// max(m, N)·eps
double default_rank_tolerance(std::size_t rows, std::size_t cols);

/// Factors of A, for one y after the other.
class MinimumNormFactors {
 public:
  /// rank_tolerance 0 means default_rank_tolerance. A is used up.
  explicit MinimumNormFactors(Matrix A, double rank_tolerance = 0.0);

  [[nodiscard]] MinimumNormSolution solve(std::span<const double> y) const&;
  /// For the last y: a copy less.
  [[nodiscard]] MinimumNormSolution solve(std::span<const double> y) &&;

  /// Largest first.
  [[nodiscard]] std::vector<double> singular_values() const;

 private:
  [[nodiscard]] MinimumNormSolution solve(std::span<const double> y, Matrix triangle) const;

  bool wide_;
  std::size_t columns_;
  double rank_tolerance_;
  HouseholderQr qr_;  // Of A, or of Aᵀ where A is wide.
  Matrix triangle_;
};

/// The same for one y.
MinimumNormSolution solve_minimum_norm(Matrix A, std::span<const double> y, double rank_tolerance = 0.0,
                                       bool spectrum = false);

}  // namespace shrimp

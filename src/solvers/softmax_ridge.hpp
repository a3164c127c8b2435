// Multinomial logistic regression with a ridge penalty, by a Newton method with conjugate gradients.
//
// For columns A (m×n), classes y_i in 0 … K − 1 and row weights v, it minimises
//   Σ_i v_i (log Σ_k exp f_ik − f_{i,y_i}) + ½ λ Σ_k ‖c_k‖²,   f_k = b_k + A c_k.                            (1)
// The intercepts b are not penalised. Adding the same function to every f_k changes no probability; the solution is
// the one with Σ_k c_k = 0 and Σ_k b_k = 0. A class without rows keeps a constant of a thousandth of a row.
//
// Each Newton step solves H d = −g by conjugate gradients without forming H. With probabilities p, a product is
//   (H D)_k = Aᵀ r_k + λ D_k,   r_ik = v_i p_ik (u_ik − Σ_l p_il u_il),   u = A D.
// The preconditioner is the block diagonal of H, one block per class, or one block for all classes where K blocks would
// need too much memory.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "shrimp/matrix.hpp"

namespace shrimp {

struct SoftmaxProblem {
  MatrixView A;
  std::span<const double> y;  ///< Classes 0 … K − 1.
  std::size_t classes = 2;
  std::span<const double> weights = {};  ///< Empty: every row has weight 1.
  std::function<void()> check = {};      ///< Called before each product with H; it may throw.
  std::function<bool()> is_over = {};    ///< Whether to stop early; called after the first few steps.
  /// Steps end once the Newton decrement gᵀH⁻¹g falls below this fraction of (1).
  double precision = 1e-26;
};

struct SoftmaxFit {
  Matrix coefficients;  ///< n×K
  std::vector<double> intercepts;
  Matrix sums;        ///< f, m×K.
  double loss = 0.0;  ///< Weighted mean of the rows' losses.
  bool converged = false;
};

/// λ > 0. A `start` of n×K coefficients saves steps.
SoftmaxFit fit_softmax(const SoftmaxProblem& problem, double lambda, const SoftmaxFit* start = nullptr);

/// A C + 1 bᵀ
Matrix softmax_sums(MatrixView A, const Matrix& coefficients, std::span<const double> intercepts);

/// exp f_k / Σ_l exp f_l in every row of f.
Matrix softmax(MatrixView sums);

/// log Σ_k exp f_ik, without overflow.
double log_sum_exp(MatrixView sums, std::size_t row);

}  // namespace shrimp

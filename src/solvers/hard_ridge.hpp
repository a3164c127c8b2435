// min ‖A c − y‖² + λ‖c‖² with at most s entries of c not zero, by hard thresholding pursuit (HARFE: Saha, Schaeffer and
// Tran, arXiv 2202.02877). From c = 0, with columns scaled to norm 1, repeat
//   S = the s largest entries, in magnitude, of (1 − μλ) c + μ Aᵀ(y − A c)
//   c = the minimiser of ‖A c − y‖² + λ‖c‖² that is zero outside S
// until S comes again. The authors' λ is this one over m; their program takes the largest entries with their signs,
// which never chooses a column with a large negative one.
#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

#include "solvers/linear_operator.hpp"

namespace shrimp {

struct HardRidgeOptions {
  std::size_t sparsity = 1;                 ///< s, from 1 to the number of columns.
  double ridge = 1e-4;                      ///< λ ≥ 0, for columns of norm 1.
  double step = 0.1;                        ///< μ > 0
  std::size_t max_iterations = 200;         ///< ≥ 1
  const std::atomic<bool>* stop = nullptr;  ///< Set it, and the solver throws Interrupted.
};

struct HardRidgeSolution {
  std::vector<std::size_t> columns;  ///< Ascending.
  std::vector<double> coefficients;  ///< Of A's columns as they are.
  double residual = 0.0;             ///< ‖A c − y‖²
  std::size_t rank = 0;
  std::size_t iterations = 0;
  /// Whether a set came again: at once (a fixed point), or after others, when the best of the round is returned.
  bool converged = false;
};

/// Throws std::invalid_argument if sizes disagree or an option is out of range.
HardRidgeSolution solve_hard_ridge(const LinearOperator& A, std::span<const double> y, const HardRidgeOptions& options);

}  // namespace shrimp

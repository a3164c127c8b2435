// min ‖c‖₁ subject to ‖A c − y‖₂ ≤ σ: basis pursuit for σ = 0, basis pursuit denoising for σ > 0.
//
// First by a level-set method (van den Berg and Friedlander, SIAM J. Sci. Comput. 31, 2008): spectral projected
// gradients on min ‖A c − y‖ subject to ‖c‖₁ ≤ τ, and Newton steps on the Pareto curve φ(τ) = σ. It needs products with
// A alone and is quick where columns are nearly orthogonal. On coherent dictionaries it creeps; once it does, the exact
// ℓ1 path finishes (l1_path.hpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

#include "solvers/linear_operator.hpp"

namespace shrimp {

struct BasisPursuitOptions {
  /// Converged: ‖A c − y‖ − σ ≤ tolerance·‖y‖ and |duality_gap| ≤ tolerance.
  double tolerance = 1e-6;
  std::size_t max_iterations = 20000;
  bool follow_path = true;                  ///< False: first-order iterations alone, whatever they take.
  const std::atomic<bool>* stop = nullptr;  ///< Once true, the next iteration throws Interrupted.
};

struct BasisPursuitSolution {
  std::vector<double> coefficients;
  double residual_norm = 0.0;  ///< ‖A c − y‖
  double l1_norm = 0.0;        ///< ‖c‖₁

  /// ‖c‖₁ less the best yᵀu − σ‖u‖ with ‖Aᵀu‖_∞ ≤ 1 that was found, over max(1, ‖c‖₁). Negative where c violates
  /// its constraint by a little; says nothing where no c satisfies it.
  double duality_gap = 0.0;
  double violation = 0.0;      ///< max(0, ‖A c − y‖ − σ)
  std::size_t iterations = 0;  ///< First-order iterations and breakpoints of the path.
  std::size_t products = 0;    ///< With A and Aᵀ.
  std::size_t columns = 0;     ///< Asked of A by the path.
  bool converged = false;      ///< False after max_iterations, and where no c satisfies the constraint.
};

/// Throws std::invalid_argument where σ is negative or not finite, y is not finite or not as long as A has rows, or Aᵀy
/// is not finite.
BasisPursuitSolution solve_basis_pursuit(const LinearOperator& A, std::span<const double> y, double sigma,
                                         const BasisPursuitOptions& options = {});

}  // namespace shrimp

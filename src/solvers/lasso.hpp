// The Lasso: min 1/(2n) ‖A c − y‖₂² + λ ‖c‖₁, with n the number of rows or a total weight; scikit-learn's objective.
//
// A descending sequence of λ is followed with warm starts. Every solution is certified by a duality gap: for any ν with
// ‖Aᵀν‖_∞ ≤ nλ the objective is at least (νᵀy − ½‖ν‖²)/n, and ν is taken along the residual. Columns that the gap
// proves to be zero in the solution leave the problem (Ndiaye, Fercoq, Gramfort and Salmon, J. Mach. Learn. Res. 18,
// 2017).
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "shrimp/matrix.hpp"
#include "solvers/linear_operator.hpp"

namespace shrimp {

enum class LassoSolver {
  coordinate_descent,  ///< With Newton steps, on the Gram matrix of a working set; A must be stored.
  proximal_gradient,   ///< Accelerated, with restarts; needs no more than products with A and Aᵀ.
};

struct LassoOptions {
  LassoSolver solver = LassoSolver::coordinate_descent;
  /// A solution is good enough where its gap is at most tolerance·‖y‖²/n: scikit-learn's `tol`.
  double tolerance = 1e-4;
  /// For one λ: Newton steps, which come in rounds of at most 50 that are not cut short, or proximal steps.
  std::size_t max_iterations = 100000;
  double total_weight = 0.0;                ///< n; 0 means the number of rows.
  const std::atomic<bool>* stop = nullptr;  ///< Set it, and solve throws Interrupted.
};

struct LassoSolution {
  double lambda = 0.0;
  std::vector<std::size_t> columns;  ///< Those with a coefficient other than zero, ascending.
  std::vector<double> coefficients;  ///< Theirs.
  double objective = 0.0;
  double gap = 0.0;  ///< The objective is at most this much above its minimum.
  std::size_t iterations = 0;
  bool converged = false;
};

class LassoPath {
 public:
  /// A must outlive the path. Throws std::invalid_argument where y has another length than A has rows, an entry of y or
  /// A is not finite, or an option is out of its range; the second also for coordinate descent, which reads columns.
  LassoPath(MatrixView A, std::span<const double> y, const LassoOptions& options = {});
  LassoPath(const LinearOperator& A, std::span<const double> y, const LassoOptions& options);
  LassoPath(LassoPath&&) noexcept;
  LassoPath& operator=(LassoPath&&) noexcept;
  ~LassoPath();

  /// Starts from the solution before, or from zero. Throws std::invalid_argument where λ is negative or not finite.
  ///
  /// λ = 0 asks for least squares. The only certificate is then that the residual itself is small, so that a system
  /// that cannot be solved exactly ends with `converged` false: where steps no longer change anything, or at
  /// max_iterations.
  LassoSolution solve(double lambda);

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// The smallest λ whose solution is zero: ‖Aᵀy‖_∞/n.
double lasso_lambda_max(MatrixView A, std::span<const double> y, double total_weight = 0.0);
double lasso_lambda_max(const LinearOperator& A, std::span<const double> y, double total_weight = 0.0);

/// `count` values from lambda_max down to ratio·lambda_max, each the same multiple of the one before.
std::vector<double> lambda_grid(double lambda_max, double ratio, std::size_t count);

}  // namespace shrimp

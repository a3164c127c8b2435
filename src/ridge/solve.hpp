// Ridge regression by normal equations: (G + λI) c = b.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "linalg/cholesky.hpp"
#include "ridge/normal_equations.hpp"

namespace shrimp {

/// Ridge regression on some columns.
struct RidgeFit {
  std::vector<std::size_t> columns;  ///< Ascending.
  std::vector<double> coefficients;
  std::size_t rank = 0;  ///< Size of the equations that were solved.
  double lambda = 0.0;
  double train_mse = 0.0;
};

/// Lower triangle of the rows and columns `which` of G, which ascend.
Matrix principal_submatrix(const Matrix& G, std::span<const std::size_t> which);

/// Factor of G + λI, by the lower triangle of G. Empty if the sum is not numerically positive definite.
std::optional<Cholesky> factor_ridge(Matrix G, double lambda);

/// Fits `fit.columns` with `fit.lambda` and returns the factor of their equations. `places` are their rows and columns
/// in G. Empty without columns, or if the equations are not numerically positive definite.
std::optional<Cholesky> fit_columns(const Matrix& G, std::span<const double> b, std::span<const std::size_t> places,
                                    RidgeFit& fit);

/// Result of attempt(λ), with λ multiplied by 10 until there is one: rounding may exceed a small λ.
/// Throws std::logic_error if λ overflows, since G then is not finite.
template <typename Attempt>
auto raise_lambda(double& lambda, const Attempt& attempt) {
  for (; std::isfinite(lambda); lambda *= 10.0) {
    if (auto result = attempt(lambda)) return result;
  }
  throw std::logic_error("random features with NaN or infinite values");
}

/// Coefficients of all columns; λ is raised if necessary.
std::vector<double> solve_ridge(const NormalEquations& equations, double lambda);

/// With a penalty per column. Empty if the equations are not numerically positive definite.
std::optional<std::vector<double>> solve_penalised(const NormalEquations& equations, std::span<const double> penalties);

/// Minimiser of ‖R c − b‖² + λ‖c‖² by orthogonal factors, which do not square the condition number: T c = b.
struct AugmentedTriangle {
  Matrix T;  ///< TᵀT = RᵀR + λI
  std::vector<double> b;

  AugmentedTriangle(Matrix R, std::vector<double> right_hand_side, double lambda);
};

}  // namespace shrimp

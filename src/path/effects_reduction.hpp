// A tall A of features of one or two inputs, reduced through a basis that its Gram matrix loses nothing of.
//
// Such columns are nearly dependent for one reason: they share functions of one input, and the constant. Let U_i span
// the functions of input i, Z_S what the columns on the inputs S = {i, j} have beyond [1, U_i, U_j],
//   A_S = 1 t_S + U_i B_S + U_j B'_S + Z_S R_S.                                                              (1)
// The columns of Z = [1, U, Z_S …] then are nearly orthogonal as far as the inputs are nearly independent, and its Gram
// matrix ZᵀZ = L Lᵀ is well conditioned whatever A is. With C the coefficients of (1), A = Z C = Q (Lᵀ C), Q orthonormal:
// the price is that of one Gram matrix, about half of an orthogonal factorisation.
//
// Coefficients come from a sketch of few rows; they need not be exact, as Z_S is what is left of the columns themselves.
#pragma once

#include <optional>
#include <span>

#include "path/row_space.hpp"
#include "shrimp/features.hpp"

namespace shrimp {

/// A = diag(factors)·φ(X Wᵀ) (no factors: 1). None where this would not pay, or Z is too ill conditioned for its Gram
/// matrix: inputs that nearly determine each other, columns of three inputs or more.
std::optional<Reduction> reduce_by_effects(MatrixView A, const Dictionary& dictionary, MatrixView X,
                                           std::span<const double> factors, std::span<const double> y);

}  // namespace shrimp

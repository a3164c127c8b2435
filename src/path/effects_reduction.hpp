// A tall A of waves of one or two inputs, reduced through the Gram matrix of a basis that loses nothing by it.
//
// ZᵀZ = L Lᵀ is well conditioned (see effects_basis.hpp), so that A = Z C = Q (Lᵀ C) with Q orthonormal: the price is
// that of one Gram matrix, about half of an orthogonal factorisation. More rows add to the Gram matrix.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "path/row_space.hpp"
#include "shrimp/features.hpp"

namespace shrimp {

/// Whether there are so many rows of columns of one or two inputs that it pays; the data then decide whether it goes.
bool may_reduce_by_effects(std::size_t rows, std::size_t columns, std::size_t inputs);

/// How many entries of Z, or of A, are made at once.
std::size_t effects_block_entries(std::size_t rows, std::size_t columns);

/// Of stored rows of the dictionary's columns. None where this would not pay, or Z is too ill conditioned for its Gram
/// matrix: inputs that nearly determine each other, columns of three inputs or more.
std::optional<Reduction> reduce_by_effects(const RowSpace& rows, const Dictionary& dictionary,
                                           std::span<const double> y);

}  // namespace shrimp

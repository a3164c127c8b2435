// Low rank per support: columns that look at the same few inputs lie in a space of few numerical dimensions, however
// many were drawn. For such groups g
//   A_g = 1 t_g + Û_g D_g,   D_g (r_g×n_g) with orthonormal rows, r_g ≪ n_g,
// where 1 t_g is the part along the constant that all groups share. With [1, Û] = Q R, columns in falling order of
// norm, and R's rows divided by |R_kk|, the rows of A are U diag(s) M with M = R̃ [t; D] never stored.
#pragma once

#include <optional>
#include <span>

#include "path/path_solver.hpp"
#include "shrimp/path.hpp"

namespace shrimp {

/// None where A is not stored, options.groups is empty, or the groups are not of low rank or depend on each other.
std::optional<CompressedProblem> compress_groups(const RowSpace& rows, std::span<const double> y,
                                                 const PathOptions& options);

}  // namespace shrimp

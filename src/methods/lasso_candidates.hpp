// Lasso fits for a falling λ, each started from the one before.
#pragma once

#include <memory>

#include "methods/candidates.hpp"
#include "solvers/lasso.hpp"

namespace shrimp {

std::unique_ptr<Candidates> lasso_candidates(const Problem& problem, const FitOptions& options, const Grid& grid,
                                             LassoSolver solver);

/// What was asked for, or `count` of them from where all coefficients are zero, as scikit-learn does, down to
/// `smallest` of that.
Grid lasso_grid(const Problem& problem, const FitOptions& options, double smallest, std::size_t count);

}  // namespace shrimp

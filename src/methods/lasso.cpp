// Lasso by coordinate descent.
#include "methods/lasso_candidates.hpp"
#include "methods/method.hpp"

namespace shrimp {
namespace {

void complete_lasso(FitOptions& options, std::size_t d) {
  if (!options.draw.basis) options.draw.basis = Basis::linear;
  complete_common(options, d);
}

}  // namespace

extern const Method lasso_method = {
    .name = "lasso",
    .help = "linear regression with an l1 penalty, or the same on features",
    .takes = {"order", "features", "sigma2", "basis", "frequency-distribution", "dof", "lambda", "tolerance",
              "max-iterations"},
    .complete = complete_lasso,
    .grid = [](const Problem& problem, const FitOptions& options) { return lasso_grid(problem, options, 1e-3, 100); },
    .candidates =
        [](const Problem& problem, const FitOptions& options, const Grid& grid) {
          return lasso_candidates(problem, options, grid, LassoSolver::coordinate_descent);
        },
    .needs_stored_A = true,
    .memory = {.tall = {.copies = 4.4, .squares = 0.36}, .wide = {.copies = 4.4, .squares = 0.36}},
};

}  // namespace shrimp

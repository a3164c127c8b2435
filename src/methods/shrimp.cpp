// Iterative magnitude pruning; the step with the least validation error is kept (paper, Algorithm 1).
#include "methods/method.hpp"
#include "methods/prune_candidates.hpp"

namespace shrimp {

extern const Method shrimp_method = {
    .name = "shrimp",
    .help = "drops the columns of smallest coefficients and fits again, until one is left (SHRIMP)",
    .takes = {"order", "features", "sigma2", "basis", "law", "dof", "prune", "ridge", "rcond"},
    .candidates = [](const Problem& problem, const FitOptions& options,
                     const Grid&) { return prune_candidates(problem, options, drop_smallest_share); },
    .prunes_by_rate = true,
    .chooses_columns = true,
    .refits_by_sums = true,
    .runs_on_device = true,
    .memory = {.tall = {.copies = 1.6},
               .wide = {.copies = 1.1, .squares = 4.0},
               .reduced = MemoryUse{.squares = 5.0, .blocks = 0.42},
               .dependent = MemoryUse{.copies = 4.5},
               .very_dependent = MemoryUse{.copies = 2.55}},
};

}  // namespace shrimp

// Iterative magnitude pruning; the step with the least validation error is kept (paper, Algorithm 1).
#include "methods/method.hpp"
#include "methods/prune_candidates.hpp"

namespace shrimp {

extern const Method shrimp_method = {
    .name = "shrimp",
    .help = "drops the columns of smallest coefficients and fits again, until one is left (SHRIMP)",
    .takes = {"order", "features", "sigma2", "basis", "frequency-distribution", "dof", "prune", "ridge", "rcond"},
    .candidates = [](const Problem& problem, const FitOptions& options,
                     const Grid&) { return prune_candidates(problem, options, drop_smallest_share); },
    .prunes_by_rate = true,
    .chooses_columns = true,
    .refits_by_sums = true,
    .runs_on_device = true,
    .memory = {.tall = {.copies = 2.02, .squares = 0.58},
               .wide = {.copies = 1.7},
               .reduced = MemoryUse{.copies = 0.09, .squares = 4.23, .blocks = 0.49},
               .dependent = MemoryUse{.copies = 4.29},
               .very_dependent = MemoryUse{.copies = 2.76}},
};

}  // namespace shrimp

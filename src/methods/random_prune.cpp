// SHRIMP with columns dropped at random: what magnitude is worth.
#include "methods/method.hpp"
#include "methods/prune_candidates.hpp"

namespace shrimp {

namespace {

PruneRule drop_any(double rate, std::size_t columns, const FitOptions& options) {
  return drop_at_random(rate, columns, options.seed);
}

}  // namespace

extern const Method random_prune_method = {
    .name = "random-prune",
    .help = "drops columns at random and fits again",
    .takes = {"order", "features", "sigma2", "basis", "frequency-distribution", "dof", "prune", "ridge", "rcond"},
    .candidates = [](const Problem& problem, const FitOptions& options,
                     const Grid&) { return prune_candidates(problem, options, drop_any); },
    .prunes_by_rate = true,
    .chooses_columns = true,
    .refits_by_sums = true,
    .runs_on_device = true,
    .memory = {.tall = {.copies = 1.87, .squares = 2.83},
               .wide = {.copies = 1.87, .squares = 3.85},
               .reduced = MemoryUse{.copies = 0.12, .squares = 3.37, .blocks = 0.19},
               .dependent = MemoryUse{.copies = 2.05, .squares = 2.47},
               .very_dependent = MemoryUse{.copies = 2.78, .squares = 0.66}},
};

}  // namespace shrimp

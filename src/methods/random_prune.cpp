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
    .takes = {"order", "features", "sigma2", "basis", "law", "dof", "prune", "ridge", "rcond"},
    .candidates = [](const Problem& problem, const FitOptions& options,
                     const Grid&) { return prune_candidates(problem, options, drop_any); },
    .prunes_by_rate = true,
    .chooses_columns = true,
    .refits_by_sums = true,
    .runs_on_device = true,
    .memory = {.tall = {.copies = 2.1, .squares = 0.8},
               .wide = {.copies = 2.0, .squares = 3.9},
               .reduced = MemoryUse{.copies = 0.05, .squares = 3.9},
               .dependent = MemoryUse{.copies = 1.55, .squares = 2.3},
               .very_dependent = MemoryUse{.copies = 2.05, .squares = 6.6}},
};

}  // namespace shrimp

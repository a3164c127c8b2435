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
    .memory = {1.3, 1.45, 8.8, 4.6},
};

}  // namespace shrimp

// Prunes the minimum-norm solution and never fits again.
#include "methods/method.hpp"
#include "methods/prune_candidates.hpp"

namespace shrimp {

namespace {

PruneRule drop_and_keep_the_rest(double rate, std::size_t /*columns*/, const FitOptions& /*options*/) {
  return drop_smallest(rate, false);
}

}  // namespace

extern const Method naive_prune_method = {
    .name = "naive-prune",
    .help = "drops the smallest coefficients and never fits again",
    .takes = {"order", "features", "sigma2", "basis", "frequency-distribution", "dof", "prune", "ridge", "rcond"},
    .candidates = [](const Problem& problem, const FitOptions& options,
                     const Grid&) { return prune_candidates(problem, options, drop_and_keep_the_rest); },
    .prunes_by_rate = true,
    .runs_on_device = true,
    .memory = {.tall = {.copies = 2.17, .squares = 0.77},
               .wide = {.copies = 0.88, .squares = 2.38},
               .reduced = MemoryUse{.copies = 0.75, .squares = 4.61},
               .dependent = MemoryUse{.copies = 3.08, .squares = 0.79},
               .very_dependent = MemoryUse{.copies = 3.75}},
};

}  // namespace shrimp

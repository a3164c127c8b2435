// The minimum-norm solution on all features.
#include "methods/method.hpp"
#include "methods/prune_candidates.hpp"

namespace shrimp {

namespace {

PruneRule drop_none(double /*rate*/, std::size_t /*columns*/, const FitOptions& /*options*/) { return keep_all(); }

}  // namespace

extern const Method min_l2_method = {
    .name = "min-l2",
    .help = "the minimum-norm solution on all features, nothing dropped",
    .takes = {"order", "features", "sigma2", "basis", "frequency-distribution", "dof", "ridge", "rcond"},
    .candidates = [](const Problem& problem, const FitOptions& options,
                     const Grid&) { return prune_candidates(problem, options, drop_none); },
    .chooses_columns = true,
    .refits_by_sums = true,
    .runs_on_device = true,
    .memory = {.tall = {.copies = 1.91, .squares = 2.4},
               .wide = {.copies = 3.27, .squares = 4.68},
               .reduced = MemoryUse{.copies = 0.36, .squares = 7.01},
               .dependent = MemoryUse{.copies = 4.84, .squares = 1.37},
               .very_dependent = MemoryUse{.copies = 5.01, .squares = 1.35}},
};

}  // namespace shrimp

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
    .takes = {"order", "features", "sigma2", "basis", "law", "dof", "ridge", "rcond"},
    .candidates = [](const Problem& problem, const FitOptions& options,
                     const Grid&) { return prune_candidates(problem, options, drop_none); },
    .chooses_columns = true,
    .refits_by_sums = true,
    .runs_on_device = true,
    .memory = {.tall = {.copies = 1.8, .squares = 2.6},
               .wide = {.copies = 5.0, .squares = 2.1},
               .reduced = MemoryUse{.copies = 0.3, .squares = 7.1},
               .dependent = MemoryUse{.copies = 4.0, .squares = 3.4},
               .very_dependent = MemoryUse{.copies = 4.3, .squares = 6.8}},
};

}  // namespace shrimp

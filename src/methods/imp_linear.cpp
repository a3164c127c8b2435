// SHRIMP on the inputs themselves, one column a step.
#include "methods/method.hpp"
#include "methods/prune_candidates.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {

namespace {

void complete_imp_linear(FitOptions& options, std::size_t d) {
  if (options.draw.basis.value_or(Basis::linear) != Basis::linear) {
    throw OptionError("imp-linear supports basis linear only.\\nUse method shrimp for another basis.");
  }
  options.draw.basis = Basis::linear;
  if (options.prune.rates.empty()) options.prune.rates = {0.0};
  complete_common(options, d);
}

}  // namespace

extern const Method imp_linear_method = {
    .name = "imp-linear",
    .help = "prunes a linear regression one input at a time",
    .takes = {"basis", "prune", "ridge", "rcond"},
    .complete = complete_imp_linear,
    .candidates = [](const Problem& problem, const FitOptions& options,
                     const Grid&) { return prune_candidates(problem, options, drop_smallest_share); },
    .prunes_by_rate = true,
    .chooses_columns = true,
    .refits_by_sums = true,
    .runs_on_device = true,
    .memory = {.tall = {.copies = 2.64, .squares = 0.8}, .wide = {.copies = 2.64, .squares = 0.8}},
};

}  // namespace shrimp

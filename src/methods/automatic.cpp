// The default method: its terms are found by src/grow.
#include <fmt/format.h>

#include <algorithm>

#include "methods/method.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

void check_orders(const FitOptions& options, int d) {
  for (const std::vector<int>& orders : options.orders) {
    for (const int q : orders) {
      if (q <= d) continue;
      throw OptionError(fmt::format("order {} is above {}, the number of inputs.\nGive a lower order.", q, d));
    }
  }
}

void complete_automatic(FitOptions& options, std::size_t inputs) {
  const int d = static_cast<int>(inputs);
  if (options.draw.basis.value_or(Basis::fourier) != Basis::fourier) {
    throw OptionError("method auto supports basis fourier only.\nUse method shrimp for another basis.");
  }
  if (options.draw.law != Law::normal && options.draw.law != Law::student_t) {
    throw OptionError(
        "method auto supports the frequency distributions normal and student-t only.\nUse method shrimp for another "
        "distribution.");
  }
  if (options.prune.ridge_by_gcv) {
    throw OptionError(
        "method auto selects its ridge penalty by leave-one-out validation and does not support gcv.\nRemove ridge, or "
        "give a number.");
  }
  check_orders(options, d);
  // An order asked for is the highest that terms may have.
  if (!options.orders.empty()) {
    int highest = 1;
    for (const std::vector<int>& orders : options.orders) highest = std::max(highest, orders.back());
    if (options.terms.max_order != 0 && options.terms.max_order != highest) {
      throw OptionError(
          fmt::format("max-order {} contradicts order {}, which means max-order for method auto.\nGive one of the two.",
                      options.terms.max_order, highest));
    }
    options.terms.max_order = highest;
  }
  options.terms.max_order = std::min(options.terms.max_order, d);
  // Orders and ridge stay what they were: terms find their own.
  const auto orders = options.orders;
  const auto ridge = options.prune.ridge;
  complete_common(options, inputs);
  options.orders = orders;
  options.prune.ridge = ridge;
}

}  // namespace

extern const Method automatic_method = {
    .name = "auto",
    .help = "selects main effects and interactions by forward selection, and fits random features for them",
    .takes = {"order",
              "max-order",
              "max-terms",
              "include",
              "exclude",
              "one-se",
              "quick-error",
              "transform",
              "target-transform",
              "loss",
              "tweedie-power",
              "quantile",
              "clip",
              "budget",
              "features",
              "prune",
              "sigma2",
              "basis",
              "frequency-distribution",
              "dof",
              "ridge",
              "rcond"},
    .complete = complete_automatic,
    .refits_by_sums = true,
    .runs_on_device = true,
};

}  // namespace shrimp

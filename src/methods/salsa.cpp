// Kernel ridge regression with the elementary symmetric polynomial of order q of Gaussians of one input each.
#include "methods/kernel_methods.hpp"

namespace shrimp {
namespace {

// Orders upward from 1, as long as they help; γ by the spread and number of rows unless it was asked for.
void complete_salsa(FitOptions& options, std::size_t d) {
  if (options.orders.empty()) {
    for (std::size_t q = 1; q <= d; ++q) options.orders.push_back({static_cast<int>(q)});
  }
  const bool by_order = options.kernel.by_order;
  complete_common(options, d);
  options.kernel.by_order = by_order;
}

}  // namespace

extern const Method salsa_method = {
    .name = "salsa",
    .help = "kernel ridge regression with an additive kernel of order q (SALSA)",
    .takes = {"order", "gamma", "lambda"},
    .complete = complete_salsa,
    .count_columns = count_rows_as_columns,
    .draw = draw_kernel,
    .grid = kernel_ridge_grid,
    .candidates = kernel_ridge_candidates,
    .runs_on_device = true,
    .needs_stored_A = true,
    .has_a_column_for_every_row = true,
    .memory = {.wide = {.squares = 3.54}},
};

}  // namespace shrimp

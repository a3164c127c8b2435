// Kernel ridge regression with the Gaussian kernel of all inputs.
#include "methods/kernel_methods.hpp"

namespace shrimp {
namespace {

void complete_krr(FitOptions& options, std::size_t d) {
  options.orders = {{static_cast<int>(d)}};
  complete_common(options, d);
}

}  // namespace

extern const Method krr_method = {
    .name = "krr",
    .help = "kernel ridge regression with a Gaussian kernel on all inputs",
    .takes = {"gamma", "lambda"},
    .complete = complete_krr,
    .count_columns = count_rows_as_columns,
    .draw = draw_kernel,
    .grid = kernel_ridge_grid,
    .candidates = kernel_ridge_candidates,
    .runs_on_device = true,
    .needs_stored_A = true,
    .has_a_column_for_every_row = true,
    .memory = {.wide = {.squares = 3.76}},
};

}  // namespace shrimp

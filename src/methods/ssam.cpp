// Lasso on kernel sections K_S(x_i, ·) of all supports S, by accelerated proximal gradients.
#include "methods/kernel_methods.hpp"
#include "methods/lasso_candidates.hpp"
#include "methods/method.hpp"

namespace shrimp {
namespace {

// Steps are cheap and many.
void complete_ssam(FitOptions& options, std::size_t d) {
  if (options.orders.empty() && d > 1) options.orders = {{1, 2}};
  if (options.sparse.max_iterations == 0) options.sparse.max_iterations = 200000;
  complete_common(options, d);
}

// As many as kernel_sections_by_support makes, or a few more.
std::size_t count_sections(TableSize size, const std::vector<int>& orders, const FitOptions& options) {
  count_random_features(size, orders, options);  // Refuses orders out of range.
  double all = 0.0;
  for (const int q : orders) all += static_cast<double>(binomial(size.d, static_cast<std::uint64_t>(q)) * size.m);
  return all < static_cast<double>(options.draw.features) ? static_cast<std::size_t>(all) : options.draw.features;
}

}  // namespace

extern const Method ssam_method = {
    .name = "ssam",
    .help = "l1-penalised regression on kernels of one and two inputs (SSAM)",
    .takes = {"order", "features", "gamma", "lambda", "tolerance", "max-iterations"},
    .complete = complete_ssam,
    .count_columns = count_sections,
    .draw =
        [](MatrixView X, const std::vector<int>& orders, const FitOptions& options) {
          return kernel_sections_by_support(X, kernel_gamma(X, orders.back(), options.kernel), orders,
                                            options.draw.features, options.seed);
        },
    // Sections of a kernel are nearly dependent: the far end of their path overfits, and first-order steps creep there.
    .grid = [](const Problem& problem, const FitOptions& options) { return lasso_grid(problem, options, 1e-2, 50); },
    .candidates =
        [](const Problem& problem, const FitOptions& options, const Grid& grid) {
          return lasso_candidates(problem, options, grid, LassoSolver::proximal_gradient);
        },
    .memory = {.tall = {.copies = 1.2}, .wide = {.copies = 0.61, .squares = 0.45}},
};

}  // namespace shrimp

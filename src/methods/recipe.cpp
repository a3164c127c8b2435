#include "methods/recipe.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "shrimp/kernels.hpp"
#include "shrimp/path.hpp"
#include "solvers/lasso.hpp"

namespace shrimp {

FeatureOptions feature_options(const FitOptions& options, const std::vector<int>& orders) {
  return {orders,         options.features,           options.law,
          options.sigma2, options.degrees_of_freedom, options.basis.value_or(Basis::fourier),
          options.seed};
}

bool Recipe::prunes_by_rate() const {
  switch (options_.method) {
    case Method::automatic:
    case Method::shrimp:
    case Method::imp_linear:
    case Method::naive_prune:
    case Method::random_prune:
      return true;
    default:
      return false;
  }
}

std::vector<double> Recipe::rates() const {
  if (!prunes_by_rate()) return {options_.prune_rates.front()};
  std::vector<double> ascending = options_.prune_rates;
  std::ranges::sort(ascending);
  return ascending;
}

bool Recipe::chooses_columns() const {
  switch (options_.method) {
    case Method::shrimp:
    case Method::imp_linear:
    case Method::random_prune:
    case Method::min_l2:
      return true;
    default:
      return false;
  }
}

bool Recipe::uses_kernel() const {
  return options_.method == Method::salsa || options_.method == Method::krr || options_.method == Method::ssam;
}

bool Recipe::needs_stored_A() const {
  return options_.method == Method::lasso || options_.method == Method::salsa || options_.method == Method::krr;
}

std::size_t Recipe::count_columns(std::size_t m, std::size_t d, const std::vector<int>& orders) const {
  const std::size_t vectors = count_weights(d, feature_options(options_, orders));  // Refuses orders out of range.
  if (uses_kernel()) return options_.method == Method::ssam ? count_sections(m, d, orders) : m;
  return options_.basis == Basis::fourier ? 2 * vectors : vectors;
}

// As many as kernel_sections_by_support makes, or a few more.
std::size_t Recipe::count_sections(std::size_t m, std::size_t d, const std::vector<int>& orders) const {
  double all = 0.0;
  for (const int q : orders) all += static_cast<double>(binomial(d, static_cast<std::uint64_t>(q)) * m);
  return all < static_cast<double>(options_.features) ? static_cast<std::size_t>(all) : options_.features;
}

std::vector<double> Recipe::kernel_gamma(MatrixView X, int order) const {
  if (options_.gamma) return std::vector<double>(X.cols, *options_.gamma);
  return options_.gamma_by_order ? fixed_gamma(X.cols, order) : salsa_gamma(X);
}

Dictionary Recipe::draw(MatrixView X, const std::vector<int>& orders) const {
  if (options_.method == Method::ssam) {
    return kernel_sections_by_support(X, kernel_gamma(X, orders.back()), orders, options_.features, options_.seed);
  }
  if (uses_kernel()) return kernel_sections(X, kernel_gamma(X, orders.back()), orders.back());
  return make_dictionary(draw_weights(X.cols, feature_options(options_, orders)), *options_.basis);
}

double Recipe::work_of(std::size_t columns) const {
  return prunes_by_rate() || options_.method == Method::min_l2 ? static_cast<double>(columns) : 1.0;
}

double Recipe::work(std::size_t columns, double rate) const {
  if (!prunes_by_rate()) return work_of(columns);
  const std::vector<std::size_t> sizes = path_sizes(columns, rate);
  return std::accumulate(sizes.begin(), sizes.end(), 0.0);
}

namespace {

// Coefficients of scaled data are hardly larger, and far smaller only where they do nothing.
std::vector<double> own_thresholds() {
  std::vector<double> thresholds;
  for (int k = -30; k <= 5; ++k) thresholds.push_back(std::pow(10.0, k / 5.0));
  return thresholds;
}

}  // namespace

Grid Recipe::grid(const Problem& problem) const {
  Grid grid;
  grid.sizes = sizes(problem.equations.y.size(), problem.dictionary.columns());
  if (options_.method == Method::stlsq) {
    grid.penalties = options_.thresholds.empty() ? own_thresholds() : options_.thresholds;
    std::ranges::sort(grid.penalties);
  } else {
    grid.penalties = options_.lambdas.empty() ? own_lambdas(problem) : options_.lambdas;
    std::ranges::sort(grid.penalties, std::greater<>());
  }
  return grid;
}

// For the Lasso from where all coefficients are zero, as scikit-learn does. For kernels relative to the largest
// eigenvalue that K can have, its trace m·K(x,x), down to where rounding would begin to count.
std::vector<double> Recipe::own_lambdas(const Problem& problem) const {
  const Equations& equations = problem.equations;
  if (options_.method == Method::lasso || options_.method == Method::ssam) {
    const double largest = lasso_lambda_max(*equations.A, equations.y, equations.total_weight);
    // Sections of a kernel are nearly dependent: the far end of their path overfits, and first-order steps creep there.
    return options_.method == Method::ssam ? lambda_grid(largest, 1e-2, 50) : lambda_grid(largest, 1e-3, 100);
  }
  if (!uses_kernel()) return {};
  const auto d = problem.dictionary.support(0).size();
  const auto value = static_cast<double>(binomial(d, static_cast<std::uint64_t>(problem.dictionary.kernel_order)));
  return lambda_grid(equations.total_weight * value, 1e-12, 25);
}

std::vector<std::size_t> Recipe::sizes(std::size_t rows, std::size_t columns) const {
  std::vector<std::size_t> sizes;
  for (const std::size_t s : options_.sparsities) sizes.push_back(s == 0 ? columns : s);
  if (!sizes.empty()) return sizes;
  if (options_.method == Method::harfe) {
    const auto s = static_cast<std::size_t>(std::llround(0.15 * static_cast<double>(rows)));
    return {std::clamp<std::size_t>(s, 1, columns)};
  }
  sizes = path_sizes(std::min(rows, columns), options_.prune_rates.front());
  if (sizes.front() < columns) sizes.insert(sizes.begin(), columns);
  return sizes;
}

std::unique_ptr<Candidates> Recipe::candidates(const Problem& problem, const Grid& grid) const {
  switch (options_.method) {
    case Method::srfe_s:
      return basis_pursuit_candidates(problem, options_, grid);
    case Method::lasso:
    case Method::ssam:
      return lasso_candidates(problem, options_, grid);
    case Method::salsa:
    case Method::krr:
      return kernel_ridge_candidates(problem, options_, grid);
    case Method::harfe:
      return hard_ridge_candidates(problem, options_, grid);
    default:
      return prune_candidates(problem, options_, grid);
  }
}

}  // namespace shrimp

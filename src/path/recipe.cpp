#include "path/recipe.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "shrimp/errors.hpp"
#include "shrimp/path.hpp"

namespace shrimp {

FeatureOptions feature_options(const FitOptions& options, const std::vector<int>& orders) {
  return {orders,         options.features,           options.law,
          options.sigma2, options.degrees_of_freedom, options.basis.value_or(Basis::fourier),
          options.seed};
}

bool Recipe::prunes_by_rate() const {
  switch (options_.method) {
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

std::size_t Recipe::count_columns(std::size_t /*m*/, std::size_t d, const std::vector<int>& orders) const {
  const std::size_t vectors = count_weights(d, feature_options(options_, orders));
  return options_.basis == Basis::fourier ? 2 * vectors : vectors;
}

Dictionary Recipe::draw(MatrixView X, const std::vector<int>& orders) const {
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

Grid Recipe::grid(const Problem& problem) const {
  Grid grid;
  grid.sizes = sizes(problem.equations.y.size(), problem.dictionary.columns());
  if (options_.method == Method::stlsq) {
    grid.penalties = options_.thresholds;
    if (grid.penalties.empty()) {
      for (int k = -30; k <= 5; ++k) grid.penalties.push_back(std::pow(10.0, k / 5.0));
    }
  }
  return grid;
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
    case Method::harfe:
      return hard_ridge_candidates(problem, options_, grid);
    default:
      return prune_candidates(problem, options_, grid);
  }
}

}  // namespace shrimp

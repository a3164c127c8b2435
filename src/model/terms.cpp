#include "model/terms.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "features/supports.hpp"
#include "model/components.hpp"

namespace shrimp {
namespace {

struct ThinnedRows {
  Matrix X;
  std::vector<double> weights;
};

// Rows spread evenly over the data: enough for shares, few enough for large dictionaries.
ThinnedRows thin_rows(MatrixView X, std::span<const double> weights, std::size_t columns,
                      std::size_t kernel_cost_of_a_row) {
  constexpr std::size_t most_evaluations = 4'000'000;
  constexpr std::size_t fewest = 256;
  constexpr std::size_t most_kernel_cost = 1'000'000'000;
  constexpr std::size_t fewest_of_kernels = 64;
  const auto limited = [](std::size_t least, std::size_t budget, std::size_t cost) {
    return std::max(least, budget / std::max<std::size_t>(1, cost));
  };
  const std::size_t rows = std::min({X.rows, limited(fewest, most_evaluations, columns),
                                     limited(fewest_of_kernels, most_kernel_cost, kernel_cost_of_a_row)});
  ThinnedRows thinned{Matrix::uninitialized(rows, X.cols), std::vector<double>(rows, 1.0)};
  for (std::size_t j = 0; j < X.cols; ++j) {
    for (std::size_t i = 0; i < rows; ++i) thinned.X(i, j) = X(i * X.rows / rows, j);
  }
  for (std::size_t i = 0; i < rows && !weights.empty(); ++i) thinned.weights[i] = weights[i * X.rows / rows];
  return thinned;
}

double variance(std::span<const double> values, std::span<const double> weights) {
  double total = 0.0;
  double mean = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    total += weights[i];
    mean += weights[i] * values[i];
  }
  if (!(total > 0.0)) return 0.0;
  mean /= total;
  double sum = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += weights[i] * (values[i] - mean) * (values[i] - mean);
  return sum / total;
}

}  // namespace

std::vector<Term> make_terms(const Dictionary& dictionary, const std::vector<Marginal>& marginals, MatrixView X,
                             std::span<const double> weights, std::span<const double> coefficients) {
  const ThinnedRows rows = thin_rows(X, weights, dictionary.columns(), kernel_groups(dictionary).cost_of_a_row);
  Components components = anova_components(dictionary, coefficients, marginals, rows.X);
  components.erase(Variables());

  const auto columns = columns_by_support(dictionary);
  double total = 0.0;
  std::vector<Term> terms;
  for (const auto& [variables, values] : components) {
    const auto own = columns.find(variables);
    terms.push_back({variables, own == columns.end() ? 0 : own->second.size(), variance(values, rows.weights), {}});
    total += terms.back().share;
  }
  for (Term& term : terms) term.share = total > 0.0 ? term.share / total : 0.0;
  constexpr double negligible = 1e-12;
  std::erase_if(terms, [](const Term& term) { return term.columns == 0 && term.share < negligible; });
  std::ranges::stable_sort(terms, std::greater<>(), &Term::share);
  return terms;
}

}  // namespace shrimp

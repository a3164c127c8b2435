#include "model/terms.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "data/marginals.hpp"
#include "data/standardize.hpp"
#include "features/supports.hpp"
#include "model/background.hpp"
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

constexpr std::size_t few_inputs = 3;

bool has_many_inputs(const Dictionary& dictionary) {
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    if (dictionary.support(k).size() > few_inputs) return true;
  }
  return false;
}

// The variances of what takes more than three inputs.
double variance_above_three(const Anova& anova, std::span<const double> weights) {
  double sum = 0.0;
  for (const auto& [variables, values] : anova.components) {
    if (variables.size() <= few_inputs) continue;
    const auto part = anova.above_three.find(variables);
    sum += weighted_variance(part == anova.above_three.end() ? values : part->second, weights);
  }
  return sum;
}

std::vector<double> sum_of(const Components& components, std::size_t rows) {
  std::vector<double> sum(rows, 0.0);
  for (const auto& [variables, values] : components) {
    for (std::size_t i = 0; i < rows; ++i) sum[i] += values[i];
  }
  return sum;
}

}  // namespace

TermShares make_terms(const Dictionary& dictionary, const std::vector<Marginal>& marginals, MatrixView X,
                      std::span<const double> weights, std::span<const double> coefficients) {
  const ThinnedRows rows = thin_rows(X, weights, dictionary.columns(), kernel_groups(dictionary).cost_of_a_row);
  Anova anova = anova_components(dictionary, coefficients, marginals, rows.X);
  anova.components.erase(Variables());

  const auto columns = columns_by_support(dictionary);
  double total = 0.0;
  TermShares shares;
  std::vector<Term>& terms = shares.terms;
  for (const auto& [variables, values] : anova.components) {
    const auto own = columns.find(variables);
    terms.push_back(
        {variables, own == columns.end() ? 0 : own->second.size(), weighted_variance(values, rows.weights), {}});
    total += terms.back().fraction;
  }
  const double whole = weighted_variance(sum_of(anova.components, rows.X.rows()), rows.weights);
  if (whole > 0.0) shares.covariance = 1.0 - total / whole;
  for (Term& term : terms) term.fraction = total > 0.0 ? term.fraction / total : 0.0;
  constexpr double negligible = 1e-12;
  std::erase_if(terms, [](const Term& term) { return term.basis_functions == 0 && term.fraction < negligible; });
  std::ranges::stable_sort(terms, std::greater<>(), &Term::fraction);
  if (has_many_inputs(dictionary) && !anova.whole && total > 0.0) {
    shares.above_three = std::min(1.0, variance_above_three(anova, rows.weights) / total);
  }
  return shares;
}

namespace {

bool contains(const Term& large, const Term& small) {
  return large.variables.size() > small.variables.size() && std::ranges::includes(large.variables, small.variables);
}

// Without some terms that have no columns; each counts to the first of the others that has all its inputs.
std::vector<Term> without(std::vector<Term> terms, const std::vector<Term>& dropped) {
  std::erase_if(terms, [&](const Term& term) {
    return std::ranges::find(dropped, term.variables, &Term::variables) != dropped.end();
  });
  for (const Term& term : dropped) {
    std::ranges::find_if(terms, [&](const Term& other) { return contains(other, term); })->fraction += term.fraction;
  }
  std::ranges::stable_sort(terms, std::greater<>(), &Term::fraction);
  return terms;
}

}  // namespace

std::vector<Term> without_what_the_sample_made(std::vector<Term> terms, std::size_t m) {
  constexpr double standard_errors = 2.0;
  const auto made_by_the_sample = [&](const Term& term) {
    double containing = 0.0;
    for (const Term& other : terms) containing += contains(other, term) ? other.fraction : 0.0;
    return term.basis_functions == 0 &&
           term.fraction < standard_errors * standard_errors * containing / static_cast<double>(m);
  };
  std::vector<Term> dropped;
  std::ranges::copy_if(terms, std::back_inserter(dropped), made_by_the_sample);
  return without(std::move(terms), dropped);
}

TermShares terms_after_loss(const Model& model, const std::vector<Term>& before) {
  constexpr std::size_t points = 2048;
  const std::vector<Marginal> marginals = scale_marginals(model.marginals, model.scaling);
  TermShares shares =
      make_terms(model.dictionary, marginals, background_points(marginals, points), {}, model.coefficients);
  std::vector<Term> dropped;
  for (Term& term : shares.terms) {
    const bool is_new = std::ranges::find(before, term.variables, &Term::variables) == before.end();
    if (is_new && term.basis_functions == 0) dropped.push_back(term);
  }
  shares.terms = without(std::move(shares.terms), dropped);
  return shares;
}

}  // namespace shrimp

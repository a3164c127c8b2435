#include <fmt/format.h>

#include <algorithm>

#include "data/marginals.hpp"
#include "data/standardize.hpp"
#include "model/components.hpp"
#include "shrimp/explain.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// The column of a component: its term's, or, where it was too small to be listed, that of the first term that has all
// its inputs. No inputs: the constant's.
std::size_t column_of(const Variables& variables, const std::vector<Term>& terms) {
  if (variables.empty()) return 0;
  const auto own = std::ranges::find(terms, variables, &Term::variables);
  if (own != terms.end()) return 1 + static_cast<std::size_t>(own - terms.begin());
  const auto containing =
      std::ranges::find_if(terms, [&](const Term& term) { return std::ranges::includes(term.variables, variables); });
  return containing == terms.end() ? 0 : 1 + static_cast<std::size_t>(containing - terms.begin());
}

}  // namespace

Matrix term_values(const Model& model, MatrixView X, int threads) {
  if (X.cols != model.inputs.size()) {
    throw std::invalid_argument(
        fmt::format("X has {} columns where the model has {} inputs.", X.cols, model.inputs.size()));
  }
  if (model.marginals.empty() && model.dictionary.columns() > 0) {
    throw std::invalid_argument(
        "this model was saved without its inputs' marginals, which terms are taken from.\nFit it again.");
  }
  const ThreadScope scope(threads);
  const std::vector<Marginal> marginals = scale_marginals(model.marginals, model.scaling);
  Matrix values(X.rows, 1 + model.terms.size());
  constexpr std::size_t block_rows = 4096;  // Bounds the memory beside the values themselves.
  for (std::size_t first = 0; first < X.rows; first += block_rows) {
    const std::size_t rows = std::min(block_rows, X.rows - first);
    const Matrix Z = scale_inputs({X.data + first, rows, X.cols, X.stride}, model.scaling);
    const Anova anova = anova_components(model.dictionary, model.coefficients, marginals, Z);
    for (const auto& [variables, component] : anova.components) {
      double* column = values.col(column_of(variables, model.terms)).data() + first;
      for (std::size_t i = 0; i < rows; ++i) column[i] += model.scaling.target_scale * component[i];
    }
  }
  for (double& value : values.col(0)) value += model.scaling.target_mean;
  return values;
}

}  // namespace shrimp

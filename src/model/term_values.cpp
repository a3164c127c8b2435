#include <algorithm>

#include "model/visit_components.hpp"
#include "shrimp/explain.hpp"

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
  Matrix values(X.rows, 1 + model.terms.size());
  visit_components(model, X, threads, "terms",
                   [&](const Variables& variables, std::span<const double> component, std::size_t first) {
                     double* column = values.col(column_of(variables, model.terms)).data() + first;
                     for (std::size_t i = 0; i < component.size(); ++i) {
                       column[i] += model.scaling.target_scale * component[i];
                     }
                   });
  for (double& value : values.col(0)) value += model.scaling.target_mean;
  return values;
}

}  // namespace shrimp

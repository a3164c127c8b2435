#include "model/visit_components.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "data/marginals.hpp"
#include "data/standardize.hpp"
#include "threads/threads.hpp"

namespace shrimp {

void visit_components(
    const Model& model, MatrixView X, int threads, const char* what,
    const std::function<void(const Variables& variables, std::span<const double> component, std::size_t first)>& body) {
  if (X.cols != model.inputs.size()) {
    throw std::invalid_argument(
        fmt::format("X has {} columns, but the model has {} inputs.", X.cols, model.inputs.size()));
  }
  if (model.marginals.empty() && model.dictionary.columns() > 0) {
    throw std::invalid_argument(
        fmt::format("computing {} needs the marginal distributions of the inputs, which this model was saved "
                    "without.\nFit it again.",
                    what));
  }
  const ThreadScope scope(threads);
  const std::vector<Marginal> marginals = scale_marginals(model.marginals, model.scaling);
  constexpr std::size_t block_rows = 4096;  // Bounds the memory beside what the caller makes of them.
  for (std::size_t first = 0; first < X.rows; first += block_rows) {
    const std::size_t rows = std::min(block_rows, X.rows - first);
    const Matrix Z = scale_inputs({X.data + first, rows, X.cols, X.stride}, model.scaling);
    const Anova anova = anova_components(model.dictionary, model.coefficients, marginals, Z);
    for (const auto& [variables, component] : anova.components) body(variables, component, first);
  }
}

}  // namespace shrimp

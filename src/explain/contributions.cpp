#include "shrimp/contributions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "data/marginals.hpp"
#include "data/standardize.hpp"
#include "model/components.hpp"
#include "threads/threads.hpp"

namespace shrimp {

Matrix input_values(const Model& model, MatrixView X, int threads) {
  if (X.cols != model.inputs.size()) {
    throw std::invalid_argument(
        fmt::format("X has {} columns where the model has {} inputs.", X.cols, model.inputs.size()));
  }
  if (model.marginals.empty() && model.dictionary.columns() > 0) {
    throw std::invalid_argument(
        "this model was saved without its inputs' marginals, which parts are taken from.\nFit it again.");
  }
  const ThreadScope scope(threads);
  const std::vector<Marginal> marginals = scale_marginals(model.marginals, model.scaling);
  Matrix values(X.rows, 1 + model.inputs.size());
  constexpr std::size_t block_rows = 4096;  // Bounds the memory beside the values themselves.
  for (std::size_t first = 0; first < X.rows; first += block_rows) {
    const std::size_t rows = std::min(block_rows, X.rows - first);
    const Matrix Z = scale_inputs({X.data + first, rows, X.cols, X.stride}, model.scaling);
    const Anova anova = anova_components(model.dictionary, model.coefficients, marginals, Z);
    for (const auto& [variables, component] : anova.components) {
      const double part = model.scaling.target_scale / std::max(1.0, static_cast<double>(variables.size()));
      const auto add = [&](std::size_t column) {
        double* to = values.col(column).data() + first;
        for (std::size_t i = 0; i < rows; ++i) to[i] += part * component[i];
      };
      if (variables.empty()) add(0);
      for (const std::uint32_t j : variables) add(1 + j);
    }
  }
  for (double& value : values.col(0)) value += model.scaling.target_mean;
  return values;
}

}  // namespace shrimp

#include "shrimp/contributions.hpp"

#include <algorithm>

#include "model/visit_components.hpp"

namespace shrimp {

Matrix input_values(const Model& model, MatrixView X, int threads) {
  Matrix values(X.rows, 1 + model.inputs.size());
  visit_components(model, X, threads, "parts",
                   [&](const Variables& variables, std::span<const double> component, std::size_t first) {
                     const auto sharing = std::max(1.0, static_cast<double>(variables.size()));
                     const double part = model.scaling.target_scale / sharing;
                     const auto add = [&](std::size_t column) {
                       double* to = values.col(column).data() + first;
                       for (std::size_t i = 0; i < component.size(); ++i) to[i] += part * component[i];
                     };
                     if (variables.empty()) add(0);
                     for (const std::uint32_t j : variables) add(1 + j);
                   });
  for (double& value : values.col(0)) value += model.scaling.target_mean;
  return values;
}

}  // namespace shrimp

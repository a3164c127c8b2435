// Contributions of inputs to a prediction: Shapley values.
#pragma once

#include "shrimp/matrix.hpp"
#include "shrimp/model.hpp"

namespace shrimp {

/// Divides predictions among inputs. Column 0 is the constant, and column 1 + j is the contribution of input j, in the
/// units of term_values (shrimp/explain.hpp). Rows have equal sums in both.
///
/// Each component f_u is divided evenly among its inputs. This gives the Shapley values of E[f | x_v] for independent
/// inputs with the model's marginals, which SHAP calls interventional. Components of more than four inputs that are not
/// listed (docs/reference/model-file.md) are divided evenly as a whole, which is an approximation. Throws as
/// term_values does.
[[nodiscard]] Matrix input_values(const Model& model, MatrixView X, int threads = 0);

}  // namespace shrimp

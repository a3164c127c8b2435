// What each input adds to a prediction: Shapley values.
#pragma once

#include "shrimp/matrix.hpp"
#include "shrimp/model.hpp"

namespace shrimp {

/// The prediction shared out among inputs: column 0 is the constant, column 1 + j the part of input j, in the units of
/// term_values (shrimp/explain.hpp); rows sum to the same. Each component f_u is divided evenly among its inputs, which
/// gives the Shapley values of E[f | x_v], inputs independent with the model's marginals (SHAP calls them
/// interventional). What a component on more than four inputs keeps unlisted (docs/reference/model-file.md) is divided
/// so, too, though it holds smaller ones: there the values are near Shapley's. Throws as term_values does.
[[nodiscard]] Matrix input_values(const Model& model, MatrixView X, int threads = 0);

}  // namespace shrimp

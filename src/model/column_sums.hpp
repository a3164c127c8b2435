// What a model's columns add up to.
#pragma once

#include <span>

#include "shrimp/model.hpp"

namespace shrimp {

/// Adds Σ_k c_k φ_k on the rows of Z, which are scaled.
void add_columns(const Model& model, MatrixView Z, std::span<double> sums);

}  // namespace shrimp

// Some of a model's columns, and sums over rows of these alone.
#pragma once

#include <span>

#include "shrimp/model.hpp"
#include "update/summary_content.hpp"

namespace shrimp {

/// The model of these columns, ascending, with the coefficients that they had. Its terms are those of the whole.
Model with_columns(const Model& model, std::span<const std::size_t> kept);

/// Sums of the constant's column and these, which are numbered as in the model.
TriangularSystem with_columns(const TriangularSystem& sums, std::span<const std::size_t> kept);

/// A summary of the rows for `smaller`, the model of these columns.
ModelSummary with_columns(const ModelSummary& summary, std::span<const std::size_t> kept, const Model& smaller);

}  // namespace shrimp

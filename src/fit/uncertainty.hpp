// How sure a fitted model is (shrimp/model.hpp: Uncertainty).
//
// Rows that the fit did without, or a fold of it, tell how far targets lie from predictions.
#pragma once

#include <optional>

#include "fit/left_out_rows.hpp"
#include "fit/selection.hpp"

namespace shrimp {

struct FittedRows {
  const Rows& rows;            ///< Those that the coefficients were fitted to, or a part of them, in scaled units.
  double weight = 0.0;         ///< Of all that they were fitted to.
  bool with_constant = false;  ///< Whether the constant was fitted beside the columns.
  double mean_square = 0.0;    ///< Of what the coefficients leave of these rows, where that is known.
  bool least_squares = false;  ///< Whether coefficients are those of least squares or of the model's ridge.
};

/// None where nothing tells.
std::optional<Uncertainty> uncertainty_of(const Model& model, const FittedRows& fitted, const LeftOutRows& left_out);

}  // namespace shrimp

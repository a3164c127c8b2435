// Predictions and errors in the target's own units, where it was fitted in another form.
#pragma once

#include "data/rows.hpp"
#include "grow/finish.hpp"
#include "shrimp/scaling.hpp"

namespace shrimp {

/// The sum of the model's columns and constant in every row of X.
std::vector<double> predict_sums(const Finished& model, MatrixView X);

/// A scaled target in its own units.
double own_target(const Scaling& scaling, double y);

/// What brings predictions of the model, which was fitted to these rows, to means of the target: by its residuals, made
/// as large as its error on rows left out.
double correction_of(const Finished& model, const Rows& fitted, const Scaling& scaling);

/// Of sums beside the rows' target, in the target's own units over the square of its scale, so that both kinds of error
/// have the same unit; without a form, in the scaled units.
double own_squared_error(const Scaling& scaling, double y, double sum);

}  // namespace shrimp

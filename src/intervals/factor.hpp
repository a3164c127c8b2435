// The covariance of a model's coefficients in use.
#pragma once

#include <vector>

#include "intervals/posterior.hpp"
#include "shrimp/model.hpp"

namespace shrimp {

/// The posterior's factor as a model keeps it, in units of σ; none where it overflows.
std::vector<float> kept_factor(const Posterior& posterior);

/// F of the model, 1 + its columns × as many as are kept; without columns where it is not known.
Matrix factor_of(const Model& model);

/// Whether F tells how sure predictions of single rows are. That of a kernel's sections does not: far from their
/// centres they are 0, and what they are unsure of there would not be in it.
bool tells_of_rows(const Model& model);

/// F for curves and shares, of which no rows left out tell how far they are off. The columns were chosen by the rows
/// that their coefficients were fitted to, and look surer than they are: on the paper's functions under noise, indices
/// vary by 1.0 to 1.3 times what F says (`scripts/bench --only intervals`). This one is 1.2 times F.
Matrix factor_of_curves(const Model& model);

/// ‖Fᵀφ‖² for every row of columns, before which φ has a 1.
std::vector<double> variances_of_sums(const Matrix& F, const Matrix& columns);

/// Throws OptionError unless it lies between 0 and 1.
void require_level(double level);

}  // namespace shrimp

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

/// ‖Fᵀφ‖² for every row of columns, before which φ has a 1.
std::vector<double> variances_of_sums(const Matrix& F, const Matrix& columns);

/// Throws OptionError unless it lies between 0 and 1.
void require_level(double level);

}  // namespace shrimp

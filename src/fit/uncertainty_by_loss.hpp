// Uncertainty of models under losses with a link (shrimp/model.hpp: Uncertainty).
//
// At the fit, the loss is that of weighted least squares, whose posterior is normal: Laplace's approximation (Rasmussen
// and Williams, 2006, ch. 3). With working weights W times row weights, ridge penalty λ and dispersion φ, coefficients
// have the covariance φ (AᵀWA + λI)⁻¹.
#pragma once

#include <optional>

#include "fit/selection.hpp"
#include "shrimp/model.hpp"

namespace shrimp {

/// None if the intervals of the loss need held-out rows and there are none.
std::optional<Uncertainty> uncertainty_by_loss(const Model& model, const ModelFrame& frame, const Choice& choice);

}  // namespace shrimp

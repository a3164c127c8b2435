// The functional ANOVA of a sum of columns.
//
// Columns on different supports can cancel each other, so what a support's columns add up to says little. The
// ANOVA components
//   f_u(x) = Σ_{v ⊆ u} (−1)^{|u|−|v|} E[f | x_v],   inputs independent with the training rows' marginals,
// are unique: f_u holds just what the inputs u do together and no fewer of them can do, and they sum to f. For Fourier
// columns the expectations are products of the marginals' characteristic functions φ_j(w) = E exp(i w x_j):
//   exp(i⟨x,w⟩) = Σ_{u ⊆ S} Π_{j ∉ u} φ_j(w_j) · Π_{j ∈ u} (exp(i w_j x_j) − φ_j(w_j)).
// Kernel columns factorise likewise (model/kernel_components.hpp). Other bases are averaged over the marginals, or over
// a sample of their product.
//
// Kernel products on more than four inputs give their components of up to three, and what is left as one of the whole
// support (model/wide_components.hpp). Other supports of more than four inputs, and kernel columns of more than some
// thousands of components, are not taken apart: they keep what their columns add up to, less its mean.
#pragma once

#include <span>
#include <vector>

#include "model/kernel_components.hpp"
#include "shrimp/model.hpp"

namespace shrimp {

struct Anova {
  Components components;   ///< The constant E f is that of no inputs.
  Components above_three;  ///< Of supports that keep what is left: what of it is of more than three inputs.
  bool whole = false;      ///< Whether some columns were not taken apart.
};

/// The components of Σ_k c_k φ_k on the rows of X. Marginals are in the units of X and have values for every input that
/// a column looks at.
Anova anova_components(const Dictionary& dictionary, std::span<const double> coefficients,
                       const std::vector<Marginal>& marginals, MatrixView X);

}  // namespace shrimp

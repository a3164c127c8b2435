// A model's terms: its functional ANOVA.
//
// Columns on different supports can cancel each other, so what a support's columns add up to says little. The
// ANOVA components
//   f_u(x) = Σ_{v ⊆ u} (−1)^{|u|−|v|} E[f | x_v],   inputs independent with the training rows' marginals,
// are unique: f_u holds just what the inputs u do together and no fewer of them can do. For Fourier columns the
// expectations are products of the inputs' empirical characteristic functions φ_j(w) = mean_i exp(i w x_ij):
//   exp(i⟨x,w⟩) = Σ_{u ⊆ S} Π_{j ∉ u} φ_j(w_j) · Π_{j ∈ u} (exp(i w_j x_j) − φ_j(w_j)).
// Kernel columns factorise likewise (model/kernel_components.hpp). Other bases average over training rows. A term's
// share is its component's part of the sum of their variances over the training rows. Supports of more than four
// inputs, and kernel columns of more than some thousands of components, are not taken apart.
#pragma once

#include <span>
#include <vector>

#include "shrimp/model.hpp"

namespace shrimp {

/// Terms of Σ_k c_k φ_k on the (scaled) training inputs X, largest share first.
std::vector<Term> make_terms(const Dictionary& dictionary, MatrixView X, std::span<const double> coefficients);

}  // namespace shrimp

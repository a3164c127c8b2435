// ANOVA components of kernel columns (model/components.hpp), which factorise as Fourier columns do. With κ_j for
// an input's factor (shrimp/kernels.hpp) and μ_j for its mean over the input's marginal,
//   E_k(κ_j : j ∈ S) = Σ_{u ⊆ S, |u| ≤ k} E_{k−|u|}(μ_j : j ∈ S∖u) · Π_{j ∈ u} (κ_j − μ_j).
// A kernel of low degree has few components even on a large support.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "shrimp/features.hpp"
#include "shrimp/matrix.hpp"
#include "shrimp/model.hpp"

namespace shrimp {

using Variables = std::vector<std::uint32_t>;
using Components = std::map<Variables, std::vector<double>>;         // f_u on the rows looked at.
using ColumnGroups = std::map<Variables, std::vector<std::size_t>>;  // Columns by their support.

/// The kernel columns that are taken apart.
struct KernelGroups {
  ColumnGroups all;               ///< Those with all their components.
  ColumnGroups wide;              ///< Products on more than four inputs (model/wide_components.hpp).
  std::size_t cost_of_a_row = 0;  ///< In multiplications, about.
};

/// Columns of up to 6000 components, as long as a few dozen rows take less than a second or so.
KernelGroups kernel_groups(const Dictionary& dictionary);

/// Adds all components of the groups' columns, with coefficients c, on the rows of X; the constant to that of no
/// inputs.
void add_kernel_components(const Dictionary& dictionary, std::span<const double> c, const ColumnGroups& groups,
                           const std::vector<Marginal>& marginals, MatrixView X, Components& components);

}  // namespace shrimp

// Components of product columns on many inputs, of which there are too many to list them all.
//
// With κ_j for the factor of input j and μ_j for its mean over the input's marginal, the component of u is
//   Π_{j ∉ u} μ_j · Π_{j ∈ u} (κ_j − μ_j).
// Those of one, two and three inputs are given one by one; what is left is one component of the whole support. Of many
// inputs, those of all single ones are given, of pairs and triples among the inputs that do most, by their total
// effects E Var(f | all others) over the product of the marginals.
//
// The sum of all components of k inputs needs no list: it is built up input by input, E_k ← μ_j E_k + (κ_j − μ_j)
// E_{k−1}. So the part of the model that takes more than three inputs is known, whatever is listed.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "model/kernel_components.hpp"

namespace shrimp {

/// How many components are listed for columns on so many inputs.
std::size_t wide_component_count(std::size_t inputs);

/// Adds the components of the groups' kernel columns, products all, on the rows of X, and the constant to that of no
/// inputs. `above_three` gets what of the component of each support is of more than three inputs.
void add_wide_components(const Dictionary& dictionary, std::span<const double> c, const ColumnGroups& groups,
                         const std::vector<Marginal>& marginals, MatrixView X, Components& components,
                         Components& above_three);

}  // namespace shrimp

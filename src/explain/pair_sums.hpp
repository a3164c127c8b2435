// Variances of what products on many inputs have in components of more than two inputs, which are too many to list.
//
// With g_j = Cov of two products' factors along input j and m_j the product of their means, their covariance over all
// components of k inputs is E_k, built up input by input: E_k ← m_j E_k + g_j E_{k−1}. Those of three and more, summed
// over all pairs of products, are what the large components have together; with g_i alone for the factor of input i,
// what those with input i have.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "explain/products.hpp"

namespace shrimp {

struct LargeComponents {
  double variance = 0.0;         ///< Of all components of more than two inputs.
  std::vector<double> by_input;  ///< Of those that have this input; one per input of the model.
};

/// Of the products with these numbers, full products all, for each set of amplitudes of all products.
[[nodiscard]] std::vector<LargeComponents> large_components(const Separated& model,
                                                            std::span<const std::size_t> products,
                                                            const std::vector<std::vector<Complex>>& amplitudes);

}  // namespace shrimp

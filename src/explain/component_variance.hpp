// The variance of one ANOVA component of a model that was taken apart (explain/products.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "explain/products.hpp"

namespace shrimp {

/// What has a component of u, found once and used for any coefficients.
struct Component {
  std::vector<std::uint32_t> variables;
  std::vector<std::size_t> products;
  std::vector<Complex> weights;  ///< weight_outside of each product.
  std::vector<std::size_t> curves;
};

[[nodiscard]] Component component_of(const Separated& model, std::vector<std::uint32_t> variables);

/// A curve group's sum of columns at all points of its inputs' grid, the first input fastest.
[[nodiscard]] std::vector<double> curve_values(const Separated& model, const Dictionary& dictionary,
                                               const CurveGroup& group, std::span<const double> coefficients);

/// Var f_u. `amplitudes` has one for each product, `curves` the values of each curve group.
[[nodiscard]] double component_variance(const Separated& model, const Component& component,
                                        std::span<const Complex> amplitudes,
                                        const std::vector<std::vector<double>>& curves);

/// Whether sums over pairs of products cost less than the sum of products does, for many sets of amplitudes at once: in
/// a component of products alone, where functions of an input have many dimensions.
[[nodiscard]] bool has_cheaper_pairs(const Separated& model, const Component& component);

/// The variance by such sums for each set. They lose digits where coefficients cancel.
[[nodiscard]] std::vector<double> component_variances(const Separated& model, const Component& component,
                                                      const std::vector<std::vector<Complex>>& amplitudes);

}  // namespace shrimp

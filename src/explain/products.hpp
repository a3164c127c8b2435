// A model's columns as products of functions of one input, and these in few coordinates.
//
// cos and sin of ⟨x,w⟩ are real parts of products of exp(i w_j x_j), kernel sections are products of κ_j, or sums of
// products of k of them, E_k; a line is a sum of functions of one input, and any function of one input is one. The
// ANOVA component of u of such a product is
//   E_{k−|u|}(μ_j : j ∉ u) · Π_{j ∈ u} (g_j − μ_j),   μ_j = E g_j,
// where a full product has k = |S|. Along an input, all g_j − μ_j lie in a space of few dimensions, up to rounding:
// with an orthonormal basis of it (of L² of the input's law), the variance of a sum of components is the squared length
// of a sum of tensors of coordinates. That keeps the digits that a quadratic form of large coefficients would lose.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "explain/input_laws.hpp"
#include "shrimp/model.hpp"

namespace shrimp {

using Complex = std::complex<double>;

/// All functions of one input.
struct Axis {
  Matrix real;       ///< Coordinate by function: of g − μ, and …
  Matrix imaginary;  ///< … its imaginary part; 0×0 where all functions are real.
  std::vector<Complex> means;
  /// Only where columns of several inputs are no products: the coordinates are values at these points, times the roots
  /// of their masses.
  Marginal points;

  [[nodiscard]] std::size_t dimensions() const { return real.rows(); }
  [[nodiscard]] bool is_complex() const { return imaginary.cols() > 0; }
};

/// The real part of amplitude·E_degree(g_j : j ∈ inputs).
struct Product {
  std::vector<std::uint32_t> inputs;   ///< Ascending.
  std::vector<std::size_t> functions;  ///< Of each input: its place in the axis.
  std::size_t degree = 0;
  bool is_wave = false;                                  ///< Real otherwise.
  std::vector<std::pair<std::size_t, Complex>> columns;  ///< The amplitude is Σ c_column·factor.

  [[nodiscard]] Complex amplitude(std::span<const double> coefficients) const;
};

/// Columns φ(⟨x,w⟩ + b) that are no products, of one support.
struct CurveGroup {
  std::vector<std::uint32_t> inputs;
  std::vector<std::size_t> columns;
};

struct Separated {
  std::vector<Axis> axes;  ///< One per input; of no functions where no column looks at it.
  std::vector<Product> products;
  std::vector<CurveGroup> curves;
};

/// Takes the model apart for inputs of these laws, one per input.
[[nodiscard]] Separated separate(const Model& model, const std::vector<InputLaw>& laws);

/// E_k(μ_j : j ∈ inputs of the product that are not in u), k what the degree leaves; u ascends and is part of its
/// inputs.
[[nodiscard]] Complex weight_outside(const Separated& model, const Product& product, std::span<const std::uint32_t> u);

}  // namespace shrimp

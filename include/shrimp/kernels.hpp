// Kernel models as dictionaries. One kernel serves them all:
//
//   K(x, z) = E_k(κ_j(x_j, z_j) : j ∈ S),
//
// E_k the elementary symmetric polynomial of degree k, the sum over all k-subsets of S of products. κ_j(a, b) is the
// kernel of random Fourier features of one input, by the law of their weights:
//
//   normal      exp(−γ_j (a − b)²)         Gaussian
//   student_t   (1 + r) exp(−r)            Matérn 3/2, r = γ_j |a − b|; three degrees of freedom
//   cauchy      exp(−γ_j |a − b|)          Laplace
//
// k = |S| is the product kernel on S; S = all inputs and k = q is the additive kernel of SALSA (K. Kandasamy and Y. Yu,
// Additive Approximations in High Dimensional Nonparametric Regression via the SALSA, ICML 2016). A column is a section
// x ↦ K(x, z) of it: its weight vector is the centre z on S, its function Function::kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shrimp/features.hpp"
#include "shrimp/matrix.hpp"

namespace shrimp {

/// What is added to K(z, z) = 1 before the kernel at centres is factorised: where centres nearly agree, it is singular.
inline constexpr double kernel_jitter = 1e-8;

/// One column for every row of `centres`, over all inputs, of degree 1 ≤ order ≤ d. Throws OptionError for another
/// order, for one so large that K overflows (K(z, z) = C(d, order)), and unless gamma is d positive numbers.
[[nodiscard]] Dictionary kernel_sections(MatrixView centres, std::vector<double> gamma, int order);

/// One column for every row of `centres`: the product over the inputs of one support, which ascend. gamma has a
/// positive number for every input, those outside the support for nothing. Throws OptionError where it has not, for a
/// support that is empty, does not ascend or names an input that is not there, and for a law without a kernel.
[[nodiscard]] Dictionary kernel_sections_on(MatrixView centres, std::vector<std::uint32_t> support,
                                            std::vector<double> gamma, Law law);

/// Products on every support of every order times every centre, support after support. Where these are more than
/// `most` columns, the orders share `most` as in draw_weights, and a support gets as many centres as its share allows,
/// without repetition; they depend on (seed, support, their number, the number of rows) alone. Throws OptionError for
/// orders that do not ascend within 1 … d, most < 1, no centres, and unless gamma is d positive numbers.
[[nodiscard]] Dictionary kernel_sections_by_support(MatrixView centres, std::vector<double> gamma,
                                                    std::span<const int> orders, std::size_t most, std::uint64_t seed);

/// K(x_i, x_j) of all rows of X, symmetric to the bit: evaluate(kernel_sections(X, gamma, order), X) in half the time.
[[nodiscard]] Matrix kernel_matrix(MatrixView X, std::span<const double> gamma, int order);

/// The same of products on one support: evaluate(kernel_sections_on(X, support, gamma, law), X).
[[nodiscard]] Matrix kernel_matrix_on(MatrixView X, std::span<const std::uint32_t> support,
                                      std::span<const double> gamma, Law law);

/// γ_j = 1/(2 h_j²), h_j = 20·std_j·m^(−1/5), the bandwidths of Kandasamy and Yu (2016); a constant column counts as
/// one of standard deviation 1.
[[nodiscard]] std::vector<double> salsa_gamma(MatrixView X);

/// γ_j = 1/(2q): the kernel Σ_{|S| = q} exp(−‖x_S − x'_S‖²/(2q)).
[[nodiscard]] std::vector<double> fixed_gamma(std::size_t d, int q);

}  // namespace shrimp

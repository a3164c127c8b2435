// Kernel models as dictionaries. All kernels have the form
//
//     K(x, z) = E_k(κ_j(x_j, z_j) : j ∈ S).
//
// E_k is the elementary symmetric polynomial of degree k: the sum over all k-subsets of S of products. κ_j(a, b) is the
// kernel of random Fourier features of one input, for each frequency distribution:
//
//     normal      exp(−γ_j (a − b)²)         Gaussian
//     student_t   (1 + r) exp(−r)            Matérn-3/2, r = γ_j |a − b|; three degrees of freedom
//     cauchy      exp(−γ_j |a − b|)          Laplacian
//
// k = |S| gives the product kernel on S. S = all inputs and k = q give the additive kernel of SALSA (K. Kandasamy and
// Y. Yu, Additive Approximations in High Dimensional Nonparametric Regression via the SALSA, ICML 2016). A column of
// the dictionary is x ↦ K(x, z): its weight vector is the landmark z on S, and its function is Function::kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shrimp/features.hpp"
#include "shrimp/matrix.hpp"

namespace shrimp {

/// Added to the diagonal K(z, z) = 1 of the kernel matrix of landmarks before its factorisation. The matrix is singular
/// if landmarks nearly coincide. Chosen by hand.
inline constexpr double kernel_jitter = 1e-8;

/// One column per row of `centres` (landmarks), on all inputs, of degree 1 ≤ order ≤ d. Throws OptionError if the order
/// is out of range or K overflows (K(z, z) = C(d, order)), and unless gamma has d positive numbers.
[[nodiscard]] Dictionary kernel_sections(MatrixView centres, std::vector<double> gamma, int order);

/// One column per row of `centres` (landmarks): the product kernel on one support in ascending order. There is one
/// positive gamma per input; those outside the support are ignored. Throws OptionError if gamma or the support is
/// invalid, or if the frequency distribution has no kernel.
[[nodiscard]] Dictionary kernel_sections_on(MatrixView centres, std::vector<std::uint32_t> support,
                                            std::vector<double> gamma, Law law);

/// Product kernels on every support of the given orders, for every landmark. If these are more than `most` columns, the
/// orders divide `most` as in draw_weights, and each support has a random subset of landmarks. The subsets are
/// functions of (seed, support, their size, the number of rows). Throws OptionError unless orders ascend within 1 … d,
/// most ≥ 1, there are landmarks, and gamma has d positive numbers.
[[nodiscard]] Dictionary kernel_sections_by_support(MatrixView centres, std::vector<double> gamma,
                                                    std::span<const int> orders, std::size_t most, std::uint64_t seed);

/// K(x_i, x_j) for all rows of X, exactly symmetric. Equals evaluate(kernel_sections(X, gamma, order), X) at half the
/// cost.
[[nodiscard]] Matrix kernel_matrix(MatrixView X, std::span<const double> gamma, int order);

/// Kernel matrix of the product kernel on one support: `evaluate(kernel_sections_on(X, support, gamma, law), X)`.
[[nodiscard]] Matrix kernel_matrix_on(MatrixView X, std::span<const std::uint32_t> support,
                                      std::span<const double> gamma, Law law);

/// Bandwidths of Kandasamy and Yu (2016): γ_j = 1/(2 h_j²), h_j = 20·std_j·m^(−1/5). Constant columns have std_j = 1.
[[nodiscard]] std::vector<double> salsa_gamma(MatrixView X);

/// Fixed bandwidths γ_j = 1/(2q), for the kernel Σ_{|S| = q} exp(−‖x_S − x'_S‖²/(2q)).
[[nodiscard]] std::vector<double> fixed_gamma(std::size_t d, int q);

}  // namespace shrimp

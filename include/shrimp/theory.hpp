// The paper's bounds as functions of options. Results contain every constant by name, and every condition with its
// required and given values.
//
// Constants that the paper leaves open are options; their defaults are those of the proof. If a published formula and
// its proof disagree, both are computed. docs/explanation/theory.md lists the differences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shrimp/features.hpp"
#include "shrimp/matrix.hpp"

namespace shrimp {

/// One assumption of a theorem, as a comparison of two numbers.
struct TheoryCondition {
  std::string name;
  std::string formula;
  std::string relation;  ///< "≥", "≤" or "<": required relation of `given` to `required`.
  double required = 0.0;
  double given = 0.0;
  bool holds = false;
};

struct TheoryConstant {
  std::string name;
  double value = 0.0;
  std::string meaning;
};

struct TheoryResult {
  std::vector<TheoryCondition> conditions;
  std::vector<TheoryConstant> constants;

  [[nodiscard]] bool holds() const;
  /// The constant of this name. Throws std::out_of_range if there is none.
  [[nodiscard]] double value(std::string_view name) const;
  /// One line for each unmet condition, with its required value; empty if all hold.
  [[nodiscard]] std::string unmet() const;
};

/// Error bound and the probability with which it holds.
struct ErrorBound : TheoryResult {
  double bound = 0.0;
  double probability = 0.0;
};

// Counts below are doubles if a condition may require more than any integer type can represent.

/// Theorem "Generalization Bounds for Thresholded Basis Pursuit". At least one of epsilon and N must be given.
struct GeneralizationOptions {
  std::size_t d = 1;              ///< ≥ 1 inputs.
  std::size_t s = 1;              ///< ≥ 1 coefficients kept, s ≤ N.
  double gamma = 1.0;             ///< γ > 0, the inputs' standard deviation.
  double sigma = 1.0;             ///< σ > 0, the standard deviation of the weights.
  double delta = 0.05;            ///< 0 < δ < 1.
  double nu = 0.0;                ///< ν ≥ 0: noise within 2ν, or normal with standard deviation ν.
  double norm = 1.0;              ///< ‖f‖_ρ ≥ 0.
  std::optional<double> epsilon;  ///< ε > 0; none means the smallest that N permits.
  std::optional<double> N;        ///< ≥ 1 features; none means the fewest that ε permits.
  std::optional<double> m;        ///< ≥ 1 samples; none means the fewest that the theorem permits.

  std::optional<double> kappa_s1;    ///< κ_{s,1}(c*) ≥ 0; none means its bound (N−s)/N·‖f‖_ρ.
  std::optional<double> kappa_s2;    ///< κ_{s,2}(c*) ≥ 0; none means its bound ε‖f‖_ρ.
  std::optional<double> lambda_max;  ///< λ_max(A*A) ≥ 0; none means its bound m N.
  std::optional<double> C;           ///< > 0; none means pruning_factor · 2D of basis_pursuit_constants.
  double pruning_factor = 3.0;       ///< ≥ 1, factor for keeping s coefficients: 3 in the paper; 2 suffices.
};
[[nodiscard]] ErrorBound generalization_bound(const GeneralizationOptions& options);

/// Corollary "Generalization Bounds for Order-q Functions". At least one of epsilon and N must be given.
struct OrderQOptions {
  std::size_t d = 1;              ///< ≥ 1 inputs.
  std::size_t q = 1;              ///< 1 … d, the order.
  std::size_t K = 1;              ///< 1 … C(d,q) terms of f.
  double gamma = 1.0;             ///< γ > 0.
  double sigma = 1.0;             ///< σ > 0.
  double delta = 0.05;            ///< 0 < δ < 1.
  double nu = 0.0;                ///< ν ≥ 0; the corollary's E is 2ν.
  double norm = 1.0;              ///< |||f||| ≥ 0, the mean of ‖g_j‖_ρ over the K terms.
  std::optional<double> epsilon;  ///< ε > 0.
  std::optional<double> N;        ///< ≥ C(d,q) features, rounded down to n per support; then s = nK.
  std::optional<double> m;        ///< ≥ 1 samples.

  std::optional<double> C;      ///< > 0; none means pruning_factor · 2D · √2.
  double pruning_factor = 3.0;  ///< ≥ 1.
};
[[nodiscard]] ErrorBound order_q_bound(const OrderQOptions& options);

/// Stability of basis pursuit for a 2s-restricted isometry constant delta_2s. Source: Foucart and Rauhut, A
/// Mathematical Introduction to Compressive Sensing, Theorems 4.25 and 6.13. With ‖A c − y‖ ≤ η√m, ‖c♯ − c‖₂ ≤ 2 C
/// κ_{s,1}(c)/√s + 2 D η. Infinite unless delta_2s < 4/√41.
struct BasisPursuitConstants {
  double rho = 0.0;
  double tau = 0.0;
  double C = 0.0;
  double D = 0.0;
};
[[nodiscard]] BasisPursuitConstants basis_pursuit_constants(double delta_2s);

/// 4/(√41 (2s − 1)): basis pursuit is stable for s coefficients if the coherence is smaller.
[[nodiscard]] double allowed_coherence(std::size_t s);

/// Largest s with allowed_coherence(s) > `coherence` > 0; 0 if there is none.
[[nodiscard]] double provable_sparsity(double coherence);

/// Proposition "Bounds on Eigenvalues of Gram Matrix" and the remark after it, on A A*/N for A = exp(i X Wᵀ).
struct EigenvalueOptions {
  std::size_t m = 1;   ///< ≥ 1 samples; the proposition requires m ≤ N.
  std::size_t N = 1;   ///< ≥ 1 features.
  std::size_t d = 1;   ///< ≥ q inputs; d = q means that all features depend on the same inputs.
  std::size_t q = 1;   ///< ≥ 1, the order.
  double gamma = 1.0;  ///< γ > 0.
  double sigma = 1.0;  ///< σ > 0.
  double p = 0.5;      ///< 0 < p < 1, the remark's exponent.
};
struct EigenvalueBounds : TheoryResult {
  double largest_at_least = 0.0;          ///< E λ_1, from the corrected proof.
  double largest_at_least_printed = 0.0;  ///< E λ_1 as published; random draws violate it.
  double smallest_at_most = 0.0;          ///< E λ_m, from the last but one line of the proof.
  double smallest_at_most_printed = 0.0;  ///< E λ_m as published, slightly weaker.
  double remark_at_most = 0.0;            ///< λ_m at N = m, with remark_probability.
  double remark_probability = 0.0;
};
[[nodiscard]] EigenvalueBounds eigenvalue_bounds(const EigenvalueOptions& options);

/// λ_1 and λ_m of A A*/N for one draw of normal inputs and q-sparse normal weights. Throws OptionError if N is not a
/// multiple of the number of supports.
struct GramEigenvalues {
  double largest = 0.0;
  double smallest = 0.0;
};
[[nodiscard]] GramEigenvalues draw_gram_eigenvalues(const EigenvalueOptions& options, std::uint64_t seed,
                                                    int threads = 0);

/// max over j ≠ k of |⟨a_j, a_k⟩|/(‖a_j‖‖a_k‖), and the pair that attains it.
struct Coherence {
  double value = 0.0;
  std::size_t first = 0;
  std::size_t second = 0;
};

/// Coherence of the columns of A. Throws OptionError for fewer than two columns, DataError for zero or non-finite ones.
[[nodiscard]] Coherence mutual_coherence(MatrixView A, int threads = 0);

/// Coherence of the complex dictionary exp(i⟨x_k, w_j⟩), with one column per weight vector.
[[nodiscard]] Coherence mutual_coherence(const FeatureWeights& W, MatrixView X, int threads = 0);

/// Limit of the complex dictionary's coherence for many samples, for inputs from N(0, γ²I): max exp(−γ²‖w_j − w_k‖²/2).
[[nodiscard]] Coherence limit_coherence(const FeatureWeights& W, double gamma, int threads = 0);

/// Uniform convergence of random features, by the bound of Rahimi and Recht in the paper's appendix. With it, sup |k̂ −
/// k| ≤ ε on a domain of the given diameter, with probability ≥ 1 − δ.
struct KernelErrorOptions {
  double N = 1;                     ///< ≥ 1 weight vectors, each with a cosine and a sine.
  std::size_t d = 1;                ///< ≥ 1 inputs.
  std::size_t q = 1;                ///< 1 … d, the order.
  double sigma = 1.0;               ///< σ > 0, the weights' standard deviation.
  double diameter = 1.0;            ///< > 0, diameter of the input domain.
  double delta = 0.05;              ///< 0 < δ < 1.
  std::optional<double> epsilon;    ///< ε > 0; none means the smallest that N permits.
  std::optional<double> sigma_p;    ///< √E‖w‖² > 0; none means σ√q.
  std::optional<std::size_t> m;     ///< ≥ 2: also bounds the error on m given rows.
  double leading_constant = 256.0;  ///< > 0; 2⁸ in the paper.
};
/// `bound` is ε.
[[nodiscard]] ErrorBound kernel_error_bound(const KernelErrorOptions& options);

/// Mean over supports |S| = q of exp(−σ²‖x_S − y_S‖²/2): the kernel that normal q-sparse features approximate.
[[nodiscard]] double order_q_kernel(std::span<const double> x, std::span<const double> y, std::size_t q, double sigma);

/// Error of k̂(x,x') = (1/N) Σ_j cos⟨w_j, x − x'⟩ over all pairs of rows of X.
struct KernelError {
  double largest = 0.0;
  double root_mean_square = 0.0;
  double diameter = 0.0;  ///< Largest distance between two rows.
  std::size_t first = 0;  ///< Pair of rows with the largest error.
  std::size_t second = 0;
};
[[nodiscard]] KernelError kernel_error(const FeatureWeights& W, MatrixView X, std::size_t q, double sigma,
                                       int threads = 0);

/// m rows from N(0, γ²I_d).
[[nodiscard]] Matrix normal_rows(std::size_t m, std::size_t d, double gamma, std::uint64_t seed);

}  // namespace shrimp

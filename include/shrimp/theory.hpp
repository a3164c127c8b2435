// The paper's bounds as functions: options in, every constant by name and every condition with what it asks for out.
//
// Where the paper leaves a constant open, it is an option whose default is read off the proof; where a printed formula
// and its proof disagree, both are computed. docs/explanation/theory.md tells them apart.
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

/// One assumption of a statement, as a comparison of two numbers.
struct TheoryCondition {
  std::string name;
  std::string formula;
  std::string relation;  ///< "≥", "≤" or "<": how `given` is to stand to `required`.
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
  /// One line for each condition that fails, with what it asks for; empty where all hold.
  [[nodiscard]] std::string unmet() const;
};

/// An error bound and the probability with which the statement promises it.
struct ErrorBound : TheoryResult {
  double bound = 0.0;
  double probability = 0.0;
};

// Counts below are doubles where a condition may ask for more than any integer type holds.

/// Theorem "Generalization Bounds for Thresholded Basis Pursuit". Of epsilon and N at least one must be given.
struct GeneralizationOptions {
  std::size_t d = 1;              ///< ≥ 1 inputs.
  std::size_t s = 1;              ///< ≥ 1 coefficients kept, s ≤ N.
  double gamma = 1.0;             ///< γ > 0, the inputs' standard deviation.
  double sigma = 1.0;             ///< σ > 0, the weights'.
  double delta = 0.05;            ///< 0 < δ < 1.
  double nu = 0.0;                ///< ν ≥ 0: noise within 2ν, or normal with standard deviation ν.
  double norm = 1.0;              ///< ‖f‖_ρ ≥ 0.
  std::optional<double> epsilon;  ///< ε > 0; none: the least that N affords.
  std::optional<double> N;        ///< ≥ 1 features; none: the fewest that ε allows.
  std::optional<double> m;        ///< ≥ 1 samples; none: the fewest that the theorem allows.

  std::optional<double> kappa_s1;    ///< κ_{s,1}(c*) ≥ 0; none: its bound (N−s)/N·‖f‖_ρ.
  std::optional<double> kappa_s2;    ///< κ_{s,2}(c*) ≥ 0; none: its bound ε‖f‖_ρ.
  std::optional<double> lambda_max;  ///< λ_max(A*A) ≥ 0; none: its bound m N.
  std::optional<double> C;           ///< > 0; none: pruning_factor · 2D of basis_pursuit_constants.
  double pruning_factor = 3.0;       ///< ≥ 1: what keeping s coefficients costs. 3 in the paper; 2 would do.
};
[[nodiscard]] ErrorBound generalization_bound(const GeneralizationOptions& options);

/// Corollary "Generalization Bounds for Order-q Functions". Of epsilon and N at least one must be given.
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

  std::optional<double> C;      ///< > 0; none: pruning_factor · 2D · √2.
  double pruning_factor = 3.0;  ///< ≥ 1.
};
[[nodiscard]] ErrorBound order_q_bound(const OrderQOptions& options);

/// Stability of basis pursuit where the 2s-restricted isometry constant is delta_2s (Foucart and Rauhut, A Mathematical
/// Introduction to Compressive Sensing, Theorems 4.25 and 6.13): with ‖A c − y‖ ≤ η√m,
/// ‖c♯ − c‖₂ ≤ 2 C κ_{s,1}(c)/√s + 2 D η. Infinite unless delta_2s < 4/√41.
struct BasisPursuitConstants {
  double rho = 0.0;
  double tau = 0.0;
  double C = 0.0;
  double D = 0.0;
};
[[nodiscard]] BasisPursuitConstants basis_pursuit_constants(double delta_2s);

/// 4/(√41 (2s − 1)): basis pursuit is proved stable for s coefficients where the coherence is below.
[[nodiscard]] double allowed_coherence(std::size_t s);

/// The largest s whose allowed_coherence is above `coherence` > 0; 0 where there is none.
[[nodiscard]] double provable_sparsity(double coherence);

/// Proposition "Bounds on Eigenvalues of Gram Matrix" and the remark after it, on A A*/N for A = exp(i X Wᵀ).
struct EigenvalueOptions {
  std::size_t m = 1;   ///< ≥ 1 samples; the proposition wants m ≤ N.
  std::size_t N = 1;   ///< ≥ 1 features.
  std::size_t d = 1;   ///< ≥ q inputs; d = q: all features look at the same inputs.
  std::size_t q = 1;   ///< ≥ 1, the order.
  double gamma = 1.0;  ///< γ > 0.
  double sigma = 1.0;  ///< σ > 0.
  double p = 0.5;      ///< 0 < p < 1, the remark's exponent.
};
struct EigenvalueBounds : TheoryResult {
  double largest_at_least = 0.0;          ///< E λ_1, as the proof gives it once its slips are mended.
  double largest_at_least_printed = 0.0;  ///< E λ_1 as printed; random draws break it.
  double smallest_at_most = 0.0;          ///< E λ_m, the proof's last line but one.
  double smallest_at_most_printed = 0.0;  ///< E λ_m as printed, a little weaker.
  double remark_at_most = 0.0;            ///< λ_m at N = m, with remark_probability.
  double remark_probability = 0.0;
};
[[nodiscard]] EigenvalueBounds eigenvalue_bounds(const EigenvalueOptions& options);

/// λ_1 and λ_m of A A*/N for one draw of normal inputs and q-sparse normal weights.
/// Throws OptionError where N is no multiple of the number of supports and they cannot share it evenly.
struct GramEigenvalues {
  double largest = 0.0;
  double smallest = 0.0;
};
[[nodiscard]] GramEigenvalues draw_gram_eigenvalues(const EigenvalueOptions& options, std::uint64_t seed,
                                                    int threads = 0);

/// max over j ≠ k of |⟨a_j, a_k⟩|/(‖a_j‖‖a_k‖), and where it is taken.
struct Coherence {
  double value = 0.0;
  std::size_t first = 0;
  std::size_t second = 0;
};

/// Of the columns of A. Throws OptionError for fewer than two columns, DataError for one that is zero or not finite.
[[nodiscard]] Coherence mutual_coherence(MatrixView A, int threads = 0);

/// Of the complex dictionary exp(i⟨x_k, w_j⟩), one column for each weight vector.
[[nodiscard]] Coherence mutual_coherence(const FeatureWeights& W, MatrixView X, int threads = 0);

/// What the complex dictionary's coherence tends to with the number of samples, for inputs from N(0, γ²I):
/// max exp(−γ²‖w_j − w_k‖²/2).
[[nodiscard]] Coherence limit_coherence(const FeatureWeights& W, double gamma, int threads = 0);

/// Uniform convergence of random features (Rahimi and Recht's bound, which the paper's appendix quotes):
/// sup |k̂ − k| ≤ ε on a set of the given diameter, with probability at least 1 − δ.
struct KernelErrorOptions {
  double N = 1;                     ///< ≥ 1 weight vectors, each a cosine and a sine.
  std::size_t d = 1;                ///< ≥ 1 inputs.
  std::size_t q = 1;                ///< 1 … d, the order.
  double sigma = 1.0;               ///< σ > 0, the weights' standard deviation.
  double diameter = 1.0;            ///< > 0, of the set of inputs.
  double delta = 0.05;              ///< 0 < δ < 1.
  std::optional<double> epsilon;    ///< ε > 0; none: the least that N affords.
  std::optional<double> sigma_p;    ///< √E‖w‖² > 0; none: σ√q.
  std::optional<std::size_t> m;     ///< ≥ 2: also bound the error on m given rows alone.
  double leading_constant = 256.0;  ///< > 0; 2⁸ in the paper.
};
/// `bound` is ε.
[[nodiscard]] ErrorBound kernel_error_bound(const KernelErrorOptions& options);

/// The mean over supports |S| = q of exp(−σ²‖x_S − y_S‖²/2): what normal q-sparse features approximate.
[[nodiscard]] double order_q_kernel(std::span<const double> x, std::span<const double> y, std::size_t q, double sigma);

/// The error of k̂(x,x') = (1/N) Σ_j cos⟨w_j, x − x'⟩ over all pairs of rows of X.
struct KernelError {
  double largest = 0.0;
  double root_mean_square = 0.0;
  double diameter = 0.0;  ///< The largest distance of two rows.
  std::size_t first = 0;  ///< The rows of the largest error.
  std::size_t second = 0;
};
[[nodiscard]] KernelError kernel_error(const FeatureWeights& W, MatrixView X, std::size_t q, double sigma,
                                       int threads = 0);

/// m rows from N(0, γ²I_d).
[[nodiscard]] Matrix normal_rows(std::size_t m, std::size_t d, double gamma, std::uint64_t seed);

}  // namespace shrimp

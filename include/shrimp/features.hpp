// Stage I: q-sparse random feature weights (paper, Definition "q-sparse feature weights") and the dictionary A = φ(X
// Wᵀ).
//
// For each order q, every support S ⊆ [d] with |S| = q has n = floor(N / C(d,q)) weight vectors, with i.i.d. entries on
// S and zeros elsewhere. If C(d,q) > N, N distinct supports are drawn uniformly, each with one vector.
//
// Several orders divide N: in ascending order, each uses an equal part of the remaining vectors, rounded down to whole
// vectors per support. Remainders of rounding go to higher orders.
//
// A weight vector is a function of (seed, support, draw), independent of d, N, other supports, the number of threads,
// the compiler and the device. It is computed by IEEE-exact operations (+ − × ÷ √) only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "shrimp/matrix.hpp"
#include "shrimp/scaling.hpp"

namespace shrimp {

/// Frequency distribution: distribution of the entries of w on their support, with scale σ.
enum class Law {
  normal,     ///< N(0, σ²).
  uniform,    ///< Uniform with variance σ².
  cauchy,     ///< Cauchy with scale σ.
  student_t,  ///< σ · t with `degrees_of_freedom`.
  sphere,     ///< w uniform on the sphere ‖w‖² = q σ².
};

/// Function φ. `fourier` gives two columns per weight vector, the others one. See src/features/bases.cpp.
enum class Basis {
  fourier,   ///< cos⟨x,w⟩ and sin⟨x,w⟩.
  cosine,    ///< cos(⟨x,w⟩ + b), b uniform on [0, 2π).
  sine,      ///< sin(⟨x,w⟩ + b), b uniform on [0, 2π).
  relu,      ///< max(0, ⟨x,w⟩).
  tanh,      ///< tanh⟨x,w⟩.
  identity,  ///< ⟨x,w⟩.
  linear,    ///< x_j: one column per input, without random weights.
};

struct FeatureOptions {
  std::vector<int> orders = {2};  ///< The orders q mixed in one dictionary; each 1 … d, ascending.
  std::size_t features = 10000;   ///< N ≥ 1, requested number of weight vectors.
  Law law = Law::normal;
  std::optional<double> sigma2;  ///< σ² > 0; none means 1/q.
  int degrees_of_freedom = 3;    ///< 1 … 100; only student_t uses it.
  Basis basis = Basis::fourier;
  std::uint64_t seed = 0;
};

/// N sparse weight vectors: vector j has entries values[offsets[j] … offsets[j+1]) on the inputs variables[…].
struct FeatureWeights {
  std::vector<std::size_t> offsets = {0};
  std::vector<std::uint32_t> variables;
  std::vector<double> values;
  std::vector<double> phases;  ///< b per vector; empty unless the basis has random phases.

  [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> support(std::size_t j) const {
    return std::span(variables).subspan(offsets[j], offsets[j + 1] - offsets[j]);
  }
  [[nodiscard]] std::span<const double> weights(std::size_t j) const {
    return std::span(values).subspan(offsets[j], offsets[j + 1] - offsets[j]);
  }
  void append(std::span<const std::uint32_t> support, std::span<const double> weights);
};

/// Draws W for d inputs. Throws OptionError if an order or another option is out of range.
[[nodiscard]] FeatureWeights draw_weights(std::size_t d, const FeatureOptions& options);

/// Number of weight vectors that draw_weights would return (at most N), without drawing them.
[[nodiscard]] std::size_t count_weights(std::size_t d, const FeatureOptions& options);

/// C(d,q), saturated at the largest std::uint64_t.
[[nodiscard]] std::uint64_t binomial(std::uint64_t d, std::uint64_t q);

/// Function of one column, applied to ⟨x,w⟩. For `kernel`, w is a landmark (shrimp/kernels.hpp). See
/// src/features/bases.cpp.
enum class Function { cos, sin, relu, tanh, identity, kernel, step, level };

/// Columns of A: column k applies functions[k] to weight vector rows[k]. A full Fourier dictionary is [cos(X Wᵀ), sin(X
/// Wᵀ)], as in the paper.
struct Dictionary {
  FeatureWeights weights;
  std::vector<std::uint32_t> rows;
  std::vector<Function> functions;
  std::vector<double> gamma;  ///< One per input, > 0; empty without kernel functions.
  int kernel_order = 0;       ///< Degree of kernel functions; 0 means the number of their inputs (product kernel).
  /// Frequency distribution of the kernel: normal, student_t (three degrees of freedom) or cauchy.
  Law kernel_law = Law::normal;
  /// Marginals, one per input, in scaled units; null means that inputs must not be missing. If an input is missing
  /// (NaN), a column is replaced by its mean over the input's marginal. Kernel functions use the mean of the marginal
  /// as the input.
  std::shared_ptr<const std::vector<Marginal>> marginals = {};

  [[nodiscard]] std::size_t columns() const { return rows.size(); }
  [[nodiscard]] std::span<const std::uint32_t> support(std::size_t k) const { return weights.support(rows[k]); }
  /// Dictionary with the given columns only; weight vectors without columns are removed.
  [[nodiscard]] Dictionary subset(std::span<const std::size_t> kept) const;
  [[nodiscard]] bool has_kernels() const;
  /// Appends the columns of another dictionary. Throws OptionError if both have kernel functions of different kernels.
  void append(const Dictionary& more);
};

[[nodiscard]] Dictionary make_dictionary(FeatureWeights weights, Basis basis);

/// A(i,k) = φ_k⟨x_i, w_k⟩ for every row x_i of X, or K(x_i, w_k) for kernel functions. Throws DataError if an input is
/// missing and the dictionary has no marginals.
[[nodiscard]] Matrix evaluate(const Dictionary& dictionary, MatrixView X);

}  // namespace shrimp

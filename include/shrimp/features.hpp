// Stage I: q-sparse random feature weights (paper, Definition "q-sparse feature weights") and the
// dictionary A = φ(X Wᵀ) they span.
//
// For each order q every support S ⊆ [d], |S| = q, gets n = floor(N / C(d,q)) weight vectors with
// i.i.d. entries on S and zeros elsewhere. If C(d,q) > N, N distinct supports are drawn uniformly and
// get one vector each.
//
// Several orders share N: in ascending order, each takes an equal part of the rows not used so far,
// rounded down to whole rows per support, so that what rounding leaves goes to the higher orders.
//
// A weight vector depends on (seed, support, draw) alone: not on d, N, the other supports, the number
// of threads, the compiler or the device. Only IEEE-exact operations (+ − × ÷ √) are used to make it.
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

/// Law of the entries of w on their support, with scale σ.
enum class Law {
  normal,     ///< N(0, σ²).
  uniform,    ///< Uniform with variance σ².
  cauchy,     ///< Cauchy with scale σ.
  student_t,  ///< σ · t with `degrees_of_freedom`.
  sphere,     ///< w uniform on the sphere ‖w‖² = q σ².
};

/// φ. `fourier` makes two columns of a weight vector, the others one. Each has a row in src/features/bases.cpp.
enum class Basis {
  fourier,   ///< cos⟨x,w⟩ and sin⟨x,w⟩.
  cosine,    ///< cos(⟨x,w⟩ + b), b uniform on [0, 2π).
  sine,      ///< sin(⟨x,w⟩ + b), b uniform on [0, 2π).
  relu,      ///< max(0, ⟨x,w⟩).
  tanh,      ///< tanh⟨x,w⟩.
  identity,  ///< ⟨x,w⟩.
  linear,    ///< The inputs themselves: one column x_j each, nothing drawn.
};

struct FeatureOptions {
  std::vector<int> orders = {2};  ///< The orders q mixed in one dictionary; each 1 … d, ascending.
  std::size_t features = 10000;   ///< N ≥ 1, the number of weight vectors asked for.
  Law law = Law::normal;
  std::optional<double> sigma2;  ///< σ² > 0; none means 1/q.
  int degrees_of_freedom = 3;    ///< 1 … 100; only student_t uses it.
  Basis basis = Basis::fourier;
  std::uint64_t seed = 0;
};

/// N sparse weight vectors: row j has entries values[offsets[j] … offsets[j+1]) on variables[same].
struct FeatureWeights {
  std::vector<std::size_t> offsets = {0};
  std::vector<std::uint32_t> variables;
  std::vector<double> values;
  std::vector<double> phases;  ///< b per row; empty unless the basis draws them.

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

/// How many weight vectors draw_weights would make (at most N), without drawing them.
[[nodiscard]] std::size_t count_weights(std::size_t d, const FeatureOptions& options);

/// C(d,q), or the largest std::uint64_t where it is larger.
[[nodiscard]] std::uint64_t binomial(std::uint64_t d, std::uint64_t q);

/// The function of one column: of ⟨x,w⟩, except that a kernel column takes w for a centre (shrimp/kernels.hpp). Each
/// has a row in src/features/bases.cpp.
enum class Function { cos, sin, relu, tanh, identity, kernel, step, level };

/// Columns of A: column k applies functions[k] to weight vector rows[k].
/// A full Fourier dictionary is [cos(X Wᵀ), sin(X Wᵀ)], as in the paper.
struct Dictionary {
  FeatureWeights weights;
  std::vector<std::uint32_t> rows;
  std::vector<Function> functions;
  std::vector<double> gamma;  ///< One per input, > 0; empty unless there are kernel columns.
  int kernel_order = 0;       ///< The degree of kernel columns; 0: as many as a column has inputs, the product.
  /// The law of weights whose kernel these columns have: normal, student_t (of three degrees of freedom) or cauchy.
  Law kernel_law = Law::normal;
  /// What a column is where an input is missing (NaN): its mean over that input's marginal; a kernel column takes the
  /// marginal's mean for the input instead. One per input, in scaled units; none: no input may be missing.
  std::shared_ptr<const std::vector<Marginal>> marginals = {};

  [[nodiscard]] std::size_t columns() const { return rows.size(); }
  [[nodiscard]] std::span<const std::uint32_t> support(std::size_t k) const { return weights.support(rows[k]); }
  /// The dictionary of the given columns alone; weight vectors without a column are dropped.
  [[nodiscard]] Dictionary subset(std::span<const std::size_t> kept) const;
  [[nodiscard]] bool has_kernels() const;
  /// Adds the columns of another dictionary behind its own. Throws OptionError if both have kernel columns, and of
  /// different kernels.
  void append(const Dictionary& more);
};

[[nodiscard]] Dictionary make_dictionary(FeatureWeights weights, Basis basis);

/// A(i,k) = φ_k⟨x_i, w_k⟩ for every row x_i of X; K(x_i, w_k) in kernel columns. Throws DataError where an input is
/// missing and the dictionary has no marginals.
[[nodiscard]] Matrix evaluate(const Dictionary& dictionary, MatrixView X);

}  // namespace shrimp

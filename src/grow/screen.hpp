// Which inputs, pairs or triples of inputs a residual r still depends on, judged against chance.
//
// Every input j gets a few functions u_a(x_j) = √2 cos(π a F_j(x_j)), a = 1 … p, F_j its ranks in (0, 1): bounded, and
// orthonormal over the rows. A set S of inputs is looked at through the products v of its inputs' functions, by
//   z_v = Σ_i r_i v_i / √(Σ_i r_i² v_i²),
// about standard normal where r does not depend on S, for noise of any size that may differ from row to row. The score
// of S is −log of the smallest p-value among Σ z² over the products of low, middle and all degrees.
//
// With many sets the best score is large by chance alone. How large, is seen with the signs of r drawn at random, which
// leaves the denominators as they are: a Gumbel law fitted to the best scores of several such draws gives each score
// the probability that any set would reach it by chance.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "features/supports.hpp"
#include "shrimp/matrix.hpp"

namespace shrimp {

struct ScoredSupport {
  Support variables;
  double score = 0.0;
  double chance = 1.0;  ///< The probability that the best of all sets looked at scores as high by chance.
};

class Screen {
 public:
  /// X's columns are the inputs; those that are constant are never found.
  Screen(MatrixView X, std::uint64_t seed);

  /// Supports of `order` inputs (1 to 3) whose chance is below `level`, best first. Triples are taken from all
  /// inputs where they are few, else around `likely` inputs. `excluded` inputs are left out.
  [[nodiscard]] std::vector<ScoredSupport> find(std::span<const double> residual, std::size_t order, double level,
                                                std::span<const std::uint32_t> likely,
                                                const std::vector<bool>& excluded) const;

 private:
  class Scores;

  void score_inputs(const std::vector<bool>& excluded, Scores& scores) const;
  /// Pairs of inputs, or triples of them with a third input.
  void score_pairs(std::optional<std::uint32_t> third, const std::vector<bool>& excluded, Scores& scores) const;
  /// Whether all triples are looked at, and not those around likely inputs alone.
  [[nodiscard]] bool takes_all_triples() const { return inputs_ <= 40; }
  /// Third inputs of triples.
  [[nodiscard]] std::vector<std::uint32_t> thirds(std::span<const std::uint32_t> likely) const;

  std::size_t rows_;
  std::size_t inputs_;
  std::uint64_t seed_;
  std::size_t degree_;  // p.
  Matrix U_;            // Rows × (p·d): u_a of input j in column a·d + j.
  Matrix squares_;      // U∘U.
};

/// The values with signs drawn at random: the draw-th of a sequence named by `name`.
std::vector<double> flip_signs(std::span<const double> values, std::uint64_t seed, std::uint64_t name,
                               std::uint32_t draw);

/// −log of the probability that χ² with k degrees of freedom (k = 1 or even) is above x.
double chi_square_surprise(double x, std::size_t k);

}  // namespace shrimp

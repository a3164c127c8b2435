// Which inputs, pairs or triples of inputs a residual r still depends on, judged against chance.
//
// Every input j gets a few functions u_a(x_j) = √2 cos(π a F_j(x_j)), a = 1 … p, F_j its ranks in (0, 1): bounded, and
// orthonormal over the rows. A set S of inputs is looked at through the products v of its inputs' functions, by
//   z_v = Σ_g s_g / √(Σ_g s_g²),  s_g = Σ_{i in g} r_i v_i,
// over the groups g of rows that belong together (each row by itself where there are none): about standard normal where
// r does not depend on S, for noise of any size that may differ from row to row and be alike within a group. The score
// of S is −log of the smallest p-value among Σ z² over the products of low, middle and all degrees.
//
// Where an input is missing, its functions are 0, their mean. The functions of a category are of its levels: all there
// are between few, else sums of levels with signs drawn at random, so that many levels are no more tries than few. By
// itself, a category is looked at level by level instead: z_v of all indicators v of its levels, as one Σ z².
//
// With many sets the best score is large by chance alone. How large, is seen with the signs of r drawn at random, one
// for each group, which leaves the denominators as they are (grow/null_scores.hpp).
//
// All pairs are the matrix Uᵀ diag(r) U, which is symmetric; triples are the same for r times a function of a third
// input. Both are made tile by tile, each set once, and of all sets only the best are kept.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "data/rows.hpp"
#include "features/supports.hpp"
#include "grow/null_scores.hpp"
#include "linalg/device.hpp"
#include "ridge/residual_maker.hpp"
#include "shrimp/matrix.hpp"

namespace shrimp {

struct Products;
struct Tile;

struct ScoredSupport {
  Support variables;
  double score = 0.0;
  double chance = 1.0;  ///< The probability that the best of all sets looked at scores as high by chance.
};

/// Familywise error rate of screening one order in one round. A search screens about eight times before it ends with
/// nothing found: terms are found in three of a hundred tables of noise. Chosen by hand.
inline constexpr double screening_level = 0.004;

/// What to look at.
struct ScreenedSets {
  std::size_t order = 1;               ///< 1 to 3.
  double level = 0.01;                 ///< Only sets whose chance is below are wanted,
  std::size_t most = 32;               ///< and no more than so many of them.
  std::vector<std::uint32_t> likely;   ///< Triples are taken around these where all would be too many.
  std::vector<bool> excluded_inputs;   ///< One entry an input.
  std::set<Support> excluded;          ///< Sets that are not wanted, though they may count among the null.
  std::function<bool()> is_over = {};  ///< Whether to give up and find nothing.
};

class Screen {
 public:
  /// X's columns are the inputs; those that are constant are never found. `starts` of groups of rows that belong
  /// together, and the end; none: every row is by itself. `kinds` of inputs that are no numbers, which must outlive it;
  /// none: all are. A device multiplies the functions of very many inputs.
  Screen(MatrixView X, const GroupStarts& starts, std::uint64_t seed, const InputKinds* kinds = nullptr,
         std::shared_ptr<Device> device = nullptr);

  /// Those with the highest scores, best first.
  [[nodiscard]] std::vector<ScoredSupport> find(std::span<const double> residual, const ScreenedSets& sets) const;

  /// The residual with signs drawn at random, one for each group: the draw-th of a sequence named by `name`.
  [[nodiscard]] std::vector<double> flip_signs(std::span<const double> residual, std::uint64_t name,
                                               std::uint32_t draw) const;

  /// Functions of each input, p, where there are so many inputs.
  [[nodiscard]] static std::size_t functions_of_an_input(std::size_t inputs);

  /// Operations that a search takes, about.
  [[nodiscard]] double work_of(const ScreenedSets& sets) const;

 private:
  struct Scores;
  struct Judged;
  struct PairsOf {
    std::vector<std::uint32_t> inputs;
    std::optional<std::uint32_t> third;  ///< Triples of two of the inputs with it.
  };

  [[nodiscard]] std::size_t functions_of(std::size_t order) const { return order == 3 ? 2 : degree_; }
  void make_functions(std::size_t input, std::span<const double> x);
  [[nodiscard]] Judged judge_levels(const Scores& scores, std::uint32_t input) const;
  [[nodiscard]] std::vector<double> signs(std::uint64_t name, std::uint32_t draw) const;
  [[nodiscard]] std::vector<std::uint32_t> usable(const std::vector<bool>& excluded) const;
  void score_inputs(Scores& scores, const ScreenedSets& sets) const;
  void score_pairs(Scores& scores, const ScreenedSets& sets, const PairsOf& pairs) const;
  void score_triples(Scores& scores, const ScreenedSets& sets) const;
  [[nodiscard]] Judged judge(const Tile& tile, const Products& products, std::size_t draw, const ScreenedSets& sets,
                             const PairsOf& pairs) const;
  /// Third inputs, each with the others of the triples that are looked at with it.
  [[nodiscard]] std::vector<PairsOf> thirds(const ScreenedSets& sets) const;
  [[nodiscard]] std::size_t count_sets(const ScreenedSets& sets) const;

  std::size_t rows_;
  std::size_t inputs_;
  std::uint64_t seed_;
  std::size_t degree_;  // p.
  const InputKinds* kinds_;
  std::shared_ptr<Device> device_;
  std::vector<std::vector<double>> codes_;  // Of categories.
  std::vector<std::size_t> starts_;         // Of the groups, and the end.
  Matrix U_;                                // Rows × (p·d): u_a of input j in column p·j + a.
};

}  // namespace shrimp

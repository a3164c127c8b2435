// How high sets of inputs score where there is nothing to find.
//
// Scores are −log of p-values. With the signs of a residual drawn at random, the scores of all sets in all draws say
// how many sets are expected above any score; far out, where even all of them together are few, that number falls by e
// with every unit, as p-values do. The chance that any set reaches a score is at most that number, and about 1 −
// exp(−number). Counting all scores is steadier than fitting a law to the best score of each draw: a hundred counts
// have a relative error of a tenth, twelve maxima one of a half.
#pragma once

#include <array>
#include <cstddef>

namespace shrimp {

class NullScores {
 public:
  /// One set in one draw.
  void add(double score);
  void merge(const NullScores& other);

  /// The probability that the best of all sets of one draw reaches the score, given how many draws were added.
  [[nodiscard]] double chance(double score, std::size_t draws) const;

 private:
  static constexpr std::size_t bins_of_a_unit = 8;
  static constexpr std::size_t highest = 64;

  [[nodiscard]] static std::size_t bin_of(double score);

  std::array<std::size_t, bins_of_a_unit * highest> counts_{};
};

/// −log of the probability that χ² with k degrees of freedom (k = 1 or even) is above x.
double chi_square_surprise(double x, std::size_t k);

}  // namespace shrimp

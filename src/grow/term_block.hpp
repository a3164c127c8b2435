// One term of a growing model: a set of inputs, and the random features through which they are seen.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/rows.hpp"
#include "features/supports.hpp"
#include "shrimp/features.hpp"
#include "shrimp/matrix.hpp"

namespace shrimp {

struct TermShape {
  Support variables;
  /// σ of the weights per variable, in units of 1/(the input's standard deviation); empty: a straight line in each.
  std::vector<double> scales;
  /// ν: weights follow a multivariate t law with ν degrees of freedom (a Matérn kernel); 0: the normal law.
  int smoothness = 0;
  /// The standard deviation that the term has in advance, in units of the target's.
  double amplitude = 1.0;
  /// Where a function of one input may jump, in its own units: a column for each, 0 below it and 1 above. Then it has
  /// no scales.
  std::vector<double> thresholds = {};
  /// A category's main effect: a column for each of so many levels, 1 where the input is of it. Then it has no scales.
  std::size_t levels = 0;
  /// Weight vectors of random features; 0: the usual number for the term's number of inputs.
  std::size_t count = 0;

  [[nodiscard]] bool by_level() const { return levels > 0; }
  [[nodiscard]] bool jumps() const { return !thresholds.empty(); }
  [[nodiscard]] bool linear() const { return scales.empty() && !jumps() && !by_level(); }
  /// Whether its columns are what they are, rather than drawn.
  [[nodiscard]] bool is_fixed() const { return scales.empty(); }
};

/// Between which values of x the rows below and above differ most in r, by least squares; none where few lie on a side.
std::optional<double> widest_jump(std::span<const double> x, std::span<const double> r);

/// Weight vectors of a term while it grows and where it is fitted with ridge.
std::size_t weights_of(const TermShape& term);

/// Columns that a weight vector of the term makes: cos and sin, or one.
std::size_t columns_of_a_weight(const TermShape& term);

/// `count` weight vectors for the term, their columns in the order cos, sin; one column for each line. The vectors are
/// spread evenly over their law (a shifted lattice), and only scaled when `scales` change. The weight of a category is
/// uniform on (−π, π), whatever its scale: cos(⟨x,w⟩ + w_c·code) has a phase for every level, and the mean of the
/// product of two such columns is the kernel of the other inputs where the levels are equal, and 0 where they are not,
/// for sin(πn)/(πn) is 0 for all whole numbers n but 0.
Dictionary draw_term(const TermShape& term, std::size_t count, std::span<const double> deviations, std::uint64_t seed,
                     const std::shared_ptr<const InputKinds>& kinds = nullptr);

/// Σ columns(x) columns(x') is a kernel of variance amplitude² when columns are multiplied by this.
double column_scale(const TermShape& term, std::size_t count);

}  // namespace shrimp

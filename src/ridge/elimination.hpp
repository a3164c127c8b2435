// Which columns of a ridge regression go, one after the other (backward elimination).
//
// With M = AᵀA + λI and c = M⁻¹Aᵀy, losing column j raises the least of ‖Ac − y‖² + λ‖c‖² by c_j²/(M⁻¹)_jj: its
// magnitude, measured by its own uncertainty (Hassibi and Stork, 1993). The column that costs least goes, the others
// are fitted again, and so on. Of columns that can stand for one another each costs little until the others are gone;
// magnitudes at one time do not tell them from columns that nobody needs.
//
// Of very many columns, M⁻¹ is known within groups only, whose columns are most like each other: a loss is then made up
// for within the group. (The rules of path/prune.hpp see coefficients alone, also of fits without ridge, where M has no
// inverse.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ridge/solve.hpp"

namespace shrimp {

struct EliminationRule {
  std::vector<bool> kept;  ///< One entry a column of A: whether it always stays.
  double rate = 0.2;       ///< Share of the others that goes between two fits from the start; 0 < rate < 1.
  std::vector<std::uint32_t> groups =
      {};  ///< One entry a column, the same for those most like each other; none: all are.
};

/// round(rate·columns), at least 1, and never all.
std::size_t drop_count(std::size_t columns, double rate);

/// M⁻¹ among some of the columns.
struct InverseBlock {
  std::vector<std::size_t> positions;  ///< Ascending.
  Matrix inverse;
};

/// Which blocks `eliminate` needs: one of all columns, or where these are very many, one a group.
std::vector<std::vector<std::size_t>> blocks_of(const std::vector<std::size_t>& columns, const EliminationRule& rule);

/// Positions, ascending, that stay of `columns` (indices into the rule's `kept`) when the rule's share of them has
/// gone; the last goes too. All stay where none may go. `coefficients` are fitted for these columns. What the loss of a
/// column does to columns of other blocks is left out.
std::vector<std::size_t> eliminate(std::vector<InverseBlock> blocks, std::span<const double> coefficients,
                                   const std::vector<std::size_t>& columns, const EliminationRule& rule);

/// The same for a factorised M.
std::vector<std::size_t> eliminate(const Cholesky& M, std::span<const double> coefficients,
                                   const std::vector<std::size_t>& columns, const EliminationRule& rule);

}  // namespace shrimp

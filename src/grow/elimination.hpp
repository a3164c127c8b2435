// Which columns of a ridge regression go, one after the other (backward elimination).
//
// With M = AᵀA + λI and c = M⁻¹Aᵀy, losing column j raises the least of ‖Ac − y‖² + λ‖c‖² by c_j²/(M⁻¹)_jj: its
// magnitude, measured by its own uncertainty (Hassibi and Stork, 1993). The column that costs least goes, the others
// are fitted again, and so on. Of columns that can stand for one another each costs little until the others are gone;
// magnitudes at one time do not tell them from columns that nobody needs.
#pragma once

#include <cstddef>
#include <vector>

#include "linalg/cholesky.hpp"

namespace shrimp {

struct EliminationRule {
  std::vector<bool> kept;  ///< One entry a column of A: whether it always stays.
  double rate = 0.2;       ///< Share of the others that goes between two fits from the start; 0 < rate < 1.
};

/// Positions, ascending, that stay of `columns` (indices into the rule's `kept`) when the rule's share of them has
/// gone; the last goes too. `M` is factorised and `coefficients` are fitted for these columns. All stay where none may
/// go.
std::vector<std::size_t> eliminate(const Cholesky& M, std::vector<double> coefficients,
                                   const std::vector<std::size_t>& columns, const EliminationRule& rule);

}  // namespace shrimp

// Backward elimination of the columns of a ridge regression.
//
// With M = AᵀA + λI and c = M⁻¹Aᵀy, removing column j raises the minimum of ‖A c − y‖² + λ‖c‖² by c_j²/(M⁻¹)_jj. This
// is the coefficient relative to its standard error (Hassibi and Stork, 1993). The column of least cost is removed, the
// others are fitted again, and so on. Each of several nearly collinear columns costs little until the others have gone,
// which coefficients alone do not show.
//
// With very many columns, M⁻¹ is computed within groups of similar columns only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "ridge/solve.hpp"

namespace shrimp {

struct EliminationRule {
  std::vector<bool> kept;  ///< One entry per column of A: whether it must stay.
  double rate = 0.2;       ///< Fraction of the others that is removed between two fits; 0 < rate < 1.
  /// Empty, or one number per column: the most similar columns have equal numbers.
  std::vector<std::uint32_t> groups = {};
};

/// round(rate·columns), at least 1, and never all.
std::size_t drop_count(std::size_t columns, double rate);

/// M⁻¹ of some of the columns.
struct InverseBlock {
  std::vector<std::size_t> positions;  ///< Ascending.
  Matrix inverse;
};

/// Positions of `columns` in each block that `eliminate` needs: one block, or one per group for very many columns.
/// Empty if the rule lets no column go.
std::vector<std::vector<std::size_t>> blocks_of(const std::vector<std::size_t>& columns, const EliminationRule& rule);

/// These blocks of M⁻¹.
std::vector<InverseBlock> inverse_blocks(const Cholesky& M, const std::vector<std::size_t>& columns,
                                         const EliminationRule& rule);

/// Positions, ascending, that remain of `columns` (indices into the rule's `kept`) after one step of the rule. It may
/// remove the last free column; all remain if none is free. `coefficients` are those of these columns. The effect of a
/// removal on columns of other blocks is neglected.
std::vector<std::size_t> eliminate(std::vector<InverseBlock> blocks, std::span<const double> coefficients,
                                   const std::vector<std::size_t>& columns, const EliminationRule& rule);

/// Fits the columns of its argument, and returns the blocks of M⁻¹. Without a result, the elimination ends.
using FitAndInvert = std::function<std::optional<std::vector<InverseBlock>>(RidgeFit&)>;

/// Fits and eliminates, beginning with `fit.columns`, until no column is free. `record` receives every fit.
void eliminate_backward(RidgeFit fit, const EliminationRule& rule, const FitAndInvert& solve,
                        const std::function<void(const RidgeFit&)>& record);

}  // namespace shrimp

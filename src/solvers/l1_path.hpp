// The minimisers of ½‖A c − y‖² + λ‖c‖₁ from λ = ‖Aᵀy‖_∞, where c = 0, down to the λ where ‖A c − y‖ = σ: there c also
// minimises ‖c‖₁ subject to ‖A c − y‖ ≤ σ.
//
// The path is linear between breakpoints where a column joins or leaves the support (Osborne, Presnell and Turlach, IMA
// J. Numer. Anal. 20, 2000), and is followed from one to the next; so the point it ends at is exact up to rounding,
// however coherent the columns. Only columns that come near |a_jᵀr| = λ can join: the breakpoints are sought among a
// working set of them. Every few steps all columns are checked; if one outside the set would have joined meanwhile, the
// set grows and the steps are done again.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "solvers/counted_operator.hpp"

namespace shrimp {

struct L1PathEnd {
  std::vector<double> coefficients;
  std::vector<double> dual;  ///< u = (y − A c)/λ or its limit where λ = 0: a_jᵀu is the sign of c_j, |Aᵀu| ≤ 1.
  double lambda = 0.0;       ///< 0 with ‖A c − y‖ > σ: no c comes nearer to y.
  std::size_t steps = 0;
  bool finished = false;  ///< False after most_steps, or where the support outgrew what may be kept in memory.
};

/// y is not 0 and σ < ‖y‖. Ends early where ‖A c − y‖ − σ ≤ tolerance·‖y‖ and c lacks no more than tolerance·max(1,
/// ‖c‖₁) of the least norm.
L1PathEnd follow_l1_path(const CountedOperator& A, std::span<const double> y, double sigma, double tolerance,
                         std::size_t most_steps);

}  // namespace shrimp

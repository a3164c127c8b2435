// Ridge regression under a loss, by iteratively reweighted least squares.
//
// With columns A, a constant and the losses l of objective/objective.hpp, it minimises
//   Σ_i v_i l(y_i, f_i) + ½ λ ‖c‖²,   f = constant + A c,                                                    (1)
// v the rows' own weights: every step solves the weighted ridge problem that (1) is near the sums f so far, and is
// halved while it does not lower (1). What a row's sum would be without the row is read off the last of these problems
// (approximate leave-one-out; Rad and Maleki, 2020): with H its hat matrix,
//   f_i − (z_i − f_i) H_ii/(1 − H_ii),
// and the same with the block of H for rows of a group, which are left out together.
//
// A step takes one passage over the rows, in blocks, so that A need not be kept.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "data/grouped_rows.hpp"
#include "objective/objective.hpp"
#include "shrimp/matrix.hpp"

namespace shrimp {

/// Columns that are kept, or made when they are asked for.
struct RowsOfColumns {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::function<Matrix(std::size_t first, std::size_t count)> block;  ///< So many successive rows of A.
};

/// A must outlive it.
RowsOfColumns rows_of(const Matrix& A);

struct ReweightedProblem {
  RowsOfColumns A;
  std::span<const double> y;
  std::span<const double> weights;  ///< Empty: every row counts 1.
  LossFunction loss;
  std::function<void()> check = {};    ///< Called before every block of a passage; it may throw.
  std::function<bool()> is_over = {};  ///< Whether to end with what there is; called after the first few steps.
  double precision = 1e-10;            ///< Steps end that change (1) by less than this fraction of it.
};

struct ReweightedFit {
  std::vector<double> coefficients;
  double constant = 0.0;
  std::vector<double> sums;  ///< Of every row.
  double loss = 0.0;         ///< The weighted mean of the rows' losses.
  bool converged = true;
};

/// λ > 0. A `start` of as many coefficients saves steps.
ReweightedFit fit_reweighted(const ReweightedProblem& problem, double lambda, const ReweightedFit* start = nullptr);

/// Sums of the rows without themselves; rows of a group have to be beside each other where `starts` tells groups. Empty
/// where rounding decides.
std::vector<double> leave_one_out_sums(const ReweightedProblem& problem, double lambda, const ReweightedFit& fit,
                                       const GroupStarts& starts = nullptr);

}  // namespace shrimp

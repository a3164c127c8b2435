// A summary's rows, in all and by folds, and what is solved with them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "update/column_solver.hpp"
#include "update/summary_content.hpp"

namespace shrimp {

/// Of the target over its scale.
struct FoldError {
  double mean = 0.0;
  double standard_error = 0.0;
};

class FoldSums {
 public:
  /// Throws DataError where the summary has no rows, is of other columns or too large, and as require_refit does. The
  /// summary must outlive it.
  FoldSums(const Model& model, const ModelSummary& summary);

  [[nodiscard]] const TriangularSystem& total() const { return total_; }

  /// The constant and the coefficients, and what they solve.
  [[nodiscard]] std::vector<double> solve(const TriangularSystem& sums) const;
  [[nodiscard]] RidgeProblem problem(const TriangularSystem& sums) const;
  [[nodiscard]] std::optional<Posterior> posterior() const { return solver_.posterior(total_, unit_); }

  /// Of all rows, in units in which the ridge counts as for one row.
  [[nodiscard]] double count() const { return total_.weight / unit_; }

  /// The same for a part of the model's columns, `fewer` having the sums of just these.
  [[nodiscard]] std::vector<double> solve(const Model& smaller, const TriangularSystem& fewer) const;

  /// Each fold's error by a fit to the others, which gives the constant and all coefficients; none of one fold.
  using Fit = std::function<std::vector<double>(const TriangularSystem& others)>;
  [[nodiscard]] std::optional<FoldError> error(const Fit& fit) const;

 private:
  const ModelSummary::Content& content_;
  ColumnSolver solver_;
  TriangularSystem total_;
  double unit_;
  double kept_;
};

/// The model with the coefficients of these rows, and an error by folds that is known.
Model refit(const Model& model, const ModelSummary& summary, const FoldSums& rows,
            const std::optional<FoldError>& by_folds);

}  // namespace shrimp

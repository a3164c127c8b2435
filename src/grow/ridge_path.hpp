// Pruning under a fixed ridge, on all rows and on parts of them.
//
// The normal equations of a part are those of all rows less those of the rows held out: folds cost a little more than
// one path. Ridge keeps them well conditioned.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "data/split.hpp"
#include "grow/elimination.hpp"
#include "grow/smoother.hpp"
#include "shrimp/matrix.hpp"
#include "shrimp/path.hpp"
#include "summary/gram_summary.hpp"

namespace shrimp {

class RidgePath {
 public:
  /// A's columns and y have mean 0 (weighted).
  RidgePath(Matrix A, std::vector<double> y, std::span<const double> weights, double lambda);

  /// With all columns.
  [[nodiscard]] PathStep fit() const;

  /// From all columns until those are left that always stay.
  [[nodiscard]] std::vector<PathStep> steps(const EliminationRule& rule) const;

  /// Weighted mean square of what a step leaves of other rows.
  [[nodiscard]] static RowErrors errors_on(const PathStep& step, const Matrix& A, std::span<const double> y,
                                           std::span<const double> weights);

  /// Errors of every row at every step, from the path of the other folds' rows.
  [[nodiscard]] std::vector<RowErrors> validate(const EliminationRule& rule, std::span<const RowSplit> folds) const;

 private:
  [[nodiscard]] GramSummary sum_up(std::span<const std::size_t> rows) const;
  std::optional<Cholesky> solve(const GramSummary& sums, PathStep& step) const;
  [[nodiscard]] std::vector<PathStep> walk(const GramSummary& sums, const EliminationRule& rule) const;

  Matrix A_;
  std::vector<double> y_;
  std::vector<double> weights_;
  double lambda_;
  GramSummary all_;
};

}  // namespace shrimp

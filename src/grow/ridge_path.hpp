// Pruning by magnitude under a fixed ridge, on all rows and on parts of them.
//
// The normal equations of a part are those of all rows less those of the rows held out: folds cost a little more than
// one path. Ridge keeps them well conditioned.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grow/smoother.hpp"
#include "linalg/cholesky.hpp"
#include "shrimp/matrix.hpp"
#include "summary/gram_summary.hpp"

namespace shrimp {

class RidgePath {
 public:
  struct Step {
    std::vector<std::size_t> columns;
    std::vector<double> coefficients;
  };

  /// A's columns and y have mean 0 (weighted). `kept` columns are never pruned; at least one other is.
  RidgePath(Matrix A, std::vector<double> y, std::span<const double> weights, double lambda, double prune_rate,
            std::vector<bool> kept);

  /// From all columns to none but those that are kept.
  [[nodiscard]] std::vector<Step> steps() const;

  /// Weighted mean square of what a step leaves of other rows.
  [[nodiscard]] static RowErrors errors_on(const Step& step, const Matrix& A, std::span<const double> y,
                                           std::span<const double> weights);

  /// Errors of every row at every step, from the path of the other folds' rows.
  [[nodiscard]] std::vector<RowErrors> validate(std::size_t folds, std::uint64_t seed) const;

 private:
  [[nodiscard]] GramSummary sum_up(std::span<const std::size_t> rows) const;
  [[nodiscard]] Cholesky factor(const Matrix& G, std::span<const std::size_t> columns) const;
  [[nodiscard]] std::vector<Step> walk(const GramSummary& sums) const;

  Matrix A_;
  std::vector<double> y_;
  std::vector<double> weights_;
  double lambda_;
  double prune_rate_;
  std::vector<bool> kept_;
  GramSummary all_;
};

}  // namespace shrimp

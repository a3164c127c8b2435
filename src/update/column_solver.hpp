// Coefficients of a model's columns from the triangle of their rows.
#pragma once

#include <optional>
#include <vector>

#include "intervals/posterior.hpp"
#include "model/column_prior.hpp"
#include "ridge/group_elimination.hpp"
#include "ridge/triangular_system.hpp"
#include "shrimp/model.hpp"
#include "update/refit_rule.hpp"

namespace shrimp {

class ColumnSolver {
 public:
  ColumnSolver(const Model& model, RefitRule rule);

  /// The constant and the columns' coefficients, for a target less `kept_constant` where the model keeps its own. The
  /// ridge counts as in rows of weight `unit`. The sums have rows.
  [[nodiscard]] std::vector<double> solve(const TriangularSystem& sums, double unit, double kept_constant) const;

  /// What is solved for the columns: where there is a ridge, those that it counts for alike. Kernel columns are mixed
  /// with each other in these.
  [[nodiscard]] RidgeProblem problem(const TriangularSystem& sums, double unit, double kept_constant) const;

  /// What the sums tell of the coefficients; none where they leave some open.
  [[nodiscard]] std::optional<Posterior> posterior(const TriangularSystem& sums, double unit) const;

 private:
  [[nodiscard]] double constant_of(const TriangularSystem& sums, double kept_constant) const;
  [[nodiscard]] std::vector<double> solve_ridge(RidgeProblem problem) const;

  RefitRule rule_;
  std::optional<ColumnPrior> prior_;  // Where there is a ridge.
};

}  // namespace shrimp

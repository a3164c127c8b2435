// Coefficients of a model's columns from the triangle of their rows.
#pragma once

#include <optional>
#include <vector>

#include "linalg/cholesky.hpp"
#include "shrimp/model.hpp"
#include "solvers/group_elimination.hpp"
#include "summary/triangle_summary.hpp"
#include "update/refit_rule.hpp"

namespace shrimp {

class ColumnSolver {
 public:
  ColumnSolver(const Model& model, RefitRule rule);

  /// The constant and the columns' coefficients, for a target less `kept_constant` where the model keeps its own. The
  /// ridge counts as in rows of weight `unit`. The sums have rows.
  [[nodiscard]] std::vector<double> solve(const TriangleSummary& sums, double unit, double kept_constant) const;

  /// What is solved for the columns: where there is a ridge, those that it counts for alike. Kernel columns are mixed
  /// with each other in these.
  [[nodiscard]] RidgeProblem problem(const TriangleSummary& sums, double unit, double kept_constant) const;

 private:
  [[nodiscard]] double constant_of(const TriangleSummary& sums, double kept_constant) const;
  [[nodiscard]] std::vector<double> solve_ridge(RidgeProblem problem) const;
  void whiten(Matrix& R) const;
  void unwhiten(std::vector<double>& c) const;

  RefitRule rule_;
  std::vector<std::size_t> sections_;  // Kernel columns, …
  std::optional<Cholesky> kernel_;     // … and the factor of the kernel at their centres.
};

}  // namespace shrimp

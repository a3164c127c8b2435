// Prune paths at several rates on one A c ≈ y, sharing its compression and first solution.
#pragma once

#include "path/path_solver.hpp"
#include "shrimp/path.hpp"

namespace shrimp {

class PrunePaths {
 public:
  /// options.prune_rate is not used. `gram`, if given, makes the lower triangle of A Aᵀ for less
  /// than computing it. Throws std::invalid_argument as visit_prune_path does.
  PrunePaths(const std::shared_ptr<const RowSpace>& A, std::span<const double> y, const PathOptions& options,
             const std::function<Matrix()>& gram = {});

  /// The equations with nothing lost: A itself, or a triangle where A had more rows than columns.
  [[nodiscard]] const CompressedProblem& base() const { return solver_.base(); }

  /// Several rates are cheapest from the lowest to the highest; `more_rates` tells that others will follow.
  void visit(double prune_rate, const PathVisitor& visit, bool more_rates = false);

 private:
  void solve(PathSolver& solver, PathStep& step) const;

  std::size_t rows_;
  PathSolver solver_;
  PathStep first_;
  GramShelf shelf_;
};

}  // namespace shrimp

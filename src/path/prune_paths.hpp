// Prune paths at several rates on one A c ≈ y, sharing its compression and first solution.
#pragma once

#include "path/path_solver.hpp"
#include "shrimp/path.hpp"

namespace shrimp {

class PrunePaths {
 public:
  /// options.prune_rate is not used. A must stay alive. Throws std::invalid_argument as visit_prune_path does.
  PrunePaths(MatrixView A, std::span<const double> y, const PathOptions& options);

  void visit(double prune_rate, const PathVisitor& visit) const;

 private:
  void solve(PathSolver& solver, PathStep& step) const;

  PathOptions options_;
  std::size_t rows_;
  PathSolver solver_;
  PathStep first_;
};

}  // namespace shrimp

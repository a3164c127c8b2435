// Prune paths by several rules on one A c ≈ y, sharing its compression and first solution.
#pragma once

#include "path/path_engine.hpp"
#include "path/prune.hpp"
#include "shrimp/path.hpp"

namespace shrimp {

class PrunePaths {
 public:
  /// How columns are dropped is not taken from `options`. `gram`, if given, makes the lower triangle of A Aᵀ for less
  /// than computing it. Throws std::invalid_argument as visit_prune_path does.
  PrunePaths(const std::shared_ptr<const RowSpace>& A, std::span<const double> y, const PathOptions& options,
             const std::function<Matrix()>& gram = {});

  /// See PathEngine.
  [[nodiscard]] std::optional<Reduction> with_rows(const RowSpace* more, std::span<const double> y,
                                                   const Columns& P) const {
    return engine_->with_rows(more, y, P);
  }

  /// Several rates are cheapest from the lowest to the highest; `more_rules` tells that others will follow.
  void visit(const PruneRule& rule, const PathVisitor& visit, bool more_rules = false);

 private:
  void solve(PathEngine& engine, PathStep& step) const;
  void measure(PathStep& step) const;

  std::size_t rows_;
  std::shared_ptr<const RowSpace> A_;
  std::vector<double> y_;
  std::unique_ptr<PathEngine> engine_;
  PathStep first_;
  GramShelf shelf_;
};

}  // namespace shrimp

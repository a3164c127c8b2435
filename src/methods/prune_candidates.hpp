// The prune methods: one path engine with different rules.
#pragma once

#include <memory>

#include "methods/candidates.hpp"
#include "path/prune.hpp"
#include "path/prune_paths.hpp"

namespace shrimp {

/// Fits that come off prune paths on one set of equations.
class PathCandidates : public Candidates {
 public:
  PathCandidates(const Problem& problem, const FitOptions& options);

  [[nodiscard]] std::optional<Reduction> with_rows(const Equations& more, const Columns& P) const override {
    return paths_.with_rows(more.A.get(), more.y, P);
  }

 protected:
  PrunePaths& paths() { return paths_; }

 private:
  std::vector<std::uint32_t> groups_;
  PrunePaths paths_;
};

/// The rule of one pruning rate on so many columns.
using RuleOfRate = PruneRule (*)(double rate, std::size_t columns, const FitOptions& options);

/// A branch for every rate.
std::unique_ptr<Candidates> prune_candidates(const Problem& problem, const FitOptions& options, RuleOfRate rule);

/// Drops the share `rate` of the columns, those of smallest |c_j| (paper, Algorithm 1).
PruneRule drop_smallest_share(double rate, std::size_t columns, const FitOptions& options);

}  // namespace shrimp

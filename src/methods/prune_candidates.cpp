// The prune methods: one loop with different rules.
#include <algorithm>

#include "methods/candidates.hpp"
#include "path/prune_paths.hpp"
#include "path/refit.hpp"

namespace shrimp {
namespace {

PathOptions path_options(const FitOptions& options, std::span<const std::uint32_t> groups) {
  PathOptions path;
  path.rank_tolerance = options.rank_tolerance;
  path.ridge = options.ridge.value_or(0.0);
  path.ridge_by_gcv = options.ridge_by_gcv;
  path.spectrum = options.spectrum;
  path.groups = groups;
  return path;
}

class PruneCandidates : public Candidates {
 public:
  PruneCandidates(const Problem& problem, const FitOptions& options, const Grid& grid)
      : options_(options),
        thresholds_(grid.penalties),
        rates_(options.prune_rates),
        columns_(problem.dictionary.columns()),
        groups_(support_numbers(problem.dictionary)),
        paths_(problem.equations.A, problem.equations.y, path_options(options, groups_), problem.gram) {
    std::ranges::sort(rates_);
  }

  void visit(std::size_t branch, const PathVisitor& visit) override {
    const double rate = rates_[branch];
    const bool more = branch + 1 < rates_.size();
    switch (options_.method) {
      case Method::min_l2:
        return paths_.visit(keep_all(), visit);
      case Method::naive_prune:
        return paths_.visit(drop_smallest(rate, false), visit);
      case Method::random_prune:
        return paths_.visit(drop_at_random(rate, columns_, options_.seed), visit, more);
      case Method::stlsq:
        return visit_thresholds(visit);
      default:
        return paths_.visit(drop_smallest(rate), visit, more);
    }
  }

  [[nodiscard]] std::optional<Reduction> with_rows(const Equations& more, const Columns& P) const override {
    return paths_.with_rows(more.A.get(), more.y, P);
  }

 private:
  // A threshold's fit is the one that it drops no more columns of.
  void visit_thresholds(const PathVisitor& visit) {
    for (const double threshold : thresholds_) {
      PathStep last;
      paths_.visit(drop_below(threshold), [&](const PathStep& step) {
        last = step;
        return true;
      });
      last.penalty = threshold;
      if (!visit(last)) return;
    }
  }

  const FitOptions& options_;
  std::vector<double> thresholds_;
  std::vector<double> rates_;
  std::size_t columns_;
  std::vector<std::uint32_t> groups_;
  PrunePaths paths_;
};

}  // namespace

std::unique_ptr<Candidates> prune_candidates(const Problem& problem, const FitOptions& options, const Grid& grid) {
  return std::make_unique<PruneCandidates>(problem, options, grid);
}

}  // namespace shrimp

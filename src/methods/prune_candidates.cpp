#include "methods/prune_candidates.hpp"

#include <algorithm>

#include "path/refit.hpp"

namespace shrimp {
namespace {

PathOptions path_options(const PruneOptions& options, std::span<const std::uint32_t> groups) {
  PathOptions path;
  path.rank_tolerance = options.rank_tolerance;
  path.ridge = options.ridge.value_or(0.0);
  path.ridge_by_gcv = options.ridge_by_gcv;
  path.spectrum = options.spectrum;
  path.groups = groups;
  return path;
}

class PruneCandidates : public PathCandidates {
 public:
  PruneCandidates(const Problem& problem, const FitOptions& options, RuleOfRate rule)
      : PathCandidates(problem, options),
        options_(options),
        rule_(rule),
        rates_(options.prune.rates),
        columns_(problem.dictionary.columns()) {
    std::ranges::sort(rates_);
  }

  void visit(std::size_t branch, const PathVisitor& visit) override {
    paths().visit(rule_(rates_[branch], columns_, options_), visit, branch + 1 < rates_.size());
  }

 private:
  const FitOptions& options_;
  RuleOfRate rule_;
  std::vector<double> rates_;
  std::size_t columns_;
};

}  // namespace

PathCandidates::PathCandidates(const Problem& problem, const FitOptions& options)
    : groups_(support_numbers(problem.dictionary)),
      paths_(problem.equations.A, problem.equations.y, path_options(options.prune, groups_), problem.gram) {}

std::unique_ptr<Candidates> prune_candidates(const Problem& problem, const FitOptions& options, RuleOfRate rule) {
  return std::make_unique<PruneCandidates>(problem, options, rule);
}

PruneRule drop_smallest_share(double rate, std::size_t /*columns*/, const FitOptions& /*options*/) {
  return drop_smallest(rate);
}

}  // namespace shrimp

// The functions of shrimp/path.hpp: paths on a matrix that is given.
#include <fmt/format.h>

#include <memory>
#include <stdexcept>

#include "path/prune.hpp"
#include "path/prune_paths.hpp"
#include "shrimp/path.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

PruneRule rule_of(const PathOptions& options, std::size_t columns) {
  if (!(options.prune_rate >= 0.0 && options.prune_rate < 1.0)) {
    throw std::invalid_argument(fmt::format("prune rate {} is not in [0, 1).", options.prune_rate));
  }
  if (options.drop == Drop::smallest) return drop_smallest(options.prune_rate, options.refit);
  PruneRule rule = drop_at_random(options.prune_rate, columns, options.seed);
  rule.refit = options.refit;
  return rule;
}

}  // namespace

void visit_prune_path(MatrixView A, std::span<const double> y, const PathOptions& options, const PathVisitor& visit) {
  const PruneRule rule = rule_of(options, A.cols);
  const ThreadScope scope(options.threads);
  PrunePaths(std::make_shared<DenseRows>(A), y, options).visit(rule, visit);
}

PathStep threshold_sequentially(MatrixView A, std::span<const double> y, double threshold, const PathOptions& options) {
  if (!(threshold >= 0.0)) throw std::invalid_argument(fmt::format("threshold {} is not 0 or more.", threshold));
  const ThreadScope scope(options.threads);
  PathStep last;
  PrunePaths(std::make_shared<DenseRows>(A), y, options).visit(drop_below(threshold), [&](const PathStep& step) {
    last = step;
    return true;
  });
  last.penalty = threshold;
  return last;
}

std::vector<PathStep> prune_path(MatrixView A, std::span<const double> y, const PathOptions& options) {
  std::vector<PathStep> steps;
  visit_prune_path(A, y, options, [&](const PathStep& step) {
    steps.push_back(step);
    return true;
  });
  return steps;
}

std::vector<std::size_t> path_sizes(std::size_t columns, double prune_rate) {
  std::vector<std::size_t> sizes;
  while (columns > 0) {
    sizes.push_back(columns);
    if (columns == 1) break;
    columns -= drop_count(columns, prune_rate);
  }
  return sizes;
}

}  // namespace shrimp

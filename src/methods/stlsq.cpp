// Sequentially thresholded least squares (SINDy): fit, drop every |c_j| below the threshold, repeat until none is.
#include <algorithm>
#include <cmath>

#include "methods/method.hpp"
#include "methods/prune_candidates.hpp"

namespace shrimp {

namespace {

// Coefficients of scaled data are hardly larger, and far smaller only where they do nothing.
std::vector<double> own_thresholds() {
  std::vector<double> thresholds;
  for (int k = -30; k <= 5; ++k) thresholds.push_back(std::pow(10.0, k / 5.0));
  return thresholds;
}

Grid stlsq_grid(const Problem& /*problem*/, const FitOptions& options) {
  Grid grid;
  grid.penalties = options.prune.thresholds.empty() ? own_thresholds() : options.prune.thresholds;
  std::ranges::sort(grid.penalties);
  return grid;
}

class ThresholdCandidates : public PathCandidates {
 public:
  ThresholdCandidates(const Problem& problem, const FitOptions& options, const Grid& grid)
      : PathCandidates(problem, options), thresholds_(grid.penalties) {}

  // A threshold's fit is the one that it drops no more columns of.
  void visit(std::size_t /*branch*/, const PathVisitor& visit) override {
    for (const double threshold : thresholds_) {
      PathStep last;
      paths().visit(drop_below(threshold), [&](const PathStep& step) {
        last = step;
        return true;
      });
      last.penalty = threshold;
      if (!visit(last)) return;
    }
  }

 private:
  std::vector<double> thresholds_;
};

}  // namespace

extern const Method stlsq_method = {
    .name = "stlsq",
    .help = "drops coefficients below a threshold and fits again, as SINDy does",
    .takes = {"order", "features", "sigma2", "basis", "frequency-distribution", "dof", "threshold", "ridge", "rcond"},
    .grid = stlsq_grid,
    .candidates = [](const Problem& problem, const FitOptions& options, const Grid& grid)
        -> std::unique_ptr<Candidates> { return std::make_unique<ThresholdCandidates>(problem, options, grid); },
    .refits_by_sums = true,
    .runs_on_device = true,
    .memory = {.tall = {.copies = 2.45, .squares = 0.49},
               .wide = {.copies = 1.85, .squares = 5.95},
               .reduced = MemoryUse{.copies = 0.32, .squares = 3.73, .blocks = 0.67},
               .dependent = MemoryUse{.copies = 3.32},
               .very_dependent = MemoryUse{.copies = 3.02, .squares = 3.62}},
};

}  // namespace shrimp

// HARFE: hard thresholding pursuit with ridge on s columns.
#include <algorithm>
#include <cmath>

#include "methods/method.hpp"
#include "solvers/hard_ridge.hpp"

namespace shrimp {
namespace {

class HardRidgeCandidates : public Candidates {
 public:
  HardRidgeCandidates(const Problem& problem, const FitOptions& options, const Grid& grid)
      : equations_(problem.equations), sizes_(grid.sizes) {
    solver_options_.ridge = options.prune.ridge.value_or(0.0);
    solver_options_.max_iterations = options.sparse.max_iterations;
    solver_options_.stop = problem.stop;
  }

  void visit(std::size_t /*branch*/, const PathVisitor& visit) override {
    for (const std::size_t size : sizes_) {
      solver_options_.sparsity = size;
      HardRidgeSolution solution = solve_hard_ridge(*equations_.A, equations_.y, solver_options_);
      PathStep step;
      step.columns = std::move(solution.columns);
      step.coefficients = std::move(solution.coefficients);
      step.rank = solution.rank;
      step.ridge = solver_options_.ridge;
      step.train_mse = solution.residual / static_cast<double>(equations_.y.size());
      step.converged = solution.converged;
      if (!visit(step)) return;
    }
  }

 private:
  const Equations& equations_;
  std::vector<std::size_t> sizes_;
  HardRidgeOptions solver_options_;
};

std::vector<std::size_t> sizes_of(std::size_t rows, std::size_t columns, const FitOptions& options) {
  if (auto asked = asked_sizes(options, columns); !asked.empty()) return asked;
  const auto s = static_cast<std::size_t>(std::llround(0.15 * static_cast<double>(rows)));
  return {std::clamp<std::size_t>(s, 1, columns)};
}

Grid harfe_grid(const Problem& problem, const FitOptions& options) {
  return {{}, sizes_of(problem.equations.y.size(), problem.dictionary.columns(), options)};
}

std::size_t most_kept(std::size_t rows, std::size_t columns, const FitOptions& options) {
  return std::ranges::max(sizes_of(rows, columns, options));
}

// Steps are a least-squares problem each: few are allowed.
void complete_harfe(FitOptions& options, std::size_t d) {
  if (!options.draw.basis) options.draw.basis = Basis::sine;
  if (!options.prune.ridge) options.prune.ridge = 1e-4;
  if (options.sparse.max_iterations == 0) options.sparse.max_iterations = 200;
  complete_common(options, d);
}

}  // namespace

extern const Method harfe_method = {
    .name = "harfe",
    .help = "keeps a given number of columns by hard thresholding, with ridge (HARFE)",
    .takes = {"order", "features", "sigma2", "basis", "frequency-distribution", "dof", "sparsity", "ridge",
              "max-iterations"},
    .complete = complete_harfe,
    .grid = harfe_grid,
    .candidates = [](const Problem& problem, const FitOptions& options, const Grid& grid)
        -> std::unique_ptr<Candidates> { return std::make_unique<HardRidgeCandidates>(problem, options, grid); },
    .memory = {.tall = {.squares = 0.64, .kept = 3.68}, .wide = {.copies = 0.71, .squares = 0.31}},
    .most_kept = most_kept,
};

}  // namespace shrimp

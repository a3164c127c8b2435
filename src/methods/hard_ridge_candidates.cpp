#include "methods/candidates.hpp"
#include "solvers/hard_ridge.hpp"

namespace shrimp {
namespace {

class HardRidgeCandidates : public Candidates {
 public:
  HardRidgeCandidates(const Problem& problem, const FitOptions& options, const Grid& grid)
      : equations_(problem.equations), sizes_(grid.sizes) {
    solver_options_.ridge = options.ridge.value_or(0.0);
    solver_options_.max_iterations = options.max_iterations;
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

}  // namespace

std::unique_ptr<Candidates> hard_ridge_candidates(const Problem& problem, const FitOptions& options, const Grid& grid) {
  return std::make_unique<HardRidgeCandidates>(problem, options, grid);
}

}  // namespace shrimp

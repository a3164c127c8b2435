#include "methods/lasso_candidates.hpp"

#include <algorithm>
#include <functional>

#include "linalg/dense.hpp"

namespace shrimp {
namespace {

LassoOptions lasso_options(const Problem& problem, const SparseOptions& options, LassoSolver solver) {
  LassoOptions lasso;
  lasso.solver = solver;
  lasso.tolerance = options.tolerance;
  lasso.max_iterations = options.max_iterations;
  lasso.total_weight = problem.equations.total_weight;
  lasso.stop = problem.stop;
  return lasso;
}

class LassoCandidates : public Candidates {
 public:
  LassoCandidates(const Problem& problem, const FitOptions& options, const Grid& grid, LassoSolver solver)
      : equations_(problem.equations),
        options_(lasso_options(problem, options.sparse, solver)),
        lambdas_(grid.penalties) {}

  void visit(std::size_t /*branch*/, const PathVisitor& visit) override {
    const double scale = squared_norm(equations_.y) / equations_.total_weight;
    LassoPath path = start();
    for (const double lambda : lambdas_) {
      LassoSolution solution = path.solve(lambda);
      PathStep step;
      step.columns = std::move(solution.columns);
      step.coefficients = std::move(solution.coefficients);
      step.rank = std::min(step.columns.size(), equations_.y.size());
      step.penalty = lambda;
      step.converged = solution.converged;
      step.duality_gap = scale > 0.0 ? solution.gap / scale : 0.0;
      step.train_mse = equations_.squared_error(step) / static_cast<double>(equations_.y.size());
      if (!visit(step)) return;
    }
  }

 private:
  [[nodiscard]] LassoPath start() const {
    if (const auto dense = equations_.A->dense()) return {*dense, equations_.y, options_};
    return {*equations_.A, equations_.y, options_};
  }

  const Equations& equations_;
  LassoOptions options_;
  std::vector<double> lambdas_;
};

}  // namespace

std::unique_ptr<Candidates> lasso_candidates(const Problem& problem, const FitOptions& options, const Grid& grid,
                                             LassoSolver solver) {
  return std::make_unique<LassoCandidates>(problem, options, grid, solver);
}

Grid lasso_grid(const Problem& problem, const FitOptions& options, double smallest, std::size_t count) {
  const Equations& equations = problem.equations;
  Grid grid{options.sparse.lambdas, {}};
  if (grid.penalties.empty()) {
    const double largest = lasso_lambda_max(*equations.A, equations.y, equations.total_weight);
    grid.penalties = lambda_grid(largest, smallest, count);
  }
  std::ranges::sort(grid.penalties, std::greater<>());
  return grid;
}

}  // namespace shrimp

// SRFE-S: the s largest coefficients of the minimiser of ‖c‖₁ with ‖A c − y‖₂ ≤ η√m.
#include <algorithm>
#include <cmath>

#include "linalg/dense.hpp"
#include "methods/method.hpp"
#include "path/prune.hpp"
#include "solvers/basis_pursuit.hpp"
#include "solvers/minimum_norm.hpp"

namespace shrimp {
namespace {

// The s largest coefficients of one solution for every s, as they are or fitted again (thresholded basis pursuit).
class BasisPursuitCandidates : public Candidates {
 public:
  BasisPursuitCandidates(const Problem& problem, const FitOptions& options, const Grid& grid)
      : equations_(problem.equations), options_(options), sizes_(grid.sizes) {
    BasisPursuitOptions solver;
    solver.tolerance = options.sparse.tolerance;
    solver.max_iterations = options.sparse.max_iterations;
    solver.follow_path = !options.sparse.first_order;
    solver.stop = problem.stop;
    const double sigma = options.sparse.eta / problem.unit * std::sqrt(equations_.total_weight);
    const BasisPursuitSolution solution = solve_basis_pursuit(*equations_.A, equations_.y, sigma, solver);
    for (std::size_t j = 0; j < solution.coefficients.size(); ++j) {
      if (solution.coefficients[j] == 0.0) continue;
      all_.columns.push_back(j);
      all_.coefficients.push_back(solution.coefficients[j]);
    }
    const double norm = std::sqrt(squared_norm(equations_.y));
    all_.converged = solution.converged;
    all_.duality_gap = std::max(std::abs(solution.duality_gap), norm > 0.0 ? solution.violation / norm : 0.0);
    all_.rank = std::min(all_.columns.size(), equations_.y.size());
  }

  void visit(std::size_t /*branch*/, const PathVisitor& visit) override {
    for (const std::size_t size : sizes_) {
      const std::size_t nonzero = all_.columns.size();
      PathStep step = restrict_step(all_, keep_largest(all_.coefficients, nonzero - std::min(size, nonzero)));
      if (options_.sparse.refit && !step.columns.empty()) {
        MinimumNormSolution refitted =
            solve_minimum_norm(equations_.A->gather(step.columns), equations_.y, options_.prune.rank_tolerance);
        step.coefficients = std::move(refitted.coefficients);
        step.rank = refitted.rank;
      }
      step.train_mse = equations_.squared_error(step) / static_cast<double>(equations_.y.size());
      if (!visit(step)) return;
    }
  }

 private:
  const Equations& equations_;
  const FitOptions& options_;
  std::vector<std::size_t> sizes_;
  PathStep all_;
};

Grid srfe_s_grid(const Problem& problem, const FitOptions& options) {
  const std::size_t rows = problem.equations.y.size();
  const std::size_t columns = problem.dictionary.columns();
  Grid grid{{}, asked_sizes(options, columns)};
  if (!grid.sizes.empty()) return grid;
  grid.sizes = path_sizes(std::min(rows, columns), options.prune.rates.front());
  if (grid.sizes.front() < columns) grid.sizes.insert(grid.sizes.begin(), columns);
  return grid;
}

}  // namespace

extern const Method srfe_s_method = {
    .name = "srfe-s",
    .help = "keeps the largest coefficients of the solution of least l1 norm (SRFE-S)",
    .takes = {"order", "features", "sigma2", "basis", "frequency-distribution", "dof", "prune", "sparsity", "eta",
              "first-order", "refit", "tolerance", "max-iterations", "rcond"},
    .grid = srfe_s_grid,
    .candidates = [](const Problem& problem, const FitOptions& options, const Grid& grid)
        -> std::unique_ptr<Candidates> { return std::make_unique<BasisPursuitCandidates>(problem, options, grid); },
    .runs_on_device = true,
    .memory = {.tall = {.copies = 6.02},
               .wide = {.copies = 1.64, .squares = 5.36},
               .dependent = MemoryUse{.copies = 3.46},
               .very_dependent = MemoryUse{.copies = 2.86}},
};

}  // namespace shrimp

#include "methods/kernel_methods.hpp"

#include <algorithm>
#include <functional>

#include "solvers/kernel_ridge.hpp"
#include "solvers/lasso.hpp"

namespace shrimp {
namespace {

// W^½ K W^½ of the rows to fit: the columns of A (whose rows carry W^½ already) at their own centres.
Matrix own_kernel_matrix(const Problem& problem) {
  Matrix K = problem.equations.A->gather(problem.centres);
  const std::vector<double>& roots = problem.equations.roots;
  for (std::size_t j = 0; j < roots.size(); ++j) {
    for (double& value : K.col(j)) value *= roots[j];
  }
  return K;
}

class KernelRidgeCandidates : public Candidates {
 public:
  KernelRidgeCandidates(const Problem& problem, const Grid& grid)
      : equations_(problem.equations),
        centres_(problem.centres),
        lambdas_(grid.penalties),
        solver_(own_kernel_matrix(problem), equations_.y, {}, problem.device) {}

  void visit(std::size_t /*branch*/, const PathVisitor& visit) override {
    for (const double lambda : lambdas_) {
      KernelRidgeSolution solution = solver_.solve(lambda);
      PathStep step;
      step.columns = centres_;
      step.coefficients = std::move(solution.alpha);
      for (std::size_t j = 0; j < equations_.roots.size(); ++j) step.coefficients[j] *= equations_.roots[j];
      step.rank = solution.rank;
      step.penalty = lambda;
      step.train_mse = equations_.squared_error(step) / static_cast<double>(equations_.y.size());
      if (!visit(step)) return;
    }
  }

 private:
  const Equations& equations_;
  Columns centres_;
  std::vector<double> lambdas_;
  KernelRidge solver_;
};

}  // namespace

std::unique_ptr<Candidates> kernel_ridge_candidates(const Problem& problem, const FitOptions& /*options*/,
                                                    const Grid& grid) {
  return std::make_unique<KernelRidgeCandidates>(problem, grid);
}

// Relative to the largest eigenvalue that K can have, its trace m·K(x,x), down to where rounding would begin to count.
Grid kernel_ridge_grid(const Problem& problem, const FitOptions& options) {
  Grid grid{options.sparse.lambdas, {}};
  if (grid.penalties.empty()) {
    const auto d = problem.dictionary.support(0).size();
    const auto value = static_cast<double>(binomial(d, static_cast<std::uint64_t>(problem.dictionary.kernel_order)));
    grid.penalties = lambda_grid(problem.equations.total_weight * value, 1e-12, 25);
  }
  std::ranges::sort(grid.penalties, std::greater<>());
  return grid;
}

std::size_t count_rows_as_columns(TableSize size, const std::vector<int>& orders, const FitOptions& options) {
  count_random_features(size, orders, options);  // Refuses orders out of range.
  return size.m;
}

Dictionary draw_kernel(MatrixView X, const std::vector<int>& orders, const FitOptions& options) {
  return kernel_sections(X, kernel_gamma(X, orders.back(), options.kernel), orders.back());
}

std::vector<double> kernel_gamma(MatrixView X, int order, const KernelOptions& options) {
  if (options.gamma) return std::vector<double>(X.cols, *options.gamma);
  return options.by_order ? fixed_gamma(X.cols, order) : salsa_gamma(X);
}

}  // namespace shrimp

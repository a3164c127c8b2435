// solve_lasso A.bin y.bin LAMBDA_RATIO_MIN COUNT TOLERANCE SOLVER [RUNS [COEFFICIENTS.bin]]: the Lasso path on COUNT
// values of λ from λ_max down to LAMBDA_RATIO_MIN·λ_max, by coordinate_descent or proximal_gradient. Prints JSON: the
// median seconds of RUNS runs (1 unless told otherwise) and each solution's figures. Coefficients: a column for each λ.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <vector>

#include "binary_matrix.hpp"
#include "median_seconds.hpp"
#include "solvers/lasso.hpp"
#include "threads/threads.hpp"

namespace {

std::vector<shrimp::LassoSolution> solve_path(const shrimp::Matrix& A, const shrimp::Matrix& y, double ratio,
                                              std::size_t count, const shrimp::LassoOptions& options) {
  std::vector<shrimp::LassoSolution> solutions;
  shrimp::LassoPath path(A, y.col(0), options);
  for (const double lambda : shrimp::lambda_grid(shrimp::lasso_lambda_max(A, y.col(0)), ratio, count)) {
    solutions.push_back(path.solve(lambda));
  }
  return solutions;
}

template <typename Member>
std::string list(const std::vector<shrimp::LassoSolution>& solutions, const Member& member) {
  std::vector<std::string> values;
  for (const shrimp::LassoSolution& solution : solutions) values.push_back(fmt::format("{}", member(solution)));
  return fmt::format("[{}]", fmt::join(values, ","));
}

shrimp::Matrix coefficients(const std::vector<shrimp::LassoSolution>& solutions, std::size_t columns) {
  shrimp::Matrix all(columns, solutions.size());
  for (std::size_t k = 0; k < solutions.size(); ++k) {
    for (std::size_t entry = 0; entry < solutions[k].columns.size(); ++entry) {
      all(solutions[k].columns[entry], k) = solutions[k].coefficients[entry];
    }
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 7 || argc > 9) return 2;
  const shrimp::Matrix A = read_binary_matrix(argv[1]);
  const shrimp::Matrix y = read_binary_matrix(argv[2]);
  const double ratio = std::stod(argv[3]);
  const std::size_t count = std::stoul(argv[4]);
  shrimp::LassoOptions options;
  options.tolerance = std::stod(argv[5]);
  const std::string_view solver = argv[6];
  if (solver != "coordinate_descent" && solver != "proximal_gradient") return 2;
  if (solver == "proximal_gradient") options.solver = shrimp::LassoSolver::proximal_gradient;
  const int runs = argc > 7 ? std::stoi(argv[7]) : 1;

  const shrimp::ThreadScope threads(0);
  std::vector<shrimp::LassoSolution> solutions;
  const double seconds = median_seconds(runs, [&] { solutions = solve_path(A, y, ratio, count, options); });
  if (argc > 8) write_binary_matrix(argv[8], coefficients(solutions, A.cols()));
  using Solution = shrimp::LassoSolution;
  fmt::print(
      "{{\"seconds\":{},\n\"lambdas\":{},\n\"objectives\":{},\n\"gaps\":{},\n\"nonzeros\":{},\n\"iterations\":{},\n"
      "\"converged\":{}}}\n",
      seconds, list(solutions, [](const Solution& solution) { return solution.lambda; }),
      list(solutions, [](const Solution& solution) { return solution.objective; }),
      list(solutions, [](const Solution& solution) { return solution.gap; }),
      list(solutions, [](const Solution& solution) { return solution.columns.size(); }),
      list(solutions, [](const Solution& solution) { return solution.iterations; }),
      list(solutions, [](const Solution& solution) { return solution.converged; }));
}

// solve_bpdn A.bin y.bin SIGMA TOLERANCE [MAX_ITERATIONS [COEFFICIENTS.bin [first-order]]]: how long min ‖c‖₁ subject
// to ‖A c − y‖ ≤ σ takes and what comes out of it, as JSON; the coefficients go to a file of raw doubles.
#include <fmt/format.h>

#include <fstream>
#include <string>

#include "binary_matrix.hpp"
#include "median_seconds.hpp"
#include "solvers/basis_pursuit.hpp"
#include "threads/threads.hpp"

int main(int argc, char** argv) {
  if (argc < 5 || argc > 8) return 2;
  const shrimp::Matrix A = read_binary_matrix(argv[1]);
  const shrimp::Matrix y = read_binary_matrix(argv[2]);
  shrimp::BasisPursuitOptions options;
  options.tolerance = std::stod(argv[4]);
  if (argc > 5) options.max_iterations = std::stoul(argv[5]);
  options.follow_path = argc < 8;
  const shrimp::ThreadScope threads(0);

  shrimp::BasisPursuitSolution solution;
  const auto solve = [&] {
    solution = shrimp::solve_basis_pursuit(shrimp::DenseOperator(A), y.col(0), std::stod(argv[3]), options);
  };
  double seconds = median_seconds(1, solve);
  if (seconds < 2.0) seconds = median_seconds(3, solve);
  if (argc > 6) {
    std::ofstream file(argv[6], std::ios::binary);
    file.write(reinterpret_cast<const char*>(solution.coefficients.data()),
               static_cast<std::streamsize>(solution.coefficients.size() * sizeof(double)));
    if (!file.flush()) return 1;
  }
  fmt::print(
      "{{\"seconds\": {}, \"l1\": {}, \"residual\": {}, \"gap\": {}, \"violation\": {}, \"iterations\": {}, "
      "\"products\": {}, \"columns\": {}, \"converged\": {}}}\n",
      seconds, solution.l1_norm, solution.residual_norm, solution.duality_gap, solution.violation, solution.iterations,
      solution.products, solution.columns, solution.converged);
}

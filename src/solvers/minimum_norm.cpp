#include "solvers/minimum_norm.hpp"

#include <algorithm>
#include <limits>

#include "linalg/dense.hpp"
#include "linalg/householder.hpp"

namespace shrimp {

double default_rank_tolerance(std::size_t rows, std::size_t cols) {
  return static_cast<double>(std::max(rows, cols)) * std::numeric_limits<double>::epsilon();
}

MinimumNormSolution solve_minimum_norm(Matrix A, std::span<const double> y, double rank_tolerance, bool spectrum) {
  if (rank_tolerance == 0.0) rank_tolerance = default_rank_tolerance(A.rows(), A.cols());
  const bool wide = A.rows() < A.cols();
  const std::size_t columns = A.cols();
  const HouseholderQr qr(wide ? transpose(A) : std::move(A));
  std::vector<double> b(y.begin(), y.end());
  if (!wide) {
    qr.apply_transposed(b);
    b.resize(columns);
  }
  const Matrix T = wide ? transpose(qr.R()) : qr.R();
  MinimumNormSolution solution;
  if (spectrum) solution.singular_values = singular_values(Matrix(T));
  solution.rank = solve_square_least_norm(Matrix(T), b, rank_tolerance);
  if (wide) {
    b.resize(columns, 0.0);
    qr.apply(b);
  }
  solution.coefficients = std::move(b);
  return solution;
}

}  // namespace shrimp

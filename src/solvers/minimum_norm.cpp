#include "solvers/minimum_norm.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "linalg/dense.hpp"

namespace shrimp {

double default_rank_tolerance(std::size_t rows, std::size_t cols) {
  return static_cast<double>(std::max(rows, cols)) * std::numeric_limits<double>::epsilon();
}

namespace {

// A is given up before anything else is made of its transposed copy.
Matrix transpose_and_free(Matrix& A) {
  Matrix transposed = transpose(A);
  A = Matrix();
  return transposed;
}

}  // namespace

MinimumNormFactors::MinimumNormFactors(Matrix A, double rank_tolerance)
    : wide_(A.rows() < A.cols()),
      columns_(A.cols()),
      rank_tolerance_(rank_tolerance > 0.0 ? rank_tolerance : default_rank_tolerance(A.rows(), A.cols())),
      qr_(wide_ ? transpose_and_free(A) : std::move(A)),
      triangle_(wide_ ? transpose(qr_.R()) : qr_.R()) {}

MinimumNormSolution MinimumNormFactors::solve(std::span<const double> y) const& { return solve(y, Matrix(triangle_)); }

MinimumNormSolution MinimumNormFactors::solve(std::span<const double> y) && { return solve(y, std::move(triangle_)); }

MinimumNormSolution MinimumNormFactors::solve(std::span<const double> y, Matrix triangle) const {
  std::vector<double> b(y.begin(), y.end());
  if (!wide_) {
    qr_.apply_transposed(b);
    b.resize(columns_);
  }
  MinimumNormSolution solution;
  solution.rank = solve_square_least_norm(std::move(triangle), b, rank_tolerance_);
  if (wide_) {
    b.resize(columns_, 0.0);
    qr_.apply(b);
  }
  solution.coefficients = std::move(b);
  return solution;
}

std::vector<double> MinimumNormFactors::singular_values() const { return shrimp::singular_values(Matrix(triangle_)); }

MinimumNormSolution solve_minimum_norm(Matrix A, std::span<const double> y, double rank_tolerance, bool spectrum) {
  MinimumNormFactors factors(std::move(A), rank_tolerance);
  std::vector<double> values = spectrum ? factors.singular_values() : std::vector<double>();
  MinimumNormSolution solution = std::move(factors).solve(y);
  solution.singular_values = std::move(values);
  return solution;
}

}  // namespace shrimp

#include "path/refit.hpp"

#include <algorithm>
#include <map>

#include "path/prune_paths.hpp"
#include "solvers/minimum_norm.hpp"

namespace shrimp {

// A number per column, the same for columns on the same support.
std::vector<std::uint32_t> support_numbers(const Dictionary& dictionary) {
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
  std::vector<std::uint32_t> row_numbers;
  for (std::size_t j = 0; j < dictionary.weights.size(); ++j) {
    const auto support = dictionary.weights.support(j);
    const std::vector<std::uint32_t> key(support.begin(), support.end());
    row_numbers.push_back(numbers.emplace(key, static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  std::vector<std::uint32_t> result;
  for (const std::uint32_t row : dictionary.rows) result.push_back(row_numbers[row]);
  return result;
}

namespace {

// Orthogonal factors of A itself lose least, and what they lose a second solve with a more accurate residual brings
// back.
std::vector<double> fit_exactly(const Matrix& A, std::span<const double> y, double rank_tolerance) {
  std::vector<double> c = solve_minimum_norm(Matrix(A), y, rank_tolerance).coefficients;
  std::vector<double> residual(A.rows());
  for (std::size_t i = 0; i < A.rows(); ++i) {
    long double gap = y[i];
    for (std::size_t j = 0; j < A.cols(); ++j) gap -= static_cast<long double>(A(i, j)) * c[j];
    residual[i] = static_cast<double>(gap);
  }
  const std::vector<double> correction = solve_minimum_norm(Matrix(A), residual, rank_tolerance).coefficients;
  for (std::size_t j = 0; j < c.size(); ++j) c[j] += correction[j];
  return c;
}

}  // namespace

std::vector<double> fit_columns(const Dictionary& dictionary, const Equations& equations, double rank_tolerance,
                                double ridge) {
  constexpr double little = 4e9;
  const auto m = static_cast<double>(equations.A->rows());
  const auto n = static_cast<double>(equations.A->cols());
  if (ridge == 0.0 && m * n * std::min(m, n) <= little) {
    return fit_exactly(equations.A->gather(all_columns(equations.A->cols())), equations.y, rank_tolerance);
  }
  const std::vector<std::uint32_t> groups = support_numbers(dictionary);
  PathOptions path;
  path.rank_tolerance = rank_tolerance;
  path.ridge = ridge;
  path.groups = groups;
  std::vector<double> coefficients;
  PrunePaths(equations.A, equations.y, path).visit(keep_all(), [&](const PathStep& step) {
    coefficients = step.coefficients;
    return false;
  });
  return coefficients;
}

}  // namespace shrimp

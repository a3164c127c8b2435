#include "path/refit.hpp"

#include <algorithm>
#include <utility>

#include "features/supports.hpp"
#include "path/prune_paths.hpp"
#include "solvers/minimum_norm.hpp"

namespace shrimp {

std::vector<std::uint32_t> support_numbers(const Dictionary& dictionary) {
  std::vector<std::vector<std::size_t>> groups;
  for (auto& [support, columns] : columns_by_support(dictionary)) groups.push_back(std::move(columns));
  std::ranges::sort(groups, {}, [](const std::vector<std::size_t>& columns) { return columns.front(); });
  std::vector<std::uint32_t> numbers(dictionary.columns());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const std::size_t k : groups[g]) numbers[k] = static_cast<std::uint32_t>(g);
  }
  return numbers;
}

namespace {

// Where they are few, the equations themselves are factored.
bool fits_exactly(std::size_t rows, std::size_t columns, double ridge) {
  constexpr double little = 4e9;
  const auto m = static_cast<double>(rows);
  const auto n = static_cast<double>(columns);
  return ridge == 0.0 && m * n * std::min(m, n) <= little;
}

// Orthogonal factors of A itself lose least, and what they lose a second solve with a more accurate residual brings
// back.
std::vector<double> fit_exactly(MatrixView A, std::span<const double> y, double rank_tolerance) {
  MinimumNormFactors factors(Matrix(A), rank_tolerance);
  std::vector<double> c = factors.solve(y).coefficients;
  std::vector<double> residual(A.rows);
  for (std::size_t i = 0; i < A.rows; ++i) {
    long double gap = y[i];
    for (std::size_t j = 0; j < A.cols; ++j) gap -= static_cast<long double>(A(i, j)) * c[j];
    residual[i] = static_cast<double>(gap);
  }
  const std::vector<double> correction = std::move(factors).solve(residual).coefficients;
  for (std::size_t j = 0; j < c.size(); ++j) c[j] += correction[j];
  return c;
}

}  // namespace

std::vector<double> fit_columns(const Dictionary& dictionary, const Equations& equations, double rank_tolerance,
                                double ridge) {
  if (fits_exactly(equations.A->rows(), equations.A->cols(), ridge)) {
    if (const auto stored = equations.A->dense()) return fit_exactly(*stored, equations.y, rank_tolerance);
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

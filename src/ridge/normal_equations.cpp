#include "ridge/normal_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "linalg/householder.hpp"

namespace shrimp {

void TargetSums::add(MatrixView A, std::span<const double> y) {
  std::vector<std::size_t> all(A.cols);
  std::iota(all.begin(), all.end(), std::size_t{0});
  add_scaled(products, 1.0, project_columns(A, all, y));
  squares += squared_norm(y);
}

void NormalEquations::add(MatrixView A, std::span<const double> y, double added) {
  check_columns(columns(), A.cols);
  check_targets(A.rows, y);
  rows += A.rows;
  weight += added;
  add_gram_of_columns(G, A);
  target.add(A, y);
}

void NormalEquations::add_transposed(MatrixView A_transposed, std::span<const double> y, double added) {
  check_columns(columns(), A_transposed.rows);
  check_targets(A_transposed.cols, y);
  rows += A_transposed.cols;
  weight += added;
  add_gram(G, 1.0, A_transposed);
  add_scaled(target.products, 1.0, multiply(A_transposed, y));
  target.squares += squared_norm(y);
}

void NormalEquations::merge(const NormalEquations& other) {
  check_columns(columns(), other.columns());
  rows += other.rows;
  weight += other.weight;
  for (std::size_t j = 0; j < columns(); ++j) add_scaled(G.col(j).subspan(j), 1.0, other.G.col(j).subspan(j));
  add_scaled(target.products, 1.0, other.target.products);
  target.squares += other.target.squares;
}

NormalEquations NormalEquations::without(NormalEquations part) const {
  check_columns(columns(), part.columns());
  if (part.rows > rows) throw std::invalid_argument(fmt::format("{} rows cannot be removed from {}.", part.rows, rows));
  part.rows = rows - part.rows;
  part.weight = weight - part.weight;
  for (std::size_t j = 0; j < columns(); ++j) {
    for (std::size_t i = j; i < columns(); ++i) part.G(i, j) = G(i, j) - part.G(i, j);
    part.target.products[j] = target.products[j] - part.target.products[j];
  }
  part.target.squares = std::max(0.0, target.squares - part.target.squares);
  return part;
}

double NormalEquations::squared_error(std::span<const double> c) const {
  double sum = target.squares;
  for (std::size_t j = 0; j < columns(); ++j) {
    double product = 0.5 * G(j, j) * c[j];  // (Gc)_j, each pair of entries once
    for (std::size_t i = j + 1; i < columns(); ++i) product += G(i, j) * c[i];
    sum += 2.0 * c[j] * (product - target.products[j]);
  }
  return std::max(0.0, sum);
}

// RᵀR = G and Rᵀb = Aᵀy; the rest of ‖y‖² belongs to the part of y that is orthogonal to A.
std::optional<TriangularSystem> triangular_system(NormalEquations sums) {
  TriangularSystem result(sums.columns());
  auto factor = Cholesky::factor(std::move(sums.G));
  if (!factor) return std::nullopt;
  result.rows = sums.rows;
  result.weight = sums.weight;
  result.R = std::move(*factor).upper();
  result.b = std::move(sums.target.products);
  if (!result.b.empty()) solve_triangle(result.R, result.b, true);
  result.rest = std::max(0.0, sums.target.squares - squared_norm(result.b));
  return result;
}

}  // namespace shrimp

// Rows A c ≈ y, summed up by their normal equations: G = AᵀA, Aᵀy and ‖y‖².
//
// Sums merge by addition, and rows can be taken out again: folds cost a pass over the rows and no more. G has the
// square of A's condition number. It serves ridge regression and noisy data, and columns that are nearly orthogonal;
// for exact fits there is the TriangularSystem.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "linalg/large_matrix.hpp"
#include "ridge/triangular_system.hpp"

namespace shrimp {

/// What a summary holds of y. A second pass over the rows, with y − A c in the place of y, needs no more than this to
/// correct c.
struct TargetSums {
  std::vector<double> products;  ///< Aᵀy
  double squares = 0.0;          ///< ‖y‖²

  explicit TargetSums(std::size_t columns) : products(columns, 0.0) {}

  void add(MatrixView A, std::span<const double> y);
};

struct NormalEquations {
  std::size_t rows = 0;  ///< Of A.
  double weight = 0.0;   ///< Of all rows together.
  LargeMatrix G;         ///< The lower triangle.
  TargetSums target;

  /// Of no rows.
  explicit NormalEquations(std::size_t columns) : G(columns, columns), target(columns) {}

  [[nodiscard]] std::size_t columns() const { return G.cols(); }

  /// More rows of A, and their y. A row of weight w comes multiplied by √w, as does its y; `added` is the weight of all
  /// of them, which is their number if it is not given. Throws std::invalid_argument where sizes disagree.
  void add(MatrixView A, std::span<const double> y, double added);
  void add(MatrixView A, std::span<const double> y) { add(A, y, static_cast<double>(y.size())); }

  /// The same with the rows as the columns of a matrix, as rows that come one by one lie in memory.
  void add_transposed(MatrixView A_transposed, std::span<const double> y, double added);

  /// The rows of another summary. Throws std::invalid_argument where it has other columns.
  void merge(const NormalEquations& other);

  /// The rows that are not those of `part`, which are among these. Sums of all rows leave their rounding in it: what
  /// stays should not be much less than what goes. Throws std::invalid_argument where `part` has other columns or more
  /// rows.
  [[nodiscard]] NormalEquations without(NormalEquations part) const;

  /// ‖A c − y‖², up to rounding of ‖A c‖² and ‖y‖².
  [[nodiscard]] double squared_error(std::span<const double> c) const;
};

/// The same rows by the triangle of G = RᵀR. None where G is not numerically positive definite.
std::optional<TriangularSystem> triangular_system(NormalEquations sums);

}  // namespace shrimp

// Normal equations of least squares A c ≈ y: the sufficient statistics G = AᵀA, Aᵀy and ‖y‖².
//
// They merge by addition, and rows can be removed by subtraction, so that folds cost one pass over the rows. G has the
// square of A's condition number: it serves ridge regression and noisy data. Exact fits use the TriangularSystem.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "linalg/large_matrix.hpp"
#include "ridge/triangular_system.hpp"

namespace shrimp {

/// The statistics that contain y. They suffice to correct c by a second pass over the rows with the residual y − A c.
struct TargetSums {
  std::vector<double> products;  ///< Aᵀy
  double squares = 0.0;          ///< ‖y‖²

  explicit TargetSums(std::size_t columns) : products(columns, 0.0) {}

  void add(MatrixView A, std::span<const double> y);
};

struct NormalEquations {
  std::size_t rows = 0;  ///< Of A.
  double weight = 0.0;   ///< Sum of the row weights.
  LargeMatrix G;         ///< The lower triangle.
  TargetSums target;

  /// Without rows.
  explicit NormalEquations(std::size_t columns) : G(columns, columns), target(columns) {}

  [[nodiscard]] std::size_t columns() const { return G.cols(); }

  /// Adds rows of A and their y. The caller multiplies a row of weight w by √w, as its y; `added` is the sum of their
  /// weights, by default their number. Throws std::invalid_argument if sizes disagree.
  void add(MatrixView A, std::span<const double> y, double added);
  void add(MatrixView A, std::span<const double> y) { add(A, y, static_cast<double>(y.size())); }

  /// As above, with a row in each column of the matrix.
  void add_transposed(MatrixView A_transposed, std::span<const double> y, double added);

  /// Adds the rows of other equations. Throws std::invalid_argument if their columns differ.
  void merge(const NormalEquations& other);

  /// Removes the rows of `part`, which must be among these. The rounding of all rows remains: do not remove most rows.
  /// Throws std::invalid_argument if `part` has other columns or more rows.
  [[nodiscard]] NormalEquations without(NormalEquations part) const;

  /// ‖A c − y‖², up to rounding of ‖A c‖² and ‖y‖².
  [[nodiscard]] double squared_error(std::span<const double> c) const;
};

/// The same rows by the Cholesky factor of G = RᵀR. Empty if G is not numerically positive definite.
std::optional<TriangularSystem> triangular_system(NormalEquations sums);

}  // namespace shrimp

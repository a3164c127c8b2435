// Sufficient statistics of least squares A c ≈ y by QR factorisation: ‖A c − y‖² = ‖R c − b‖² + rest for every c.
//
// R has A's condition number, not its square, so that an exact fit stays exact. Two systems merge by a factorisation of
// their stacked triangles. Rows cannot be removed without loss of digits: keep folds in systems of their own, or use
// NormalEquations.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "linalg/large_matrix.hpp"

namespace shrimp {

/// Throw std::invalid_argument if sizes disagree.
void check_columns(std::size_t own, std::size_t other);
void check_targets(std::size_t rows, std::span<const double> y);

struct TriangularSystem {
  std::size_t rows = 0;  ///< Of A.
  double weight = 0.0;   ///< Sum of the row weights.
  LargeMatrix R;         ///< min(rows, columns)×columns, zero below the diagonal.
  std::vector<double> b;
  double rest = 0.0;

  /// Without rows.
  explicit TriangularSystem(std::size_t columns) : R(0, columns) {}

  [[nodiscard]] std::size_t columns() const { return R.cols(); }

  /// Adds rows of A and their y. The caller multiplies a row of weight w by √w, as its y; `added` is the sum of their
  /// weights, by default their number. Every call factorises: blocks of at least twice as many rows as columns cost
  /// least per row. Throws std::invalid_argument if sizes disagree.
  void add(Matrix A, std::span<const double> y, double added);
  void add(Matrix A, std::span<const double> y) { add(std::move(A), y, static_cast<double>(y.size())); }

  /// Adds the rows of another system. Throws std::invalid_argument if its columns differ.
  void merge(TriangularSystem other);

  /// ‖A c − y‖²
  [[nodiscard]] double squared_error(std::span<const double> c) const;
};

}  // namespace shrimp

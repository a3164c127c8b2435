// Rows A c ≈ y, summed up by the triangle of their QR factorisation: ‖A c − y‖² = ‖R c − b‖² + rest for every c.
//
// R has A's condition number, not its square: nothing is lost but rounding, and an exact fit stays exact. Summaries
// merge by stacking one triangle under the other. Rows cannot be taken out of one again without losing digits: what is
// to be taken out later, a fold or an old part of a stream, needs a summary of its own, or a NormalEquations.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "linalg/large_matrix.hpp"

namespace shrimp {

struct TriangularSystem {
  std::size_t rows = 0;  ///< Of A.
  double weight = 0.0;   ///< Of all rows together.
  LargeMatrix R;         ///< min(rows, columns)×columns, zero below the diagonal.
  std::vector<double> b;
  double rest = 0.0;

  /// Of no rows.
  explicit TriangularSystem(std::size_t columns) : R(0, columns) {}

  [[nodiscard]] std::size_t columns() const { return R.cols(); }

  /// More rows of A, and their y. A row of weight w comes multiplied by √w, as does its y; `added` is the weight of all
  /// of them, which is their number if it is not given. Every call factorises: blocks of twice as many rows as columns,
  /// or more, cost least per row. Throws std::invalid_argument where sizes disagree.
  void add(Matrix A, std::span<const double> y, double added);
  void add(Matrix A, std::span<const double> y) { add(std::move(A), y, static_cast<double>(y.size())); }

  /// The rows of another summary. Throws std::invalid_argument where it has other columns.
  void merge(TriangularSystem other);

  /// ‖A c − y‖²
  [[nodiscard]] double squared_error(std::span<const double> c) const;
};

}  // namespace shrimp

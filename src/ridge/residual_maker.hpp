// Leave-one-out and leave-group-out errors in closed form: the diagonal blocks of the residual maker R = I − H.
//
// The errors of a group g of rows in a fit to the other rows are R_gg⁻¹ (R y)_g, exactly. For single rows they are
// (R y)_i / R_ii.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "data/grouped_rows.hpp"
#include "shrimp/matrix.hpp"

namespace shrimp {

class ResidualMaker {
 public:
  /// R = `diagonal` times the identity. `starts` holds the start of each group and the end; if null, rows are single.
  ResidualMaker(std::size_t rows, double diagonal, GroupStarts starts);
  ResidualMaker(const ResidualMaker& other);
  ResidualMaker(ResidualMaker&&) noexcept = default;
  ResidualMaker& operator=(const ResidualMaker& other);
  ResidualMaker& operator=(ResidualMaker&&) noexcept = default;
  ~ResidualMaker() = default;

  /// R ← R + factor·AᵀA; A has a column for each row.
  void add_squares(double factor, const Matrix& A);
  /// R ← R + factor·a aᵀ.
  void add_square(double factor, std::span<const double> a);

  /// R ← R + S, by the lower triangle of S.
  void add(const Matrix& S);
  /// R ← R + diag(d), for single rows.
  void add_diagonal(std::span<const double> d);

  /// R_gg⁻¹ r_g for all groups. Empty if rounding dominates.
  [[nodiscard]] std::optional<std::vector<double>> errors(std::span<const double> residual) const;

 private:
  [[nodiscard]] std::size_t groups() const { return starts_->size() - 1; }

  GroupStarts starts_;
  std::vector<double> diagonal_;  // For single rows.
  std::vector<Matrix> parts_;     // Lower triangles, for groups.
};

}  // namespace shrimp

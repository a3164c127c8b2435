// What a fit would say of rows that it had not seen: the parts of R = I − H on rows that are left out together.
//
// The errors of a group g of rows in a fit to the others are R_gg⁻¹ (R y)_g, exactly; where every row is a group of its
// own, (R y)_i / R_ii.
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
  /// Of `diagonal` times the identity. `starts` of the groups and the end; none: every row by itself.
  ResidualMaker(std::size_t rows, double diagonal, GroupStarts starts);
  ResidualMaker(const ResidualMaker& other);
  ResidualMaker(ResidualMaker&&) noexcept = default;
  ResidualMaker& operator=(const ResidualMaker& other);
  ResidualMaker& operator=(ResidualMaker&&) noexcept = default;
  ~ResidualMaker() = default;

  /// R ← R + factor·AᵀA, for A with a column a row.
  void add_squares(double factor, const Matrix& A);
  /// R ← R + factor·a aᵀ.
  void add_square(double factor, std::span<const double> a);

  /// R ← R + S, S symmetric by its lower triangle.
  void add(const Matrix& S);
  /// R ← R + diag(d), where every row is by itself.
  void add_diagonal(std::span<const double> d);

  /// R_gg⁻¹ r_g for all groups; none where rounding decides.
  [[nodiscard]] std::optional<std::vector<double>> errors(std::span<const double> residual) const;

 private:
  [[nodiscard]] std::size_t groups() const { return starts_->size() - 1; }

  GroupStarts starts_;
  std::vector<double> diagonal_;  // Where every row is by itself,
  std::vector<Matrix> parts_;     // else lower triangles.
};

}  // namespace shrimp

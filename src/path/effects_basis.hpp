// The basis Z of a dictionary of waves of one or two inputs: what its columns share, and what they do not.
//
// Such columns are nearly dependent for one reason: they share functions of one input, and the constant. Let U_i span
// the functions of input i, Z_S what the columns on the inputs S = {i, j} have beyond [1, U_i, U_j],
//   A_S = 1 t_S + U_i B_S + U_j B'_S + Z_S R_S.                                                              (1)
// The columns of Z = [1, U, Z_S …] then are nearly orthogonal as far as the inputs are nearly independent, whatever A
// is.
//
// Coefficients come from a sketch of few rows; they need not be exact, as Z_S is what is left of the columns
// themselves.
#pragma once

#include <map>
#include <vector>

#include "linalg/dense.hpp"
#include "linalg/row_sketch.hpp"
#include "path/row_space.hpp"
#include "shrimp/features.hpp"

namespace shrimp {

class EffectsBasis {
 public:
  /// Of columns of cosines and sines, at most two inputs each.
  EffectsBasis(const RowSpace& rows, const Dictionary& dictionary);

  /// Whether all of A is finite numbers; if not, nothing else here is of use.
  [[nodiscard]] bool is_finite() const;

  /// The number of Z's columns.
  [[nodiscard]] std::size_t width() const { return width_; }

  /// The columns of A in the order of what they add to those before them on their support, the most first.
  [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }

  /// Writes `count` rows of Z into its first: those of the rows from `first` on.
  void fill(Matrix& Z, const RowSpace& rows, std::size_t first, std::size_t count) const;

  /// Lᵀ C with the columns in order(), where A = Z C: a triangle but for the rows of [1, U].
  [[nodiscard]] Matrix times_coefficients(const Matrix& L_transposed) const;

 private:
  // Columns Y = B C + V R, V nearly orthonormal and orthogonal to the shared B. R_J is a triangle.
  struct Split {
    Matrix C;
    std::vector<std::size_t> J;
    Matrix R;
    bool finite = true;
  };

  // U_i, of waves of one input.
  struct Effect {
    Dictionary waves;  // Those that the others follow from.
    Matrix C;
    Matrix R;
    bool finite = true;
    Matrix sketch;                     // Of U_i.
    std::vector<std::size_t> columns;  // Of Z.
  };

  // The columns of A on one support.
  struct Group {
    std::vector<std::size_t> columns;
    Split split;
    Dictionary waves_J;
    Matrix C_J;
    Matrix R_J;
    std::vector<std::size_t> shared;  // Columns of Z: [1, U_i, U_j].
    std::vector<std::size_t> own;     // Those of Z_S.
  };

  static Split split(const Matrix& B_sketch, Matrix Y_sketch);
  [[nodiscard]] std::size_t largest_group() const;
  void find_constant(const RowSpace& rows);
  void find_effects(const RowSpace& rows, const Dictionary& dictionary);
  void find_effect(Effect& effect, const RowSpace& rows);
  void split_groups(const RowSpace& rows, const Dictionary& dictionary);
  void rank_columns(std::size_t columns);
  template <typename Block>
  [[nodiscard]] Matrix sketch_of(std::size_t rows, std::size_t cols, const Block& block) const;
  [[nodiscard]] Matrix sketch_of(const RowSpace& rows, const Dictionary& waves) const;
  // 1 and U_i on some rows.
  [[nodiscard]] Matrix constant(const RowSpace& rows, std::size_t first, std::size_t count) const;
  [[nodiscard]] Matrix values(const Effect& effect, const RowSpace& rows, std::size_t first, std::size_t count) const;

  std::map<std::vector<std::uint32_t>, Group> groups_;
  RowSketch sketch_;
  double constant_length_ = 1.0;  // Of the rows that the basis was found on, before 1 is made of length 1.
  Matrix one_sketch_;
  std::map<std::uint32_t, Effect> effects_;
  std::size_t width_ = 0;
  std::vector<std::size_t> order_;
};

}  // namespace shrimp

// Factorisations of small matrices: what compressing a group of columns takes.
#pragma once

#include <cstddef>
#include <vector>

#include "shrimp/matrix.hpp"

namespace shrimp {

/// S ≈ Q R with the columns of S in their own order: R_J, the columns that pivoting chose first, is an upper triangle.
struct PivotedTriangle {
  std::vector<std::size_t> columns;  ///< J
  Matrix R;                          ///< |J|×n
};

/// Columns that stand out by more than `cut`. S has a row at least, and is used up.
PivotedTriangle pivoted_triangle(Matrix S, double cut);

/// S ≈ S_J W: all columns from a few, the weights of the few themselves being the identity.
struct Interpolation {
  bool found = false;  ///< False where more than the allowed number of columns are needed.
  std::vector<std::size_t> columns;
  Matrix weights;
};

/// Columns that pivoted QR finds to stand out by more than `tolerance` times the largest. S has a row at least, and is
/// used up.
Interpolation interpolate_columns(Matrix S, double tolerance, std::size_t most_columns);

/// W = L D with orthonormal rows of D, for well-conditioned W (r×n, 1 ≤ r ≤ n).
struct OrthonormalRows {
  Matrix L;
  Matrix D;
};
OrthonormalRows orthonormalize_rows(const Matrix& W);

/// A = U diag(σ) Vᵀ for A (m×n, m ≥ n ≥ 1).
struct ThinSvd {
  Matrix U;
  std::vector<double> sigma;
  Matrix Vt;
};
ThinSvd thin_svd(Matrix A);

/// G = Q diag(values) Qᵀ for symmetric G, of which the lower triangle counts; the smallest value first. G is used up.
struct SymmetricEigen {
  std::vector<double> values;
  Matrix Q;
};
SymmetricEigen symmetric_eigen(Matrix G);

/// A square X with X Xᵀ = D Dᵀ.
Matrix gram_root(const Matrix& D);

}  // namespace shrimp

// Least-norm solutions c = A_P† y on ever smaller column sets P, at the price of about one factorisation of A in all.
//
// See docs/path.md. In short, with M (r×N) such that A_P = U diag(s) M_P for the columns still in play:
//   wide, well conditioned   G = M_P M_Pᵀ, down-dated by the dropped columns; c = M_Pᵀ G⁻¹ b, refined.
//   wide, ill conditioned    Householder QR of M_Pᵀ.
//   rank below r             pivoted QR cuts directions below tolerance·σ_max off and scales the rest: a new M.
//   fewer columns than rows  Householder QR of M_P; its triangle is the new M.
// Ridge regression is the least-norm solution with the extra columns √λ I that are never pruned.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "path/row_space.hpp"
#include "shrimp/path.hpp"

namespace shrimp {

/// A must stay alive as long as the result. Columns of one group (same number in `groups`, which may be empty) are
/// expected to lie in a space of few dimensions.
CompressedProblem compress(MatrixView A, std::span<const double> y, const PathOptions& options);

struct PathSolution {
  std::vector<double> coefficients;
  std::size_t rank = 0;
  double residual = 0.0;  ///< ‖A_P c − y‖²
  double ridge = 0.0;     ///< The λ that was used.
  double lambda_max = 0.0;
  double lambda_min = 0.0;
};

class PathSolver {
 public:
  PathSolver(CompressedProblem problem, const PathOptions& options);
  PathSolver(const PathSolver& other);
  PathSolver(PathSolver&&) = default;
  PathSolver& operator=(const PathSolver&) = delete;
  PathSolver& operator=(PathSolver&&) = default;
  ~PathSolver() = default;

  /// P must be a subset of the P of the call before.
  PathSolution solve(const Columns& P);

 private:
  [[nodiscard]] double tolerance() const;
  void keep_columns(const Columns& P);
  [[nodiscard]] Matrix unscaled_rows() const;
  void choose_ridge();
  void add_spectrum(PathSolution& solution) const;

  void reduce_to_triangle();
  void adopt(Matrix M, std::vector<double> b, std::vector<double> scale);
  void truncate();
  [[nodiscard]] Matrix left_triangle() const;

  std::optional<PathSolution> solve_by_gram();
  std::optional<PathSolution> solve_by_triangle();
  std::optional<PathSolution> solve_by_householder();
  [[nodiscard]] PathSolution finish(std::vector<double> c) const;

  PathOptions options_;
  CompressedProblem problem_;
  Columns columns_;          // P, as the caller names them.
  Columns positions_;        // The same columns in M.
  Matrix gram_;              // Of positions_; empty where it is not kept.
  bool gram_helps_ = true;   // False once the rows were found too ill conditioned for it.
  bool truncated_ = false;   // Whether the rows are free of directions below the tolerance.
  bool triangular_ = false;  // Whether M_P is an upper triangle.
  bool deficient_ = false;   // Whether the last step had to be truncated, so that this one probably must, too.
  double ridge_ = 0.0;
};

}  // namespace shrimp

// Least-norm solutions c = A_P† y on ever smaller column sets P, at the price of about one factorisation of A in all.
//
// See docs/explanation/prune-path.md. The base is A, or a triangle with the same products where columns are fewer than
// rows: nothing was lost from it. The work is M (r×N) with A_P = U diag(s) M_P up to directions below the cut-off. Its
// form says how a step is solved, and what comes of it where that fails:
//   gram         G = M_P M_Pᵀ, down-dated by the dropped columns; c = M_Pᵀ G⁻¹ b, refined.
//                  G is not positive definite, or refinement does not converge: householder.
//   householder  Householder QR of M_Pᵀ.
//                  Ill conditioned, very wide, or dependent in the step before: truncate.
//   triangle     R c = b; with a ridge as householder.
//                  Ill conditioned: truncate. Columns are dropped: householder.
// Between forms, from any of them:
//   reduce_to_triangle  where columns are fewer than rows: Householder QR of the base; its triangle is the new base and
//                       the new work.
//   truncate            at most once a step; in the place of reduce_to_triangle where columns were dependent in the
//   step
//                       before. Pivoted QR of the base; rows above the cut-off, scaled, are the new work (gram), or
//                       give c at once, and the base is the work (householder).
//   keep_columns        work that was cut off too high for the columns left is made anew, from the groups that it came
//                       from (gram) or from the base (householder).
// Ridge regression is the least-norm solution with the extra columns √λ I that are never pruned.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "linalg/householder.hpp"
#include "linalg/large_matrix.hpp"
#include "path/gram_shelf.hpp"
#include "path/path_engine.hpp"
#include "path/row_space.hpp"
#include "shrimp/path.hpp"

namespace shrimp {

/// A matrix this many times as wide as high is reduced block by block.
inline constexpr std::size_t very_wide = 4;

class PathSolver : public PathEngine {
 public:
  /// Columns of one group (options.groups) are expected to lie in a space of few dimensions. `gram`, if given, makes
  /// the lower triangle of A Aᵀ for less than computing it.
  PathSolver(const std::shared_ptr<const RowSpace>& A, std::span<const double> y, const PathOptions& options,
             const std::function<Matrix()>& gram = {});

  [[nodiscard]] std::unique_ptr<PathEngine> clone() const override { return std::make_unique<PathSolver>(*this); }
  PathSolution solve(const Columns& P) override;
  [[nodiscard]] std::optional<Reduction> with_rows(const RowSpace* more, std::span<const double> y,
                                                   const Columns& P) const override;
  void use_shelf(GramShelf* shelf, bool record) override {
    shelf_ = shelf;
    record_ = record;
  }

 private:
  // A problem with the places of the columns P in its M.
  struct Stage {
    CompressedProblem problem;
    Columns positions;

    [[nodiscard]] std::size_t rows() const { return problem.M->rows(); }
    [[nodiscard]] Matrix gather_unscaled() const;
    /// The same, with the columns as they are stored: k-th that of P[order()[k]].
    [[nodiscard]] Matrix gather_stored() const;
    [[nodiscard]] std::vector<std::size_t> order() const;
    [[nodiscard]] std::vector<double> unscaled_b() const;
  };

  enum class Form { gram, householder, triangle };

  struct Work : Stage {
    Form form = Form::gram;
    double cut = 0.0;  // cut() when directions were cut off; 0 where none were.
    LargeMatrix gram;  // Empty where it is not kept.
  };

  // Of the base's columns.
  struct Known {
    bool ranked = false;     // Stored in about the order that pivoting would choose.
    bool dependent = false;  // Nearly, in the last step: in this one probably, too.
  };

  [[nodiscard]] double tolerance() const;
  [[nodiscard]] double cut() const;
  void keep_columns(const Columns& P);
  void update_gram(const Columns& dropped);
  void choose_ridge();
  void add_spectrum(PathSolution& solution) const;

  void reduce_to_triangle();
  std::optional<PathSolution> truncate();
  [[nodiscard]] bool is_very_wide() const;
  [[nodiscard]] RankRevealingQr rank_base() const;
  [[nodiscard]] Matrix rows_above_cut(const RankRevealingQr& qr) const;
  [[nodiscard]] Stage make_stage(std::shared_ptr<const Matrix> M, std::span<const std::size_t> order,
                                 std::vector<double> b, std::vector<double> scale, double rest) const;
  void work_on(Stage stage, Form form, double cut = 0.0);
  [[nodiscard]] Matrix left_triangle_of_base() const;

  // None where directions must be cut off first.
  std::optional<PathSolution> solve_work(bool truncated);
  std::optional<PathSolution> solve_by_gram();
  [[nodiscard]] std::optional<PathSolution> solve_by_triangle() const;
  [[nodiscard]] std::optional<PathSolution> solve_by_householder(bool truncated) const;
  [[nodiscard]] PathSolution finish(std::vector<double> c) const;
  [[nodiscard]] PathSolution finish(std::vector<double> c, std::vector<double> fitted) const;

  PathOptions options_;
  Columns columns_;  // P, as the caller names them.
  Stage base_;
  Known known_;
  Work work_;
  double ridge_ = 0.0;
  std::shared_ptr<const Extension> extension_;
  GramShelf* shelf_ = nullptr;
  bool record_ = false;
};

}  // namespace shrimp

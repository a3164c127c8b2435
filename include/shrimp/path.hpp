// Stage II: prune-and-refit paths (paper, Algorithm 1).
//
// With A (m×N), y (m) and a set P of columns, repeat
//   c  = A_P† y, the least-norm minimiser of ‖A_P c − y‖₂              (1)
//   P' = P without the round(p·|P|) columns of smallest |c_j|          (2)
// until one column is left. At least one column goes in (2); ties go by column index, the lower first.
//
// Other methods are the same loop with another rule in (2), or without (1) after the first step: random pruning,
// pruning without retraining, and sequentially thresholded least squares.
//
// Deviation from the paper: directions of A_P below rank_tolerance·σ_max are cut off in (1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "shrimp/matrix.hpp"

namespace shrimp {

/// Which columns go in (2).
enum class Drop {
  smallest,  ///< Those of smallest |c_j|.
  random,    ///< Any, by PathOptions::seed.
};

struct PathOptions {
  double prune_rate = 0.2;  ///< p in (2); 0 ≤ p < 1, and 0 drops one column a step.
  Drop drop = Drop::smallest;
  bool refit = true;            ///< Whether (1) is solved again after (2); else the coefficients that stay are kept.
  std::uint64_t seed = 0;       ///< Of random dropping.
  double rank_tolerance = 0.0;  ///< ≥ 0 and < 1; 0 means max(m, N_t)·eps.
  double ridge = 0.0;           ///< λ ≥ 0; > 0 replaces (1) by the minimiser of ‖A_P c − y‖² + λ‖c‖².
  bool ridge_by_gcv = false;    ///< Choose λ anew at every step by generalised cross-validation.
  bool spectrum = false;        ///< Also compute lambda_max and lambda_min of every step.
  int threads = 0;              ///< ≥ 0; 0: every core.
  /// Empty, or a number per column: columns with the same number look at the same inputs. Only speed depends on it.
  std::span<const std::uint32_t> groups;
};

/// One fit along the path. coefficients[k] belongs to columns[k]; columns ascend.
struct PathStep {
  std::vector<std::size_t> columns;
  std::vector<double> coefficients;
  std::size_t rank = 0;      ///< Numerical rank of A_P.
  double train_mse = 0.0;    ///< ‖A_P c − y‖²/m.
  double ridge = 0.0;        ///< The λ that was used.
  double penalty = 0.0;      ///< The λ or the threshold that made this fit, where the method has one.
  double duality_gap = 0.0;  ///< Relative duality gap of an iterative method.
  bool converged = true;     ///< Whether an iterative method came within its tolerance.
  double lambda_max = 0.0;   ///< Largest and smallest eigenvalue of A_P A_Pᵀ/N_t, or of A_Pᵀ A_P/N_t
  double lambda_min = 0.0;   ///< once N_t < m; 0 unless PathOptions::spectrum.
};

/// One row of the reported path. Errors are in the target's own units.
struct PathRecord {
  PathRecord() = default;
  /// Without the errors on other rows.
  PathRecord(std::size_t index, const PathStep& path_step)
      : step(index),
        basis_functions(path_step.columns.size()),
        rank(path_step.rank),
        train_mse(path_step.train_mse),
        ridge(path_step.ridge),
        penalty(path_step.penalty),
        converged(path_step.converged),
        duality_gap(path_step.duality_gap),
        lambda_max(path_step.lambda_max),
        lambda_min(path_step.lambda_min) {}

  std::size_t step = 0;
  std::size_t basis_functions = 0;
  std::size_t rank = 0;
  double train_mse = 0.0;
  double validation_mse = 0.0;
  double ridge = 0.0;
  double penalty = 0.0;  ///< λ or the threshold, where the method has one.
  bool converged = true;
  double duality_gap = 0.0;
  std::optional<double> test_mse;
  double lambda_max = 0.0;
  double lambda_min = 0.0;
};

/// Called after every step; returning false ends the path there.
using PathVisitor = std::function<bool(const PathStep&)>;

/// Computes the whole path; the first step uses every column.
/// Throws std::invalid_argument if sizes disagree, a value is not finite, or an option is out of range.
void visit_prune_path(MatrixView A, std::span<const double> y, const PathOptions& options, const PathVisitor& visit);

[[nodiscard]] std::vector<PathStep> prune_path(MatrixView A, std::span<const double> y,
                                               const PathOptions& options = {});

/// Sequentially thresholded least squares (Brunton, Proctor and Kutz, PNAS 113, 2016): (1), then all columns with
/// |c_j| < threshold go, until none does. None may be left. options.prune_rate and options.drop are not used.
[[nodiscard]] PathStep threshold_sequentially(MatrixView A, std::span<const double> y, double threshold,
                                              const PathOptions& options = {});

/// N_0, N_1, …, 1: the sizes that (2) runs through from `columns`.
[[nodiscard]] std::vector<std::size_t> path_sizes(std::size_t columns, double prune_rate);

}  // namespace shrimp

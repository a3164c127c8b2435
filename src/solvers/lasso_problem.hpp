// What the Lasso's inner loops share. All in units of ½‖A c − y‖² + Λ‖c‖₁, Λ = nλ.
#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

#include "shrimp/errors.hpp"
#include "shrimp/matrix.hpp"
#include "solvers/linear_operator.hpp"

namespace shrimp {

struct LassoProblem {
  const LinearOperator* A = nullptr;
  MatrixView stored;                 ///< No data where A is known by its products alone.
  std::vector<double> column_norms;  ///< Empty there.
  std::vector<double> y;
  double squared_y = 0.0;
  const std::atomic<bool>* stop = nullptr;

  [[nodiscard]] bool is_stored() const { return stored.data != nullptr; }
  void check_stop() const {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) throw Interrupted();
  }
};

struct LassoIterate {
  std::vector<double> coefficients;
  std::vector<double> residual;      ///< r = y − A c
  std::vector<double> correlations;  ///< Aᵀr, of the columns that are left
};

/// The certificate ν = scale·r, with the largest dual value that Λ allows, and what it proves.
struct LassoGap {
  double scale = 0.0;
  double gap = 0.0;
};

/// The gap is summed from terms that are not negative, so that it is accurate however small it is:
/// ½‖r − ν‖² + Σ_j (Λ|c_j| − c_j a_jᵀν).
LassoGap lasso_gap(double threshold, double squared_residual, std::span<const double> coefficients,
                   std::span<const double> correlations);

/// What an inner loop is asked for: a gap of at most `target` over the columns that are left.
struct LassoStep {
  double threshold = 0.0;  ///< Λ
  double target = 0.0;
  std::size_t most_iterations = 0;
};

struct LassoProgress {
  std::size_t iterations = 0;
  bool stalled = false;  ///< Rounding leaves nothing to gain.
};

class LassoInnerLoop {
 public:
  virtual ~LassoInnerLoop() = default;

  /// Changes the coefficients of the `left` columns (ascending) only; the caller brings the rest of the iterate up to
  /// date afterwards, and has done so before.
  virtual LassoProgress improve(const LassoStep& step, std::span<const std::size_t> left, LassoIterate& iterate) = 0;
};

}  // namespace shrimp

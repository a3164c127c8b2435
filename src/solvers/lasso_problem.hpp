// What the Lasso's inner loops share. All in units of ½‖A c − y‖² + Λ‖c‖₁, Λ = nλ.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

#include "linalg/dense.hpp"
#include "linalg/threads.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/matrix.hpp"
#include "solvers/linear_operator.hpp"

namespace shrimp {

/// A stored matrix whose products are shared out between threads, in tiles that do not depend on their number.
class TiledOperator : public LinearOperator {
 public:
  /// Entries of A in a product: fewer are done before a second thread has woken up.
  static constexpr std::size_t worth_sharing = std::size_t{1} << 17;

  explicit TiledOperator(MatrixView A) : A_(A) {}

  [[nodiscard]] std::size_t rows() const override { return A_.rows; }
  [[nodiscard]] std::size_t cols() const override { return A_.cols; }
  /// Coefficients of the Lasso are mostly zero, and those cost nothing.
  [[nodiscard]] std::vector<double> multiply(std::span<const double> x) const override {
    std::vector<std::size_t> columns;
    std::vector<double> values;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (x[j] == 0.0) continue;
      columns.push_back(j);
      values.push_back(x[j]);
    }
    if (A_.rows * columns.size() >= worth_sharing) return combine_columns(A_, columns, values);
    std::vector<double> sum(A_.rows, 0.0);
    for (std::size_t k = 0; k < columns.size(); ++k) add_scaled(sum, values[k], A_.col(columns[k]));
    return sum;
  }
  [[nodiscard]] std::vector<double> multiply_transposed(std::span<const double> z) const override {
    const std::size_t tile = std::max<std::size_t>(256, worth_sharing / std::max<std::size_t>(A_.rows, 1));
    std::vector<double> products(A_.cols);
    parallel_for((A_.cols + tile - 1) / tile, [&](std::size_t k) {
      const std::size_t first = k * tile;
      const MatrixView part{A_.data + first * A_.stride, A_.rows, std::min(tile, A_.cols - first), A_.stride};
      std::ranges::copy(shrimp::multiply_transposed(part, z), products.begin() + static_cast<std::ptrdiff_t>(first));
    });
    return products;
  }

 private:
  MatrixView A_;
};

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

// Backward elimination at a fixed λ, on all rows and on folds of them.
//
// The normal equations of a fold's training rows are those of all rows minus those of the held-out rows:
// cross-validation costs little more than one path. While there are many more columns P than rows, the dual equations
// are solved instead: with K = A_P A_Pᵀ + λI, c = A_PᵀK⁻¹y and (M⁻¹)_jj = (1 − a_jᵀK⁻¹a_j)/λ. The K of a fold is a
// submatrix of K.
//
// A path from n columns of m rows takes about m²n + min(m, n)³ operations.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "data/split.hpp"
#include "ridge/device_normal_equations.hpp"
#include "ridge/elimination.hpp"
#include "ridge/row_errors.hpp"
#include "shrimp/matrix.hpp"

namespace shrimp {

/// A path on all rows, and the errors of the folds' paths on their held-out rows, at every step.
struct ValidatedPath {
  std::vector<RidgeFit> steps;
  std::vector<RowErrors> errors;
};

class EliminationPath {
 public:
  /// The columns of A and y have (weighted) mean 0. `check` is called about every second, by any thread; it may throw.
  /// A device computes the normal equations of many columns if its memory suffices.
  EliminationPath(Matrix A, std::vector<double> y, std::span<const double> weights, double lambda,
                  std::function<void()> check = {}, const std::shared_ptr<Device>& device = nullptr);

  /// With all columns.
  [[nodiscard]] RidgeFit fit() const;

  /// From all columns to those that must stay.
  [[nodiscard]] std::vector<RidgeFit> steps(const EliminationRule& rule) const;

  /// As above, with the errors of every row at every step from the path that held it out. All paths have the same λ.
  [[nodiscard]] ValidatedPath validate(const EliminationRule& rule, std::span<const RowSplit> folds) const;

  /// Floating-point operations so far, approximately.
  [[nodiscard]] double work() const { return work_; }

 private:
  struct Part;

  /// Whether the dual equations cost less: a Cholesky factor, then triangular solves for all columns.
  static bool is_wide(std::size_t rows, std::size_t columns) { return 2 * columns > 3 * rows; }
  [[nodiscard]] bool is_wide() const { return is_wide(A_.rows(), A_.cols()); }
  [[nodiscard]] Matrix gather(std::span<const std::size_t> rows, std::span<const std::size_t> columns) const;
  [[nodiscard]] NormalEquations sum_up(std::span<const std::size_t> rows, std::span<const std::size_t> columns) const;
  void add_products(Matrix& K, double sign, std::span<const std::size_t> rows,
                    std::span<const std::size_t> columns) const;
  void update_dual(Part& part, const std::vector<std::size_t>& columns) const;
  std::optional<std::vector<InverseBlock>> fit_dual(Part& part, const EliminationRule& rule, RidgeFit& fit) const;
  std::optional<std::vector<InverseBlock>> fit_primal(Part& part, const EliminationRule& rule, RidgeFit& fit) const;
  void record(const RidgeFit& fit, Part& part) const;
  void walk(Part& part, const EliminationRule& rule) const;
  void walk_all(std::vector<Part>& parts, const EliminationRule& rule) const;

  Matrix A_;  // Rows are multiplied by the square roots of their weights, as is y.
  std::vector<double> y_;
  double total_weight_;
  double lambda_;
  std::function<void()> check_;
  double smallest_lambda_ = 0.0;
  std::optional<DeviceRowSums> there_;   // The same rows on a device.
  std::optional<NormalEquations> sums_;  // Of all rows, unless the path is wide.
  Matrix K_;                             // A Aᵀ, the lower triangle, if the path is wide.
  mutable double work_ = 0.0;
};

}  // namespace shrimp

// Pruning under a fixed ridge, on all rows and on parts of them.
//
// The normal equations of a part are those of all rows less those of the rows held out: folds cost a little more than
// one path. Ridge keeps them well conditioned. While columns P are many more than rows, the equations of the rows take
// their place: with K = A_P A_Pᵀ + λI, c = A_PᵀK⁻¹y and (M⁻¹)_jj = (1 − a_jᵀK⁻¹a_j)/λ. The K of a part is a part of K.
//
// With n columns, of which those beyond the m rows go in shares, a path takes about m²n + min(m, n)³ operations.
#pragma once

#include <cstdint>
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

/// A path on all rows and what the others' paths make of each row, at every step.
struct ValidatedPath {
  std::vector<RidgeFit> steps;
  std::vector<RowErrors> errors;
};

class EliminationPath {
 public:
  /// A's columns and y have mean 0 (weighted). `check` is called about every second, by any thread; it may throw. A
  /// device sums up many columns, if it has room for them.
  EliminationPath(Matrix A, std::vector<double> y, std::span<const double> weights, double lambda,
                  std::function<void()> check = {}, const std::shared_ptr<Device>& device = nullptr);

  /// With all columns.
  [[nodiscard]] RidgeFit fit() const;

  /// From all columns until those are left that always stay.
  [[nodiscard]] std::vector<RidgeFit> steps(const EliminationRule& rule) const;

  /// The same, with the errors of every row at every step, from the path of the other folds' rows. All paths have the
  /// same λ.
  [[nodiscard]] ValidatedPath validate(const EliminationRule& rule, std::span<const RowSplit> folds) const;

  /// Weighted mean square of what a step leaves of other rows.
  [[nodiscard]] static RowErrors errors_on(const RidgeFit& step, const Matrix& A, std::span<const double> y,
                                           std::span<const double> weights);

  /// Operations done so far, in about floating-point multiplications and additions.
  [[nodiscard]] double work() const { return work_; }

 private:
  struct Part;

  /// Where the equations of the rows cost less: they need Cholesky factors, then triangles solved for all columns.
  static bool is_wide(std::size_t rows, std::size_t columns) { return 2 * columns > 3 * rows; }
  [[nodiscard]] bool is_wide() const { return is_wide(A_.rows(), A_.cols()); }
  void look_up() const {
    if (check_) check_();
  }
  [[nodiscard]] Matrix gather(std::span<const std::size_t> rows, std::span<const std::size_t> columns) const;
  void put_on(const std::shared_ptr<Device>& device);
  [[nodiscard]] NormalEquations sum_up(std::span<const std::size_t> rows, std::span<const std::size_t> columns) const;
  void add_products(Matrix& K, double sign, std::span<const std::size_t> rows,
                    std::span<const std::size_t> columns) const;
  void fit_wide(const Cholesky& K, const Part& part, RidgeFit& step) const;
  [[nodiscard]] std::vector<std::size_t> eliminate_wide(const Cholesky& K, const Part& part, const RidgeFit& step,
                                                        const EliminationRule& rule) const;
  /// `places` of A's columns in the sums.
  std::optional<Cholesky> solve(const NormalEquations& sums, std::span<const std::size_t> places, Part& part,
                                RidgeFit& step) const;
  void record(RidgeFit& step, Part& part) const;
  bool walk_wide(Part& part, const EliminationRule& rule, RidgeFit& step, bool& ended) const;
  bool walk(Part& part, const EliminationRule& rule) const;
  void walk_all(std::vector<Part>& parts, const EliminationRule& rule) const;

  Matrix A_;  // Rows times the roots of their weights, as is y.
  std::vector<double> y_;
  double total_weight_;
  double lambda_;
  std::function<void()> check_;
  double smallest_lambda_ = 0.0;
  std::optional<DeviceRowSums> there_;   // The same rows, where a device sums them up.
  std::optional<NormalEquations> sums_;  // Of all rows; none where it is wide.
  Matrix K_;                             // A Aᵀ, the lower triangle; none where it is not wide.
  mutable double work_ = 0.0;
};

}  // namespace shrimp

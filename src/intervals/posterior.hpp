// What rows tell of the coefficients of a model's columns: least squares or ridge regression as a posterior.
//
// With columns Φ̃ of prior variance σ²/λ (model/column_prior.hpp), less their means where a constant is fitted beside
// them, the coefficients have the covariance σ² M⁻¹, M = Φ̃ᵀWΦ̃ + λI = L Lᵀ; without a ridge, that of least squares. The
// mean of the target, which the constant stands for, adds σ²/Σw. All here is in units of σ².
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "linalg/cholesky.hpp"
#include "model/column_prior.hpp"

namespace shrimp {

class Posterior {
 public:
  /// No prior: columns as they are. `G` is Φ̃ᵀWΦ̃, the lower triangle; `means` those that were taken out of the columns,
  /// none: no constant was fitted. λ is raised where rounding would decide. None where λ is 0 and the columns are not
  /// clearly independent.
  static std::optional<Posterior> of(std::optional<ColumnPrior> prior, const Matrix& G, std::vector<double> means,
                                     double weight, double ridge);

  /// Of the constant and the columns' sum, in rows of columns as they are.
  [[nodiscard]] std::vector<double> variances(Matrix columns) const;

  /// How many free coefficients the fit is worth: the trace of M⁻¹Φ̃ᵀWΦ̃, less than the columns where there is a ridge.
  [[nodiscard]] double degrees_of_freedom() const;

  /// F with F Fᵀ the covariance of the constant and the coefficients, 1 + columns long: exact for up to `most` columns.
  /// For more, F = L⁻ᵀ Ω with so many random orthogonal directions Ω, scaled so that F Fᵀ is the covariance on average:
  /// any variance comes out with a relative deviation of at most √(2/most).
  [[nodiscard]] Matrix factor(std::size_t most) const;

 private:
  Posterior(std::optional<ColumnPrior> prior, Cholesky L, double ridge, std::vector<double> means, double weight)
      : prior_(std::move(prior)), L_(std::move(L)), ridge_(ridge), means_(std::move(means)), weight_(weight) {}

  std::optional<ColumnPrior> prior_;
  Cholesky L_;
  double ridge_;
  std::vector<double> means_;
  double weight_;
};

}  // namespace shrimp

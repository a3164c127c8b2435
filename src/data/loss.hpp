// The mathematics of losses: a target y beside the sum f of a model's columns.
//
// With the mean μ(f) of the target, a loss l(y, f) near a sum f is, up to a constant, that of weighted least squares,
//   l(y, g) ≈ ½ w (z − g)²,   w = l''(f),   z = f − l'(f)/w,                                              (1)
// which makes every step of a fit one that knows of weights alone. For the logistic and the Poisson loss l' = μ − y,
// the residual of the score, and w = μ', the variance of the target. Huber's loss has w = 1, the most that l'' is, and
// z = f plus the residual, held within ±k·s: (1) then lies above it everywhere and touches it at f, so that steps go
// down (Huber and Dutter, 1974). By weights w = min(1, k·s/|y − f|) and z = y, the other way, far outliers would keep
// most of the weighted variance, in which a search could find nothing.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "shrimp/loss.hpp"
#include "shrimp/scaling.hpp"

namespace shrimp {

/// A row of (1).
struct WorkingRow {
  double response = 0.0;  ///< z
  double weight = 1.0;    ///< w > 0
};

class LossFunction {
 public:
  /// `scale`: Huber's s > 0, the deviation of what is no outlier; the others have none.
  explicit LossFunction(Loss loss = Loss::squared, double scale = 1.0) : loss_(loss), scale_(scale) {}

  [[nodiscard]] Loss kind() const { return loss_; }
  [[nodiscard]] double scale() const { return scale_; }

  [[nodiscard]] double mean(double sum) const;
  /// The sum whose mean is this; means at the edge of what is possible are moved inside.
  [[nodiscard]] double link(double mean) const;
  /// l(y, f) ≥ 0: ½(y − f)², the log loss in nats, half of the Poisson deviance, or Huber's loss.
  [[nodiscard]] double of(double y, double sum) const;
  /// Weights below `smallest_share` of the largest possible one (of 1, for counts) are raised to it: z is then nearer
  /// to f, with the same slope, and single rows far on the wrong side do not rule a search.
  [[nodiscard]] WorkingRow working_row(double y, double sum, double smallest_share = 1e-6) const;

 private:
  Loss loss_;
  double scale_;
};

/// "squared", "logistic", "poisson", "huber" or "multinomial".
std::string_view name_of(Loss loss);

/// Whether predictions are another function of the linear predictor, or of several, than itself.
bool has_link(Loss loss);

/// How predictions come from sums.
TargetForm form_of(Loss loss);

/// The best constant sum for these targets; no weights: every row counts 1.
double constant_sum(const LossFunction& loss, std::span<const double> y, std::span<const double> weights);

/// The weighted mean of the losses.
double mean_loss(const LossFunction& loss, std::span<const double> y, std::span<const double> sums,
                 std::span<const double> weights);

/// 1.4826 times the weighted median of |y − f|: the standard deviation of normal residuals, whatever less than half of
/// the weight is. No weights: every row counts 1.
double robust_deviation(std::span<const double> y, std::span<const double> sums, std::span<const double> weights = {});

}  // namespace shrimp

// Statistics of the training rows that a model keeps: transforms and scaling of inputs and target, and marginals.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace shrimp {

/// Transform of an input before it is standardised.
struct Warp {
  enum class Kind {
    none,  ///< No transform.
    log,   ///< log|x|, for an input of one sign; values of the other sign are clipped to the smallest magnitude.
    rank,  ///< Rank among the training rows: linear between knots, constant beyond them.
  };
  Kind kind = Kind::none;
  bool negative = false;       ///< log: the input is negative.
  std::vector<double> values;  ///< rank: knots, which are ascending values of the training rows, …
  std::vector<double> ranks;   ///< … and their mid-ranks in (0, 1), ascending.
};

/// Transform of the target, or link between its mean and the fitted function.
enum class TargetForm {
  identity,  ///< y
  log,       ///< log y, for y > 0; the logarithm of the rate, for counts.
  sqrt,      ///< √y, for y ≥ 0.
  logit,     ///< log(p/(1 − p)), for the probability p of a class.
};

/// Features are functions of (x − input_mean)/input_scale, where x is clipped to its limits, if given, and transformed.
/// The sum of the basis functions gives the transformed target z = target_mean + target_scale·sum. Predictions are z,
/// exp(z)·target_correction (log), max(z, 0)² + target_correction (sqrt) or 1/(1 + exp(−z)) (logit), clipped to the
/// limits of the target, if given.
struct Scaling {
  std::vector<double> input_mean;   ///< Means of the transformed inputs.
  std::vector<double> input_scale;  ///< Each > 0.
  double target_mean = 0.0;
  double target_scale = 1.0;  ///< > 0.
  std::vector<double> input_lowest =
      {};  ///< Limits of x; empty means none. Limits of log-transformed inputs have one sign.
  std::vector<double> input_highest = {};
  std::optional<double> target_lowest = {};  ///< Limits of predictions; both are given or none.
  std::optional<double> target_highest = {};
  std::vector<Warp> input_warps = {};  ///< One per input; empty means no transforms.
  TargetForm target_form = TargetForm::identity;
  /// Bias correction, which turns predictions into means. For log, a factor > 0 (Duan's smearing), 1 for no correction.
  /// For sqrt, a summand ≥ 0, 0 for no correction.
  double target_correction = 0.0;

  static Scaling none(std::size_t inputs);
};

/// Distribution of one input over the training rows: values and their masses, which sum to 1. Exact for inputs with few
/// values; otherwise quantiles at the midpoints of equal masses.
struct Marginal {
  std::vector<double> values;  ///< Ascending.
  std::vector<double> masses;
};

}  // namespace shrimp

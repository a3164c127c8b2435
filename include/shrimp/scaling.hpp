// What a model keeps of the training rows: the forms and units of its inputs and target, and how each input is spread.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace shrimp {

/// How an input enters the features, before it is brought to mean 0 and scale 1.
struct Warp {
  enum class Kind {
    none,  ///< As it is.
    log,   ///< By log|x|, for an input of one sign; what has the other sign is taken for next to nothing.
    rank,  ///< By its rank among the training rows: linear between the knots, constant beyond them.
  };
  Kind kind = Kind::none;
  bool negative = false;       ///< log: the input is below zero.
  std::vector<double> values;  ///< rank: the knots, ascending values of the training rows, …
  std::vector<double> ranks;   ///< … and their mid-ranks in (0, 1), ascending.
};

/// The form in which a target was fitted, or the link between its mean and what was fitted.
enum class TargetForm {
  identity,  ///< y
  log,       ///< log y, for targets above 0; the logarithm of a rate, for counts.
  sqrt,      ///< √y, for targets of 0 and above.
  logit,     ///< log(p/(1 − p)), for the probability p of a class.
};

/// Inputs enter the features as (x − input_mean)/input_scale, where x was first brought inside its limits, if these are
/// given, and then warped. The sum of the columns is the target in its form, z = target_mean + target_scale·sum:
/// predictions are z, or exp(z)·target_correction (log), or max(z, 0)² + target_correction (sqrt), or 1/(1 + exp(−z))
/// (logit), brought inside the target's limits where these are given.
struct Scaling {
  std::vector<double> input_mean;   ///< Of the warped inputs.
  std::vector<double> input_scale;  ///< Each > 0.
  double target_mean = 0.0;
  double target_scale = 1.0;              ///< > 0.
  std::vector<double> input_lowest = {};  ///< Limits of x; empty: none. Those of an input by log are on its side of 0.
  std::vector<double> input_highest = {};
  std::optional<double> target_lowest = {};  ///< Limits of predictions; both or none.
  std::optional<double> target_highest = {};
  std::vector<Warp> input_warps = {};  ///< One per input; empty: none for any.
  TargetForm target_form = TargetForm::identity;
  /// Brings predictions from the middle of y to its mean: log: a factor > 0 (Duan's smearing), 1 for none; sqrt: ≥ 0, 0
  /// for none.
  double target_correction = 0.0;

  static Scaling none(std::size_t inputs);
};

/// How one input is spread over the training rows: values with their masses, which sum to 1. Exact where the input
/// has few values, else quantiles in the middle of equal masses.
struct Marginal {
  std::vector<double> values;  ///< Ascending.
  std::vector<double> masses;
};

}  // namespace shrimp

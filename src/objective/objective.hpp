// Loss functions as the fit sees them: a loss is one file of this folder and one row of type Objective.
//
// f is the linear predictor of a row, y its target, and μ(f) the mean that the link maps f to. A loss l(y, f) near a
// predictor f is, up to a constant, that of weighted least squares in g,
//   l(y, g) ≈ ½ w (z − g)²,   w = l''(f),   z = f − l'(f)/w,                                              (1)
// so a Newton step is a weighted least-squares fit to the working responses z (McCullagh and Nelder, 1989, ch. 2).
// In place of l'' a row may have the Fisher information or an upper bound: steps then still descend.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shrimp/loss.hpp"
#include "shrimp/scaling.hpp"

namespace shrimp {

/// Parameters of a loss function. Each loss documents which it uses.
struct LossParameters {
  double scale = 1.0;  ///< > 0; standard deviation of residuals that are no outliers, in units of the rows.
  double shape = 0.0;  ///< Power of the variance function (Tweedie), or level (quantile).
};

/// l' and what stands for l'' in (1).
struct Derivatives {
  double first = 0.0;
  double second = 1.0;
};

/// The targets that a loss is defined for.
struct TargetRange {
  bool (*contains)(double y);
  std::string_view description;  ///< "count, which is a whole number of 0 or more"
  std::string_view remedy;       ///< What to do about another number.
  bool needs_positive = false;   ///< Whether at least one target must be above 0.
};

/// The metric that is reported for a loss: factor times the mean loss.
struct Metric {
  std::string_view key;   ///< In results: "log_loss".
  std::string_view name;  ///< For readers: "log loss".
  double factor = 1.0;
};

/// Quantity that an interval contains.
enum class IntervalKind {
  conformal,   ///< A new target: the prediction ± a quantile of held-out residuals.
  predictive,  ///< A new target: quantiles of the response distribution, calibrated on held-out rows.
  credible,    ///< The mean of the target: quantiles of its posterior distribution.
  none,        ///< The loss has no intervals.
};

/// The distribution of a target whose variance is dispersion · V(mean).
struct ResponseDistribution {
  double (*variance)(double mean, const LossParameters& parameters);  ///< V
  /// Probability of a target of at most y. It jumps at targets of positive probability.
  double (*cumulative)(double y, double mean, double dispersion, const LossParameters& parameters);
  bool is_discrete = false;       ///< Whether targets are whole numbers.
  double least_dispersion = 0.0;  ///< Smaller dispersions are raised to it.
};

/// A loss function and its link.
struct Objective {
  Loss loss;
  std::string_view name;
  std::string_view help;  ///< For which targets.
  /// Link: the transform of the mean that the linear predictor fits.
  TargetForm link = TargetForm::identity;
  /// Whether there is one linear predictor per class; value and derivatives are null then.
  bool has_several_predictors = false;
  TargetRange target;
  double (*value)(double y, double f, const LossParameters& parameters);
  Derivatives (*derivatives)(double y, double f, const LossParameters& parameters);
  /// Bound or typical value of the curvature; smaller ones are raised to a fraction of it.
  double (*largest_curvature)(const LossParameters& parameters);
  /// That fraction during the search for terms, where single rows with little curvature must not decide. 0.04 is that
  /// of a class with a probability of a hundredth. 1 replaces all curvatures by the bound.
  double curvature_of_search = 0.04;
  /// The constant predictor of least loss; null: the link of the mean.
  double (*constant)(std::span<const double> y, std::span<const double> weights,
                     const LossParameters& parameters) = nullptr;
  /// Degree of homogeneity: with targets, means and scale c times as large, the loss is c^degree times as large.
  double (*degree)(const LossParameters& parameters);
  bool has_scale = false;    ///< Whether `scale` is estimated from residuals.
  bool is_smoothed = false;  ///< Whether `scale` only smooths the loss; metrics have no smoothing.
  int most_searches = 2;     ///< For terms, on successive working responses.
  /// Whether one step on (1) from a fit to other rows is a fit to all rows, nearly: sufficient statistics then suffice.
  bool updates_by_steps = true;
  Metric metric;
  std::string_view constant_model;  ///< Name of the baseline without inputs.
  std::string_view linear_model;    ///< Name of the linear baseline.
  std::string_view prediction;      ///< What a prediction is: "a probability".
  IntervalKind interval = IntervalKind::conformal;
  std::optional<ResponseDistribution> response = {};  ///< Of losses with predictive intervals.
};

/// The row of a loss.
const Objective& objective_of(Loss loss);

/// All losses that have a name for callers, in the order of `Loss`.
std::span<const Objective* const> all_objectives();

/// Whether predictions are another function of the linear predictor, or of several, than itself.
bool has_link(Loss loss);

std::string_view name_of(Loss loss);

/// Key of the scale of a loss in results: "huber_scale".
std::string scale_key(const Objective& objective);

/// A row of (1).
struct WorkingRow {
  double response = 0.0;  ///< z
  double weight = 1.0;    ///< w > 0
};

/// A loss with its parameters.
class LossFunction {
 public:
  /// Curvatures below this fraction of the largest are raised to it: z is then nearer to f, with the same gradient.
  static constexpr double smallest_curvature = 1e-6;

  explicit LossFunction(Loss loss = Loss::squared, const LossParameters& parameters = {})
      : objective_(&objective_of(loss)), parameters_(parameters) {}
  LossFunction(Loss loss, double scale) : LossFunction(loss, LossParameters{.scale = scale}) {}
  /// Rows have targets (y − offset)/unit and predictors (f − offset)/unit.
  LossFunction(std::shared_ptr<const CustomLoss> custom, double offset, double unit);

  [[nodiscard]] const Objective& objective() const { return *objective_; }
  [[nodiscard]] Loss kind() const { return objective_->loss; }
  [[nodiscard]] const LossParameters& parameters() const { return parameters_; }
  [[nodiscard]] LossFunction with_scale(double scale) const;
  /// With the scale in the results of a fit, for targets in this unit; the same function if they have none.
  [[nodiscard]] LossFunction with_scale_in(const std::map<std::string, double>& results, double unit = 1.0) const;
  /// The loss that metrics are means of: itself, or without the smoothing that the fit needs.
  [[nodiscard]] LossFunction reported() const;

  [[nodiscard]] double mean(double f) const;
  /// The predictor whose mean is this; means at the limits of what is possible are moved inside.
  [[nodiscard]] double link(double mean) const;

  /// l(y, f) ≥ 0 of each row.
  [[nodiscard]] std::vector<double> values(std::span<const double> y, std::span<const double> f) const;
  /// Rows of (1).
  [[nodiscard]] std::vector<WorkingRow> working_rows(std::span<const double> y, std::span<const double> f,
                                                     double smallest = smallest_curvature) const;
  [[nodiscard]] double of(double y, double f) const { return values({&y, 1}, {&f, 1}).front(); }
  [[nodiscard]] WorkingRow working_row(double y, double f) const { return working_rows({&y, 1}, {&f, 1}).front(); }

 private:
  struct Custom {
    std::shared_ptr<const CustomLoss> loss;
    double offset = 0.0;
    double unit = 1.0;
  };

  struct CustomRows {
    std::vector<double> values;
    std::vector<double> gradient;
    std::vector<double> curvature;
  };
  /// In units of the caller's targets.
  [[nodiscard]] CustomRows evaluate_custom(std::span<const double> y, std::span<const double> f) const;

  const Objective* objective_;
  LossParameters parameters_;
  std::optional<Custom> custom_ = {};
};

/// The constant predictor of least loss; no weights: every row counts 1.
double best_constant(const LossFunction& loss, std::span<const double> y, std::span<const double> weights);

/// A unit in which targets have the size 1: the weighted mean under a log link, the scale of residuals where the loss
/// has one, else 1.
double unit_of_target(const LossFunction& loss, std::span<const double> y, std::span<const double> weights);

/// The metric of the loss for predicted means, in units of the target.
double metric_of_means(const LossFunction& loss, std::span<const double> y, std::span<const double> means);

/// The weighted mean of the losses.
double mean_loss(const LossFunction& loss, std::span<const double> y, std::span<const double> f,
                 std::span<const double> weights);

}  // namespace shrimp

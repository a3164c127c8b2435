#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "data/present.hpp"
#include "data/standardize.hpp"
#include "data/target_form.hpp"
#include "features/normal_quantile.hpp"
#include "intervals/calibration.hpp"
#include "intervals/factor.hpp"
#include "intervals/predictive_distribution.hpp"
#include "linalg/dense.hpp"
#include "model/model_loss.hpp"
#include "objective/cumulative.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/intervals.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

double deviation_of(const Marginal& marginal) {
  double mean = 0.0;
  double square = 0.0;
  for (std::size_t k = 0; k < marginal.values.size(); ++k) mean += marginal.masses[k] * marginal.values[k];
  for (std::size_t k = 0; k < marginal.values.size(); ++k) {
    square += marginal.masses[k] * std::pow(marginal.values[k] - mean, 2);
  }
  return std::sqrt(square);
}

IntervalKind interval_kind(const Model& model) { return objective_of(loss_of(model)).interval; }

/// Standard deviation added by inputs that are not known well: those outside their limits and those that are missing.
class InputDeviation {
 public:
  explicit InputDeviation(const Model& model)
      : range_(clipping_range(model)), slopes_(model.inputs.size(), 0.0), unlearned_(unlearned_inputs(model)) {
    const double explained = model.uncertainty->spread * model.uncertainty->spread;
    std::vector<double> of_input(model.inputs.size(), 0.0);
    for (const Term& term : model.terms) {
      terms_.push_back({term.variables, explained * term.fraction});
      for (const std::uint32_t j : term.variables) of_input[j] += explained * term.fraction;
    }
    if (model.scaling.input_lowest.empty() || model.marginals.empty()) return;
    for (std::size_t j = 0; j < slopes_.size(); ++j) {
      const double deviation = deviation_of(model.marginals[j]);
      slopes_[j] = deviation > 0.0 ? std::sqrt(of_input[j]) / deviation : 0.0;
    }
  }

  [[nodiscard]] double at(MatrixView X, std::size_t i) const {
    double deviation = 0.0;
    bool lacks = false;
    for (std::size_t j = 0; j < slopes_.size(); ++j) {
      const double x = X(i, j);
      lacks = lacks || (is_missing(x) && unlearned_[j]);
      if (slopes_[j] == 0.0 || is_missing(x)) continue;
      // hypot: the square of a distance of 1e200 overflows, although the interval is finite.
      deviation = std::hypot(deviation, slopes_[j] * (x - std::clamp(x, range_.lowest[j], range_.highest[j])));
    }
    return lacks ? std::hypot(deviation, std::sqrt(without_cells(X, i))) : deviation;
  }

 private:
  struct ExplainedVariance {
    std::vector<std::uint32_t> variables;
    double variance = 0.0;
  };

  // Where training rows lacked the input, too, the rows that calibrate intervals did so as well.
  static std::vector<bool> unlearned_inputs(const Model& model) {
    std::vector<bool> unlearned(model.inputs.size(), true);
    const auto source = [&](std::size_t j) -> const std::string& {
      return model.columns[j].column.empty() ? model.inputs[j] : model.columns[j].column;
    };
    for (std::size_t k = 0; k < model.columns.size(); ++k) {
      if (model.columns[k].part != InputColumn::Part::missing) continue;
      for (std::size_t j = 0; j < unlearned.size(); ++j) unlearned[j] = unlearned[j] && source(j) != source(k);
    }
    return unlearned;
  }

  // The prediction has the mean of a term over its missing inputs: the target varies about it as the term does.
  [[nodiscard]] double without_cells(MatrixView X, std::size_t i) const {
    double sum = 0.0;
    for (const ExplainedVariance& term : terms_) {
      const auto lacks = [&](std::uint32_t j) { return unlearned_[j] && is_missing(X(i, j)); };
      if (std::ranges::any_of(term.variables, lacks)) sum += term.variance;
    }
    return sum;
  }

  InputRange range_;
  std::vector<double> slopes_;  // In scaled units of the target per unit of the input.
  std::vector<bool> unlearned_;
  std::vector<ExplainedVariance> terms_;
};

/// Sums of columns and their deviations, and what they are in the target's own units.
class Expected {
 public:
  explicit Expected(const Model& model) : model_(model), inputs_(model), without_limits_(model.scaling) {
    // Held-out rows calibrate intervals of targets. Intervals of means depend on the posterior alone.
    const bool is_credible = interval_kind(model) == IntervalKind::credible;
    if (tells_of_rows(model)) F_ = is_credible ? factor_of_curves(model) : factor_of(model);
    if (!tells_of_rows(model) && is_credible) F_ = factor_of(model);
    const Scaling& scaling = model.scaling;
    if (scaling.target_lowest) {
      lowest_ = scaled(*scaling.target_lowest);
      highest_ = scaled(*scaling.target_highest);
    }
    without_limits_.target_lowest = without_limits_.target_highest = std::nullopt;
    without_limits_.target_correction = scaling.target_form == TargetForm::log ? 1.0 : 0.0;
  }

  /// Calls body(i, sum, variance, deviation) for every row: the variance is that of the sum by its coefficients, the
  /// deviation that added by inputs that are not known well.
  void visit(MatrixView X, int threads,
             const std::function<void(std::size_t i, double sum, double variance, double of_inputs)>& body) const {
    constexpr std::size_t block_rows = 512;
    const ThreadScope scope(threads);
    parallel_for((X.rows + block_rows - 1) / block_rows, [&](std::size_t block) {
      const std::size_t first = block * block_rows;
      const MatrixView part{X.data + first, std::min(block_rows, X.rows - first), X.cols, X.stride};
      const Matrix A = evaluate(model_.dictionary, scale_inputs(part, model_.scaling));
      std::vector<double> sums(part.rows, 0.0);
      for (std::size_t k = 0; k < A.cols(); ++k) add_scaled(sums, model_.coefficients[k], A.col(k));
      const std::vector<double> variances = variances_of_sums(F_, A);
      for (std::size_t i = 0; i < part.rows; ++i) body(first + i, sums[i], variances[i], inputs_.at(part, i));
    });
  }

  /// s(x) of a target.
  [[nodiscard]] double deviation(double variance, double of_inputs) const {
    const double noise = model_.uncertainty->noise;
    return std::hypot(std::sqrt(noise * noise + variance), of_inputs);
  }

  /// Where an interval has its middle: the sum, brought inside the limits of predictions.
  [[nodiscard]] double middle(double sum) const { return std::clamp(sum, lowest_, highest_); }

  /// A target with this sum, which is no mean and has no limits.
  [[nodiscard]] double target(double sum) const { return target_value(without_limits_, sum); }

 private:
  [[nodiscard]] double scaled(double y) const {
    const Scaling& scaling = model_.scaling;
    return (in_form(scaling.target_form, y) - scaling.target_mean) / scaling.target_scale;
  }

  const Model& model_;
  Matrix F_;
  InputDeviation inputs_;
  Scaling without_limits_;
  double lowest_ = -std::numeric_limits<double>::infinity();
  double highest_ = std::numeric_limits<double>::infinity();
};

void require_inputs(const Model& model, MatrixView X) {
  if (X.cols == model.inputs.size()) return;
  throw std::invalid_argument(
      fmt::format("X has {} columns, but the model has {} inputs.", X.cols, model.inputs.size()));
}

// Intervals of targets need held-out rows under every loss but the squared one, whose folds choose the model.
bool lacks_held_out_rows(const Model& model) {
  if (objective_of(loss_of(model)).interval == IntervalKind::credible || loss_of(model) == Loss::squared) return false;
  const auto quick = model.options.find("quick-error");
  return quick != model.options.end() && quick->second == "true";
}

void require_uncertainty(const Model& model, const std::string& source) {
  if (model.uncertainty) return;
  const Loss loss = loss_of(model);
  const Objective& objective = objective_of(loss);
  if (objective.interval == IntervalKind::none) {
    throw OptionError(
        fmt::format("{} was fitted with loss {} and predicts {}, without intervals.\nRemove the option; {}.", source,
                    objective.name, objective.prediction,
                    objective.has_several_predictors ? "the predicted probabilities measure the uncertainty"
                                                     : "fits of a low and a high quantile enclose most targets"));
  }
  if (lacks_held_out_rows(model)) {
    throw OptionError(
        fmt::format("{} has no intervals: with loss {} and quick-error, no rows were held out to calibrate "
                    "them.\nFit the model again without quick-error.",
                    source, name_of(loss)));
  }
  throw ModelFileError(
      fmt::format("{} has no intervals: an earlier version of the program made it, its fit was interrupted, "
                  "or another loss than squared was updated.\nFit the model again.",
                  source));
}

constexpr const char* unnamed = "the model";

}  // namespace

bool knows_coefficients(const Model& model) { return model.uncertainty && !model.uncertainty->factor.empty(); }

void require_intervals(const Model& model, double level, const std::string& source) {
  require_level(level);
  require_uncertainty(model, source);
}

PredictionIntervals predict_intervals(const Model& model, MatrixView X, double level, int threads,
                                      std::span<const double> exposure) {
  require_intervals(model, level, unnamed);
  require_inputs(model, X);
  PredictionIntervals found;
  found.prediction.resize(X.rows);
  found.lower.resize(X.rows);
  found.upper.resize(X.rows);
  const Expected expected(model);
  const IntervalKind kind = interval_kind(model);
  const double deviations =
      kind == IntervalKind::credible ? normal_quantile(0.5 + 0.5 * level) : quantile_of(*model.uncertainty, level);
  const LossFunction loss = loss_function_of(model);
  expected.visit(X, threads, [&](std::size_t i, double sum, double variance, double of_inputs) {
    found.prediction[i] = target_value(model.scaling, sum);
    const double of_sum = std::hypot(std::sqrt(variance), of_inputs);
    if (kind == IntervalKind::predictive) {
      const double mean = found.prediction[i] * (exposure.empty() ? 1.0 : exposure[i]);
      const PredictiveDistribution distribution(loss, mean, of_sum, model.uncertainty->dispersion);
      found.lower[i] = distribution.quantile(normal_cumulative(-deviations));
      found.upper[i] = distribution.quantile(normal_cumulative(deviations));
      return;
    }
    const double middle = expected.middle(sum);
    const double half =
        deviations * (kind == IntervalKind::credible ? of_sum : expected.deviation(variance, of_inputs));
    found.lower[i] = expected.target(middle - half);
    found.upper[i] = expected.target(middle + half);
  });
  return found;
}

std::vector<double> predict_standard_deviations(const Model& model, MatrixView X, int threads) {
  require_uncertainty(model, unnamed);
  require_inputs(model, X);
  std::vector<double> deviations(X.rows);
  const Expected expected(model);
  const IntervalKind kind = interval_kind(model);
  const LossFunction loss = loss_function_of(model);
  expected.visit(X, threads, [&](std::size_t i, double sum, double variance, double of_inputs) {
    const double of_sum = std::hypot(std::sqrt(variance), of_inputs);
    if (kind == IntervalKind::predictive) {
      const double mean = target_value(model.scaling, sum);
      deviations[i] = PredictiveDistribution(loss, mean, of_sum, model.uncertainty->dispersion).standard_deviation();
      return;
    }
    const double own = kind == IntervalKind::credible ? of_sum : expected.deviation(variance, of_inputs);
    deviations[i] = std::abs(target_slope(model.scaling, expected.middle(sum))) * own;
  });
  return deviations;
}

std::string level_warning(const Model& model, double level) {
  if (!model.uncertainty || interval_kind(model) == IntervalKind::credible) return "";
  const double highest = model.uncertainty->levels.back();
  if (level <= highest) return "";
  return fmt::format(
      "intervals are calibrated up to level {:.4g}; those of level {} use this width and may undercover.", highest,
      level);
}

}  // namespace shrimp

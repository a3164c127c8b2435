#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "data/loss.hpp"
#include "data/standardize.hpp"
#include "data/target_form.hpp"
#include "intervals/calibration.hpp"
#include "intervals/factor.hpp"
#include "linalg/dense.hpp"
#include "model/model_loss.hpp"
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

/// What the way from the limits of inputs to where they are adds to the variance.
class BeyondLimits {
 public:
  explicit BeyondLimits(const Model& model) : range_(clipping_range(model)), slopes_(model.inputs.size(), 0.0) {
    if (model.scaling.input_lowest.empty() || model.marginals.empty()) return;
    for (const Term& term : model.terms) {
      for (const std::uint32_t j : term.variables) slopes_[j] += term.share;
    }
    for (std::size_t j = 0; j < slopes_.size(); ++j) {
      const double deviation = deviation_of(model.marginals[j]);
      slopes_[j] = deviation > 0.0 ? model.uncertainty->spread * std::sqrt(slopes_[j]) / deviation : 0.0;
    }
  }

  [[nodiscard]] double variance(MatrixView X, std::size_t i) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < slopes_.size(); ++j) {
      if (slopes_[j] == 0.0) continue;
      sum += std::pow(slopes_[j] * (X(i, j) - std::clamp(X(i, j), range_.lowest[j], range_.highest[j])), 2);
    }
    return sum;
  }

 private:
  InputRange range_;
  std::vector<double> slopes_;  // In scaled units per unit of the input.
};

/// Sums of columns and their deviations, and what they are in the target's own units.
class Expected {
 public:
  explicit Expected(const Model& model) : model_(model), beyond_(model), without_limits_(model.scaling) {
    if (tells_of_rows(model)) F_ = factor_of(model);
    const Scaling& scaling = model.scaling;
    if (scaling.target_lowest) {
      lowest_ = scaled(*scaling.target_lowest);
      highest_ = scaled(*scaling.target_highest);
    }
    without_limits_.target_lowest = without_limits_.target_highest = std::nullopt;
    without_limits_.target_correction = scaling.target_form == TargetForm::log ? 1.0 : 0.0;
  }

  /// Calls body(i, sum, s) for every row.
  void visit(MatrixView X, int threads,
             const std::function<void(std::size_t i, double sum, double deviation)>& body) const {
    constexpr std::size_t block_rows = 512;
    const ThreadScope scope(threads);
    parallel_for((X.rows + block_rows - 1) / block_rows, [&](std::size_t block) {
      const std::size_t first = block * block_rows;
      const MatrixView part{X.data + first, std::min(block_rows, X.rows - first), X.cols, X.stride};
      const Matrix A = evaluate(model_.dictionary, scale_inputs(part, model_.scaling));
      std::vector<double> sums(part.rows, 0.0);
      for (std::size_t k = 0; k < A.cols(); ++k) add_scaled(sums, model_.coefficients[k], A.col(k));
      const std::vector<double> variances = variances_of_sums(F_, A);
      for (std::size_t i = 0; i < part.rows; ++i) {
        const double noise = model_.uncertainty->noise;
        body(first + i, sums[i], std::sqrt(noise * noise + variances[i] + beyond_.variance(part, i)));
      }
    });
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
  BeyondLimits beyond_;
  Scaling without_limits_;
  double lowest_ = -std::numeric_limits<double>::infinity();
  double highest_ = std::numeric_limits<double>::infinity();
};

void require_inputs(const Model& model, MatrixView X) {
  if (X.cols == model.inputs.size()) return;
  throw std::invalid_argument(
      fmt::format("X has {} columns where the model has {} inputs.", X.cols, model.inputs.size()));
}

void require_uncertainty(const Model& model, const std::string& source) {
  if (model.uncertainty) return;
  if (const Loss loss = loss_of(model); has_link(loss)) {
    throw OptionError(fmt::format("interval is for numbers, and {} was fitted with loss {}: it predicts {}.\n{}",
                                  source, name_of(loss), loss == Loss::logistic ? "a probability" : "a rate",
                                  "Leave it out; the prediction itself says how sure it is."));
  }
  throw ModelFileError(fmt::format(
      "{} has no intervals: an earlier version of the program made it, or its fit was interrupted.\nFit the "
      "model again.",
      source));
}

constexpr const char* unnamed = "the model";

}  // namespace

bool knows_coefficients(const Model& model) { return model.uncertainty && !model.uncertainty->factor.empty(); }

void require_intervals(const Model& model, double level, const std::string& source) {
  require_level(level);
  require_uncertainty(model, source);
}

PredictionIntervals predict_intervals(const Model& model, MatrixView X, double level, int threads) {
  require_intervals(model, level, unnamed);
  require_inputs(model, X);
  PredictionIntervals found;
  found.prediction.resize(X.rows);
  found.lower.resize(X.rows);
  found.upper.resize(X.rows);
  const Expected expected(model);
  const double deviations = quantile_of(*model.uncertainty, level);
  expected.visit(X, threads, [&](std::size_t i, double sum, double deviation) {
    const double middle = expected.middle(sum);
    found.prediction[i] = target_value(model.scaling, sum);
    found.lower[i] = expected.target(middle - deviations * deviation);
    found.upper[i] = expected.target(middle + deviations * deviation);
  });
  return found;
}

std::vector<double> predict_deviations(const Model& model, MatrixView X, int threads) {
  require_uncertainty(model, unnamed);
  require_inputs(model, X);
  std::vector<double> deviations(X.rows);
  const Expected expected(model);
  expected.visit(X, threads, [&](std::size_t i, double sum, double deviation) {
    deviations[i] = std::abs(target_slope(model.scaling, expected.middle(sum))) * deviation;
  });
  return deviations;
}

std::string level_warning(const Model& model, double level) {
  if (!model.uncertainty) return "";
  const double highest = model.uncertainty->levels.back();
  if (level <= highest) return "";
  return fmt::format(
      "the rows that intervals were found by tell levels up to {:.4g}: those of {} are as wide as the widest of these, "
      "and may cover less.",
      highest, level);
}

}  // namespace shrimp

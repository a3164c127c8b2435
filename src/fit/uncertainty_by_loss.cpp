#include "fit/uncertainty_by_loss.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "fit/fit_by_loss.hpp"
#include "fit/uncertainty.hpp"
#include "intervals/calibration.hpp"
#include "intervals/factor.hpp"
#include "intervals/predictive_distribution.hpp"
#include "linalg/dense.hpp"
#include "random/philox.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

/// Rows with their working weights at the fit, times their row weights.
struct FittedLoss {
  Rows rows;
  double weight = 0.0;       ///< Of all rows that were fitted.
  double information = 0.0;  ///< Mean working weight of a row.
};

double row_weight(std::span<const double> weights, std::size_t i) { return weights.empty() ? 1.0 : weights[i]; }

std::vector<double> linear_predictors(const Model& model, MatrixView X, double constant) {
  std::vector<double> sums(X.rows, 0.0);
  if (!model.coefficients.empty()) sums = multiply(evaluate(model.dictionary, X), model.coefficients);
  for (double& sum : sums) sum += constant;
  return sums;
}

FittedLoss fitted_loss(const Model& model, const ModelFrame& frame, const Choice& choice) {
  // As many as a posterior uses (fit/uncertainty.cpp).
  const std::size_t most =
      std::max<std::size_t>(4000, model.dictionary.has_kernels() ? 0 : 10 * model.coefficients.size());
  FittedLoss fitted{some_rows(frame.rows, most)};
  Rows& rows = fitted.rows;
  const double fraction = rows.total_weight() / frame.rows.total_weight();
  const std::vector<double> sums = linear_predictors(model, rows.X, choice.constant);
  const std::vector<WorkingRow> working = loss_function(frame).working_rows(rows.y, sums);
  rows.weights.resize(rows.size(), 1.0);
  double units = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    units += frame.exposure_of_weight > 0.0 ? 1.0 : rows.weights[i];
    rows.weights[i] *= working[i].weight;
  }
  const double weight = rows.total_weight();
  fitted.weight = weight / fraction;
  fitted.information = weight / units;
  return fitted;
}

/// Rows that the fit did without, in units of the rows.
struct HeldOut {
  LeftOutRows rows;
  std::vector<double> means = {};
  std::vector<double> squares = {};    ///< Squared Pearson residuals for a dispersion of 1.
  std::vector<double> working = {};    ///< Working weights, without row weights.
  std::vector<double> variances = {};  ///< Of the linear predictor for a dispersion of 1.
  bool has_rates = false;

  /// Weights that raise the precision of a target, and those that count rows.
  [[nodiscard]] double precision(std::size_t i) const { return has_rates ? row_weight(rows.weights, i) : 1.0; }
  [[nodiscard]] double count(std::size_t i) const { return has_rates ? 1.0 : row_weight(rows.weights, i); }
};

HeldOut held_out(const LossFunction& loss, const ModelFrame& frame, const Choice& choice) {
  HeldOut held{some_rows(choice.left_out, enough_to_calibrate)};
  held.has_rates = frame.exposure_of_weight > 0.0;
  const LeftOutRows& rows = held.rows;
  std::vector<double> sums;
  for (std::size_t i = 0; i < rows.y.size(); ++i) sums.push_back(loss.link(rows.y[i] - rows.gaps[i] / rows.factor));
  const std::vector<WorkingRow> working = loss.working_rows(rows.y, sums);
  for (std::size_t i = 0; i < rows.y.size(); ++i) {
    held.means.push_back(loss.mean(sums[i]));
    held.working.push_back(working[i].weight);
    held.squares.push_back(held.precision(i) * working[i].weight * std::pow(working[i].response - sums[i], 2));
  }
  held.variances.assign(rows.y.size(), 0.0);
  return held;
}

void add_variances(HeldOut& held, const Posterior& posterior, const Matrix& columns) {
  LeftOutRows weighted{Matrix(), {}, {}, held.rows.fitted};
  for (std::size_t i = 0; i < held.working.size(); ++i) {
    weighted.weights.push_back(held.working[i] * row_weight(held.rows.weights, i));
  }
  held.variances = leave_out(posterior.variances(Matrix(columns)), weighted);
}

// Squared Pearson residuals exceed the dispersion by the variance of the linear predictor.
double dispersion_of(const HeldOut& held) {
  double sum = 0.0;
  double total = 0.0;
  for (std::size_t i = 0; i < held.squares.size(); ++i) {
    const double information = held.precision(i) * held.working[i];
    sum += held.count(i) * held.squares[i] / (1.0 + information * held.variances[i]);
    total += held.count(i);
  }
  return held.rows.factor * held.rows.factor * sum / total;
}

// Randomised quantile residuals are normal if the response has the assumed distribution. Their quantiles correct it.
void calibrate_on(const HeldOut& held, const LossFunction& loss, double unit, double dispersion_of_rows,
                  double dispersion, Uncertainty& uncertainty) {
  std::vector<double> scores(held.means.size());
  std::vector<double> counts;
  for (std::size_t i = 0; i < scores.size(); ++i) counts.push_back(held.count(i));
  parallel_for(scores.size(), [&](std::size_t i) {
    const double scale = unit * held.precision(i);
    const PredictiveDistribution distribution(loss, scale * held.means[i],
                                              std::sqrt(dispersion_of_rows * held.variances[i]), dispersion);
    PhiloxStream stream(0, Stream::rows, i, 1);
    double y = scale * held.rows.y[i];
    if (loss.objective().response->is_discrete) y = std::round(y);
    scores[i] = held.rows.factor * std::abs(distribution.residual(y, stream.uniform()));
  });
  calibrate(uncertainty, std::move(scores), std::move(counts));
}

// Credible intervals cannot be calibrated: the mean of the target is not observed. Effects that the fit did not detect
// are worth six basis functions of variance 1, with the variance of the constant each. Chosen by hand on 54 simulated
// fits of six functions with 300 to 600 rows (bench/README.md, "Intervals"). A kernel term depends on
// all inputs and has no such effects. The factor's additional column changes the constant only.
void add_undetected_effects(const Model& model, double weight, std::vector<float>& factor) {
  constexpr double basis_functions = 6.0;
  factor.resize(factor.size() + 1 + model.coefficients.size(), 0.0F);
  factor[factor.size() - 1 - model.coefficients.size()] = static_cast<float>(std::sqrt(basis_functions / weight));
}

}  // namespace

std::optional<Uncertainty> uncertainty_by_loss(const Model& model, const ModelFrame& frame, const Choice& choice) {
  const LossFunction loss = loss_function(frame);
  const Objective& objective = loss.objective();
  const bool is_predictive = objective.interval == IntervalKind::predictive;
  if (is_predictive && choice.left_out.y.empty()) return std::nullopt;
  const FittedLoss fitted = fitted_loss(model, frame, choice);
  Uncertainty uncertainty;
  uncertainty.spread = spread_of(model, frame.rows);
  HeldOut held;
  if (is_predictive) held = held_out(loss, frame, choice);
  const FittedRows rows{fitted.rows, fitted.weight, true,
                        0.0,         true,          penalty_of(model.dictionary, choice.ridge, choice.scales)};
  if (model.coefficients.empty()) {
    uncertainty.factor = {static_cast<float>(1.0 / std::sqrt(fitted.weight))};
    std::ranges::fill(held.variances, 1.0 / fitted.weight);
  } else if (const std::optional<Posterior> posterior = posterior_of(model, rows)) {
    const Matrix columns = evaluate(model.dictionary, is_predictive ? held.rows.X : fitted.rows.X);
    uncertainty.factor = precise_factor(*posterior, columns, posterior->variances(Matrix(columns)));
    if (!uncertainty.factor.empty() && is_predictive && tells_of_rows(model)) add_variances(held, *posterior, columns);
  }
  double dispersion = 1.0;
  if (is_predictive) {
    constexpr double rounding = 1e-14;
    const double exposure = held.has_rates ? frame.exposure_of_weight : 1.0;
    const double unit = exposure * std::pow(frame.target_unit, objective.degree(loss.parameters()));
    const double least = std::max(objective.response->least_dispersion, rounding);
    const double found = std::max(unit * dispersion_of(held), least);
    if (!std::isfinite(found)) return std::nullopt;
    dispersion = found / unit;
    uncertainty.dispersion = found;
    calibrate_on(held, loss, exposure * frame.target_unit, dispersion, found, uncertainty);
  } else {
    if (uncertainty.factor.empty()) return std::nullopt;
    if (tells_of_rows(model)) add_undetected_effects(model, fitted.weight, uncertainty.factor);
    calibrate_as_normal(uncertainty);
  }
  uncertainty.noise = std::sqrt(dispersion / fitted.information);
  for (float& value : uncertainty.factor) value *= static_cast<float>(std::sqrt(dispersion));
  return uncertainty;
}

}  // namespace shrimp

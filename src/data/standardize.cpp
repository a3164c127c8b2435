#include "data/standardize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/present.hpp"
#include "data/target_form.hpp"
#include "data/warp.hpp"

namespace shrimp {
namespace {

struct Moments {
  double mean = 0.0;
  double deviation = 1.0;
};

bool is_constant(std::span<const double> values) {
  const auto [lowest, highest] = range_of_present(values);
  return lowest == highest;
}

// By how much a mean may exceed the deviation before rounding of one is felt in the other.
constexpr double much_larger = 1e4;

// From a mean that is about right. Values near it are subtracted without rounding.
Moments refined(std::span<const double> values, std::span<const double> weights, double mean) {
  const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  double squares = 0.0;
  double count = 0.0;
  for (int pass = 0; pass < 3; ++pass) {
    double sum = 0.0;
    squares = count = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double gap = values[i] - mean;
      count += weight(i);
      sum += weight(i) * gap;
      squares += weight(i) * gap * gap;
    }
    mean += sum / count;
  }
  const double deviation = std::sqrt(squares / count);
  return {mean, deviation > 0.0 ? deviation : 1.0};
}

// Row i counts weights[i] times; no weights: once. Missing values do not count.
Moments moments(std::span<const double> values, std::span<const double> weights) {
  if (any_missing(values)) return moments(present(values), beside_present(values, weights));
  if (is_constant(values)) return {values.empty() ? 0.0 : values.front(), 1.0};
  const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  // Scaled by the largest entry, so that squares of huge numbers do not overflow.
  const double largest = std::abs(*std::ranges::max_element(values, {}, [](double v) { return std::abs(v); }));
  double count = 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    count += weight(i);
    sum += weight(i) * (values[i] / largest);
  }
  const double mean = sum / count;
  double squares = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += weight(i) * (values[i] / largest - mean) * (values[i] / largest - mean);
  }
  const double deviation = std::sqrt(squares / count) * largest;
  Moments result{mean * largest, deviation > 0.0 ? deviation : 1.0};
  constexpr double squares_are_finite = 1e150;
  const bool far_from_zero = std::abs(result.mean) > much_larger * result.deviation;
  return far_from_zero && largest < squares_are_finite ? refined(values, weights, result.mean) : result;
}

// Limits that knew nothing of the logarithm may lie beyond zero.
void keep_on_side_of_zero(Scaling& scaling, std::size_t j, std::span<const double> x) {
  const Warp& warp = scaling.input_warps[j];
  if (warp.kind != Warp::Kind::log || scaling.input_lowest.empty()) return;
  const auto [lowest, highest] = range_of_present(x);
  if (!warp.negative && !(scaling.input_lowest[j] > 0.0)) scaling.input_lowest[j] = lowest;
  if (warp.negative && !(scaling.input_highest[j] < 0.0)) scaling.input_highest[j] = highest;
}

}  // namespace

Scaling Scaling::none(std::size_t inputs) {
  Scaling scaling;
  scaling.input_mean.assign(inputs, 0.0);
  scaling.input_scale.assign(inputs, 1.0);
  return scaling;
}

Scaling standardizing(const Dataset& data) {
  Scaling scaling = Scaling::none(data.X.cols());
  for (std::size_t j = 0; j < data.X.cols(); ++j) {
    if (!data.columns.empty() && data.columns[j].is_category()) continue;
    const Moments input = moments(data.X.col(j), data.weights);
    scaling.input_mean[j] = input.mean;
    scaling.input_scale[j] = input.deviation;
  }
  const Moments target = moments(data.y, data.weights);
  scaling.target_mean = target.mean;
  scaling.target_scale = target.deviation;
  return scaling;
}

void warp_inputs(Scaling& scaling, const Dataset& data, std::vector<Warp> warps) {
  const bool any = std::ranges::any_of(warps, [](const Warp& warp) { return warp.kind != Warp::Kind::none; });
  if (!any) return;
  scaling.input_warps = std::move(warps);
  for (std::size_t j = 0; j < data.X.cols(); ++j) {
    const Warp& warp = scaling.input_warps[j];
    if (warp.kind == Warp::Kind::none) continue;
    std::vector<double> x(data.X.col(j).begin(), data.X.col(j).end());
    warp_in_place(warp, x);
    const Moments input = moments(x, data.weights);
    scaling.input_mean[j] = input.mean;
    scaling.input_scale[j] = input.deviation;
    keep_on_side_of_zero(scaling, j, data.X.col(j));
  }
}

void form_target(Scaling& scaling, const Dataset& data, TargetForm form) {
  scaling.target_form = form;
  scaling.target_correction = form == TargetForm::log ? 1.0 : 0.0;
  std::vector<double> z(data.y);
  for (double& value : z) value = in_form(form, value);
  const Moments target = moments(z, data.weights);
  scaling.target_mean = target.mean;
  scaling.target_scale = target.deviation;
}

void limit_inputs(Scaling& scaling, MatrixView X, double margin) {
  scaling.input_lowest.clear();
  scaling.input_highest.clear();
  for (std::size_t j = 0; j < X.cols; ++j) {
    const Warp& own = warp_of(scaling, j);
    const Warp unit = own.kind == Warp::Kind::log ? own : Warp{};
    const auto [smallest, largest] = range_of_present(X.col(j));
    const double lowest = warped(unit, smallest);
    const double highest = warped(unit, largest);
    scaling.input_lowest.push_back(unwarped(unit, lowest - margin * (highest - lowest)));
    scaling.input_highest.push_back(unwarped(unit, highest + margin * (highest - lowest)));
  }
}

double weighted_variance(std::span<const double> values, std::span<const double> weights) {
  const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  double total = 0.0;
  double mean = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    total += weight(i);
    mean += weight(i) * values[i];
  }
  if (!(total > 0.0)) return 0.0;
  mean /= total;
  double sum = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += weight(i) * (values[i] - mean) * (values[i] - mean);
  const double variance = sum / total;
  if (!(std::abs(mean) > much_larger * std::sqrt(variance)) || !std::isfinite(variance)) return variance;
  const double deviation = is_constant(values) ? 0.0 : refined(values, weights, mean).deviation;
  return deviation * deviation;
}

double standard_deviation(std::span<const double> values) { return moments(values, {}).deviation; }

std::vector<double> standard_deviations(MatrixView X) {
  std::vector<double> deviations;
  for (std::size_t j = 0; j < X.cols; ++j) deviations.push_back(standard_deviation(X.col(j)));
  return deviations;
}

std::vector<std::string> constant_column_warnings(const Dataset& data) {
  std::vector<std::string> warnings;
  for (std::size_t j = 0; j < data.X.cols(); ++j) {
    if (is_constant(data.X.col(j))) {
      warnings.push_back(
          fmt::format("input \"{}\" is constant over the training rows; it has no effect.", data.inputs[j]));
    }
  }
  return warnings;
}

void enter(std::span<double> x, const Scaling& scaling, std::size_t j) {
  if (!scaling.input_lowest.empty()) {
    for (double& value : x) value = std::clamp(value, scaling.input_lowest[j], scaling.input_highest[j]);
  }
  warp_in_place(warp_of(scaling, j), x);
}

Matrix scale_inputs(MatrixView X, const Scaling& scaling) {
  Matrix scaled = Matrix::uninitialized(X.rows, X.cols);
  for (std::size_t j = 0; j < X.cols; ++j) {
    std::ranges::copy(X.col(j), scaled.col(j).begin());
    enter(scaled.col(j), scaling, j);
    for (double& x : scaled.col(j)) x = (x - scaling.input_mean[j]) / scaling.input_scale[j];
  }
  return scaled;
}

std::vector<double> scale_target(std::span<const double> y, const Scaling& scaling) {
  std::vector<double> scaled(y.begin(), y.end());
  for (double& value : scaled) {
    value = (in_form(scaling.target_form, value) - scaling.target_mean) / scaling.target_scale;
  }
  return scaled;
}

}  // namespace shrimp

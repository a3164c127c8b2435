#include "data/standardize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace shrimp {
namespace {

struct Moments {
  double mean = 0.0;
  double deviation = 1.0;
};

bool is_constant(std::span<const double> values) {
  return std::ranges::all_of(values, [&](double value) { return value == values.front(); });
}

// Row i counts weights[i] times; no weights: once.
Moments moments(std::span<const double> values, std::span<const double> weights) {
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
  return {mean * largest, deviation > 0.0 ? deviation : 1.0};
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
    const Moments input = moments(data.X.col(j), data.weights);
    scaling.input_mean[j] = input.mean;
    scaling.input_scale[j] = input.deviation;
  }
  const Moments target = moments(data.y, data.weights);
  scaling.target_mean = target.mean;
  scaling.target_scale = target.deviation;
  return scaling;
}

void limit_inputs(Scaling& scaling, MatrixView X, double margin) {
  for (std::size_t j = 0; j < X.cols; ++j) {
    const auto [lowest, highest] = std::ranges::minmax(X.col(j));
    scaling.input_lowest.push_back(lowest - margin * (highest - lowest));
    scaling.input_highest.push_back(highest + margin * (highest - lowest));
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
  return sum / total;
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
          fmt::format("input \"{}\" has the same value in every row; it cannot explain anything.", data.inputs[j]));
    }
  }
  if (is_constant(data.y)) {
    warnings.push_back(
        fmt::format("target \"{}\" has the same value in every row; the model is that constant.", data.target));
  }
  return warnings;
}

Matrix scale_inputs(MatrixView X, const Scaling& scaling) {
  Matrix scaled = Matrix::uninitialized(X.rows, X.cols);
  for (std::size_t j = 0; j < X.cols; ++j) {
    const bool limited = !scaling.input_lowest.empty();
    for (std::size_t i = 0; i < X.rows; ++i) {
      const double x = limited ? std::clamp(X(i, j), scaling.input_lowest[j], scaling.input_highest[j]) : X(i, j);
      scaled(i, j) = (x - scaling.input_mean[j]) / scaling.input_scale[j];
    }
  }
  return scaled;
}

std::vector<double> scale_target(std::span<const double> y, const Scaling& scaling) {
  std::vector<double> scaled(y.begin(), y.end());
  for (double& value : scaled) value = (value - scaling.target_mean) / scaling.target_scale;
  return scaled;
}

}  // namespace shrimp

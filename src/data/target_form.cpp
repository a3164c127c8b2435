#include "data/target_form.hpp"

#include <algorithm>
#include <cmath>

namespace shrimp {
namespace {

double in_own_units(const Scaling& scaling, double z) {
  switch (scaling.target_form) {
    case TargetForm::log:
      return std::exp(z) * scaling.target_correction;
    case TargetForm::sqrt:
      return std::max(z, 0.0) * std::max(z, 0.0) + scaling.target_correction;
    case TargetForm::logit:
      return 1.0 / (1.0 + std::exp(-z));
    case TargetForm::identity:
      break;
  }
  return z;
}

}  // namespace

bool can_take_form(std::span<const double> y, TargetForm form) {
  switch (form) {
    case TargetForm::log:
      return std::ranges::all_of(y, [](double value) { return value > 0.0; });
    case TargetForm::sqrt:
      return std::ranges::all_of(y, [](double value) { return value >= 0.0; });
    case TargetForm::logit:
      return std::ranges::all_of(y, [](double value) { return value > 0.0 && value < 1.0; });
    case TargetForm::identity:
      break;
  }
  return true;
}

double in_form(TargetForm form, double y) {
  switch (form) {
    case TargetForm::log:
      return std::log(y);
    case TargetForm::sqrt:
      return std::sqrt(y);
    case TargetForm::logit:
      return std::log(y / (1.0 - y));
    case TargetForm::identity:
      break;
  }
  return y;
}

double target_correction(TargetForm form, std::span<const double> y, std::span<const double> predicted,
                         std::span<const double> weights, double deviation) {
  const bool has_none = form == TargetForm::identity || form == TargetForm::logit;
  if (has_none || y.empty()) return form == TargetForm::log ? 1.0 : 0.0;
  double sum = 0.0;
  double total = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double weight = weights.empty() ? 1.0 : weights[i];
    const double rest = deviation * (y[i] - predicted[i]);
    sum += weight * (form == TargetForm::log ? std::exp(rest) : rest * rest);
    total += weight;
  }
  return sum / total;
}

double target_value(const Scaling& scaling, double sum) {
  const double y = in_own_units(scaling, scaling.target_mean + scaling.target_scale * sum);
  return scaling.target_lowest ? std::clamp(y, *scaling.target_lowest, *scaling.target_highest) : y;
}

double target_slope(const Scaling& scaling, double sum) {
  const double z = scaling.target_mean + scaling.target_scale * sum;
  switch (scaling.target_form) {
    case TargetForm::log:
      return scaling.target_scale * in_own_units(scaling, z);
    case TargetForm::sqrt:
      return scaling.target_scale * 2.0 * std::max(z, 0.0);
    case TargetForm::logit: {
      const double p = in_own_units(scaling, z);
      return scaling.target_scale * p * (1.0 - p);
    }
    case TargetForm::identity:
      break;
  }
  return scaling.target_scale;
}

std::string_view name_of(TargetForm form) {
  switch (form) {
    case TargetForm::log:
      return "log";
    case TargetForm::sqrt:
      return "sqrt";
    case TargetForm::logit:
      return "logit";
    case TargetForm::identity:
      break;
  }
  return "identity";
}

}  // namespace shrimp

#include "fit/own_units.hpp"

#include <algorithm>
#include <cmath>

#include "data/target_form.hpp"
#include "fit/left_out_rows.hpp"
#include "linalg/dense.hpp"

namespace shrimp {

std::vector<double> predict_sums(const Finished& model, MatrixView X) {
  std::vector<double> sums(X.rows, 0.0);
  if (!model.coefficients.empty()) sums = multiply(evaluate(model.dictionary, X), model.coefficients);
  for (double& value : sums) value += model.constant;
  return sums;
}

double correction_of(const Finished& model, const Rows& fitted, const Scaling& scaling) {
  if (scaling.target_form == TargetForm::identity) return scaling.target_correction;
  std::vector<double> sums = predict_sums(model, fitted.X);
  std::vector<double> rest = fitted.y;
  add_scaled(rest, -1.0, sums);
  const double mean = mean_square(rest, fitted.weights);
  // Where rows are fitted closely, their residuals say little of what is left out.
  constexpr double most = 30.0;
  const double factor = mean > 0.0 ? std::clamp(std::sqrt(model.error / mean), 1.0, most) : 1.0;
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = fitted.y[i] - factor * (fitted.y[i] - sums[i]);
  return target_correction(scaling.target_form, fitted.y, sums, fitted.weights, scaling.target_scale);
}

double own_target(const Scaling& scaling, double y) {
  Scaling plain = scaling;  // A row's own target is no mean.
  plain.target_correction = scaling.target_form == TargetForm::log ? 1.0 : 0.0;
  return target_value(plain, y);
}

double own_squared_error(const Scaling& scaling, double y, double sum) {
  if (scaling.target_form == TargetForm::identity) return (y - sum) * (y - sum);
  const double error = (own_target(scaling, y) - target_value(scaling, sum)) / scaling.target_scale;
  return error * error;
}

}  // namespace shrimp

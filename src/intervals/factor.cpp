#include "intervals/factor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/dense.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {

std::vector<float> kept_factor(const Posterior& posterior) {
  // Of more columns, as many random directions: variances are then known to a fifth, deviations to a tenth, and a
  // column takes about 340 bytes of the file.
  constexpr std::size_t most_directions = 64;
  const Matrix F = posterior.factor(most_directions);
  std::vector<float> values;
  for (std::size_t i = 0; i < F.rows() * F.cols(); ++i) values.push_back(static_cast<float>(F.data()[i]));
  const bool finite = std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
  return finite ? values : std::vector<float>();
}

Matrix factor_of(const Model& model) {
  const std::size_t rows = 1 + model.coefficients.size();
  if (!model.uncertainty) return {rows, 0};
  const std::vector<float>& values = model.uncertainty->factor;
  Matrix F = Matrix::uninitialized(rows, values.size() / rows);
  std::ranges::copy(values, F.data());
  return F;
}

bool tells_of_rows(const Model& model) { return !model.dictionary.has_kernels(); }

Matrix factor_of_curves(const Model& model) {
  constexpr double chosen_by_the_same_rows = 1.2;
  Matrix F = factor_of(model);
  for (double& value : std::span(F.data(), F.rows() * F.cols())) value *= chosen_by_the_same_rows;
  return F;
}

std::vector<double> variances_of_sums(const Matrix& F, const Matrix& columns) {
  std::vector<double> variances(columns.rows(), 0.0);
  if (F.empty()) return variances;
  Matrix parts(columns.rows(), F.cols());
  if (columns.cols() > 0) parts = multiply(columns, MatrixView{F.data() + 1, F.rows() - 1, F.cols(), F.rows()});
  for (std::size_t j = 0; j < F.cols(); ++j) {
    for (std::size_t i = 0; i < variances.size(); ++i) {
      const double part = parts(i, j) + F(0, j);
      variances[i] += part * part;
    }
  }
  return variances;
}

void require_level(double level) {
  if (level > 0.0 && level < 1.0) return;
  throw OptionError(
      fmt::format("the level of intervals is {}, but must lie between 0 and 1.\nGive one such as 0.9.", level));
}

}  // namespace shrimp

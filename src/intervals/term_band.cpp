#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "features/normal_quantile.hpp"
#include "intervals/factor.hpp"
#include "model/visit_components.hpp"
#include "shrimp/intervals.hpp"

namespace shrimp {
namespace {

/// Columns that look at all of the variables: no others have a part in their component.
std::vector<std::size_t> columns_on(const Dictionary& dictionary, const std::vector<std::uint32_t>& variables) {
  std::vector<std::size_t> columns;
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    if (std::ranges::includes(dictionary.support(k), variables)) columns.push_back(k);
  }
  return columns;
}

/// Rows of all inputs; those that the term does not look at stay where they are.
Matrix rows_at(const Model& model, const std::vector<std::uint32_t>& variables, MatrixView points) {
  Matrix X(points.rows, model.inputs.size());
  for (std::size_t j = 0; j < model.marginals.size(); ++j) {
    const std::vector<double>& values = model.marginals[j].values;
    if (!values.empty()) std::ranges::fill(X.col(j), values[values.size() / 2]);
  }
  for (std::size_t l = 0; l < variables.size(); ++l) std::ranges::copy(points.col(l), X.col(variables[l]).begin());
  return X;
}

/// The component of just these variables, in the target's scale.
std::vector<double> component(const Model& model, const std::vector<std::uint32_t>& variables, const Matrix& X,
                              int threads) {
  std::vector<double> values(X.rows(), 0.0);
  visit_components(model, X, threads, "terms",
                   [&](const Variables& own, std::span<const double> part, std::size_t first) {
                     if (own != variables) return;
                     for (std::size_t i = 0; i < part.size(); ++i)
                       values[first + i] = model.scaling.target_scale * part[i];
                   });
  return values;
}

}  // namespace

TermBand term_band(const Model& model, const std::vector<std::uint32_t>& variables, MatrixView points, double level,
                   int threads) {
  require_level(level);
  if (points.cols != variables.size() ||
      std::ranges::any_of(variables, [&](std::uint32_t j) { return j >= model.inputs.size(); })) {
    throw std::invalid_argument(
        fmt::format("the points have {} columns, but the term has {} inputs.", points.cols, variables.size()));
  }
  const std::vector<std::size_t> columns = columns_on(model.dictionary, variables);
  const Matrix X = rows_at(model, variables, points);
  Model part = model;
  part.dictionary = model.dictionary.subset(columns);
  part.coefficients.clear();
  for (const std::size_t k : columns) part.coefficients.push_back(model.coefficients[k]);
  TermBand band;
  band.value = component(part, variables, X, threads);
  // A component is linear in the coefficients: its covariance has the component of each column of F for a factor.
  const Matrix F = factor_of_curves(model);
  std::vector<double> variances(points.rows, 0.0);
  for (std::size_t j = 0; j < F.cols(); ++j) {
    for (std::size_t k = 0; k < columns.size(); ++k) part.coefficients[k] = F(1 + columns[k], j);
    const std::vector<double> values = component(part, variables, X, threads);
    for (std::size_t i = 0; i < values.size(); ++i) variances[i] += values[i] * values[i];
  }
  const double deviations = normal_quantile(0.5 + 0.5 * level);
  for (std::size_t i = 0; i < variances.size(); ++i) {
    const double half = deviations * std::sqrt(variances[i]);
    band.lower.push_back(band.value[i] - half);
    band.upper.push_back(band.value[i] + half);
  }
  return band;
}

}  // namespace shrimp

#include "fit/uncertainty.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "data/split.hpp"
#include "data/standardize.hpp"
#include "intervals/calibration.hpp"
#include "intervals/factor.hpp"
#include "intervals/posterior.hpp"
#include "linalg/dense.hpp"
#include "ridge/intercept.hpp"

namespace shrimp {
namespace {

std::vector<double> sums_of(const Matrix& columns, const Model& model) {
  std::vector<double> sums(columns.rows(), 0.0);
  for (std::size_t k = 0; k < columns.cols(); ++k) add_scaled(sums, model.coefficients[k], columns.col(k));
  return sums;
}

double weight_of(const LeftOutRows& rows, std::size_t i) { return rows.weights.empty() ? 1.0 : rows.weights[i]; }

// Coefficients of columns that nearly depend on each other are large, and their sum is not: where a fit is nearly
// exact, the single precision in which they are kept may be more than it is off by.
bool survives_rounding(const std::vector<float>& factor, const Matrix& columns, std::span<const double> variances) {
  constexpr double alike = 1.5;
  const std::size_t rows = 1 + columns.cols();
  Matrix F = Matrix::uninitialized(rows, factor.size() / rows);
  std::ranges::copy(factor, F.data());
  const std::vector<double> kept = variances_of_sums(F, columns);
  return std::accumulate(kept.begin(), kept.end(), 0.0) <=
         alike * std::accumulate(variances.begin(), variances.end(), 0.0);
}

// Of exact fits all may be rounding, that of the fit to all rows another than that of the one that had left some out,
// and squares of it differ by ten times and more. But no fit is better on other rows than on its own.
void make_room_for_rounding(LeftOutRows& rows, double fitted_square, double spread) {
  constexpr double rounding = 1e-12;
  constexpr double room = 10.0;
  const double factor = std::sqrt(fitted_square / mean_square(rows.gaps, rows.weights));
  if (!rows.fitted || fitted_square > rounding * spread * spread || !std::isfinite(factor) || factor < 1.0) return;
  for (double& gap : rows.gaps) gap *= factor * std::sqrt(room);
}

// σ such that squared gaps are, on average, what s(x)² says.
void set_noise(Uncertainty& uncertainty, const LeftOutRows& rows, std::span<const double> variances) {
  LeftOutRows alone{Matrix(), rows.gaps, rows.weights, rows.fitted};
  for (std::size_t i = 0; i < variances.size(); ++i) alone.gaps[i] /= std::sqrt(1.0 + variances[i]);
  const double rounding = std::numeric_limits<double>::epsilon() * std::max(1.0, uncertainty.spread);
  uncertainty.noise = std::max(std::sqrt(mean_square(alone.gaps, alone.weights)), rounding);
  for (double& gap : alone.gaps) gap = std::abs(gap) / uncertainty.noise;
  calibrate(uncertainty, std::move(alone.gaps), std::move(alone.weights));
}

}  // namespace

std::optional<RidgePenalty> penalty_of(const Dictionary& dictionary, double ridge, std::span<const double> scales) {
  if (!(ridge > 0.0)) return std::nullopt;
  RidgePenalty penalty{ridge, std::vector<double>(dictionary.weights.size(), 1.0)};
  for (std::size_t k = 0; k < scales.size(); ++k) penalty.scales[dictionary.rows[k]] = scales[k];
  return penalty;
}

Rows some_rows(const Rows& rows, std::size_t most) {
  if (rows.size() <= most) return {Matrix(rows.X), rows.y, rows.weights, {}};
  std::vector<std::size_t> which = permutation(rows.size(), 0);
  which.resize(most);
  std::ranges::sort(which);
  return gather(rows, which);
}

LeftOutRows some_rows(const LeftOutRows& rows, std::size_t most) {
  Rows kept = some_rows(Rows{Matrix(rows.X), rows.gaps, rows.weights, {}}, most);
  Rows targets = some_rows(Rows{Matrix(rows.y.size(), 0), rows.y, {}, {}}, most);  // The same permutation.
  return {std::move(kept.X), std::move(kept.y),    std::move(kept.weights),
          rows.fitted,       std::move(targets.y), rows.factor};
}

// Ten rows a column tell a covariance to a third, and sections of a kernel, which are alike, need fewer; the rest of
// the rows count by their weight.
std::optional<Posterior> posterior_of(const Model& model, const FittedRows& fitted) {
  const std::size_t columns = model.coefficients.size();
  const bool determined = fitted.penalty || fitted.rows.size() > columns;
  if (columns == 0 || !fitted.least_squares || !determined) return std::nullopt;
  // Of more columns this takes as long as the whole path of a method that keeps so many.
  constexpr std::size_t most_columns_of_a_path = 1000;
  if (!fitted.with_constant && columns > most_columns_of_a_path) return std::nullopt;
  const Rows rows =
      some_rows(fitted.rows, std::max<std::size_t>(4000, model.dictionary.has_kernels() ? 0 : 10 * columns));
  std::optional<ColumnPrior> prior;
  if (fitted.penalty) {
    prior.emplace(model.dictionary, model.inputs.size(), scales_of_columns(model.dictionary, fitted.penalty->scales));
  }
  Matrix A = evaluate(model.dictionary, rows.X);
  if (prior) prior->whiten(A);
  const Centring centring(A, rows);
  if (fitted.with_constant) A = centring.apply(std::move(A));
  std::vector<double> roots;
  const double share = fitted.weight / rows.total_weight();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    roots.push_back(std::sqrt(share * (rows.weights.empty() ? 1.0 : rows.weights[i])));
  }
  scale_rows(A, roots);
  Matrix G(columns, columns);
  add_gram_of_columns(G, A);
  A = Matrix();
  return Posterior::of(std::move(prior), G, fitted.with_constant ? centring.columns : std::vector<double>(),
                       fitted.weight, fitted.penalty ? fitted.penalty->ridge : 0.0);
}

// The part of σ² by which coefficients add to the variance at rows that were left out: h/(1 − h) where the leverage h
// is that of a fit with the row in it.
std::vector<double> leave_out(std::vector<double> variances, const LeftOutRows& rows) {
  constexpr double most_leverage = 1.0 - 1e-9;
  for (std::size_t i = 0; i < variances.size() && rows.fitted; ++i) {
    variances[i] /= 1.0 - std::min(most_leverage, weight_of(rows, i) * variances[i]);
  }
  return variances;
}

double spread_of(const Model& model, const Rows& all) {
  const Rows rows = some_rows(all, enough_to_calibrate);
  return std::sqrt(weighted_variance(sums_of(evaluate(model.dictionary, rows.X), model), rows.weights));
}

std::vector<float> precise_factor(const Posterior& posterior, const Matrix& columns,
                                  std::span<const double> variances) {
  std::vector<float> factor = kept_factor(posterior);
  if (!survives_rounding(factor, columns, variances)) factor.clear();
  return factor;
}

std::optional<Uncertainty> uncertainty_of(const Model& model, const FittedRows& fitted, const LeftOutRows& left_out) {
  if (left_out.gaps.empty()) return std::nullopt;
  LeftOutRows rows = some_rows(left_out, enough_to_calibrate);
  if (!std::isfinite(mean_square(rows.gaps, rows.weights))) return std::nullopt;
  Uncertainty uncertainty;
  uncertainty.spread = spread_of(model, fitted.rows);
  make_room_for_rounding(rows, fitted.mean_square, uncertainty.spread);
  std::vector<double> variances(rows.gaps.size(), 0.0);
  if (const std::optional<Posterior> posterior = posterior_of(model, fitted)) {
    const Matrix columns = evaluate(model.dictionary, rows.X);
    std::vector<double> own = posterior->variances(Matrix(columns));
    uncertainty.factor = precise_factor(*posterior, columns, own);
    if (!uncertainty.factor.empty() && tells_of_rows(model)) variances = leave_out(std::move(own), rows);
  }
  set_noise(uncertainty, rows, variances);
  for (float& value : uncertainty.factor) value *= static_cast<float>(uncertainty.noise);
  return uncertainty;
}

}  // namespace shrimp

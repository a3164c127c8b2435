// Shares over the rows of a table, whose inputs may depend on each other: (2) of shrimp/sensitivity.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "explain/hidden_effects.hpp"
#include "explain/share_intervals.hpp"
#include "intervals/factor.hpp"
#include "linalg/dense.hpp"
#include "shrimp/explain.hpp"
#include "shrimp/intervals.hpp"
#include "shrimp/sensitivity.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

std::vector<double> centred(std::span<const double> values) {
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  std::vector<double> result(values.begin(), values.end());
  for (double& value : result) value -= mean;
  return result;
}

double mean_product(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0) / static_cast<double>(a.size());
}

void add(SobolIndex& sum, const SobolIndex& more) {
  sum.value += more.value;
  sum.structural += more.structural;
  sum.correlative += more.correlative;
}

// Of the parts that each term has in each row, the constant's first.
Sensitivity split(const Model& model, const Matrix& values) {
  std::vector<double> f(values.rows(), 0.0);
  for (std::size_t k = 1; k < values.cols(); ++k) add_scaled(f, 1.0, values.col(k));
  f = centred(f);
  Sensitivity result;
  result.variance = mean_product(f, f);
  for (std::uint32_t j = 0; j < model.inputs.size(); ++j) result.inputs.push_back({j, {}, {}});
  if (!(result.variance > 0.0)) return result;
  for (std::size_t k = 0; k < model.terms.size(); ++k) {
    const std::vector<double> own = centred(values.col(1 + k));
    SobolIndex share;
    share.structural = mean_product(own, own) / result.variance;
    share.value = mean_product(own, f) / result.variance;
    share.correlative = share.value - share.structural;
    const std::vector<std::uint32_t>& variables = model.terms[k].variables;
    result.terms.push_back({variables, share});
    for (const std::uint32_t j : variables) add(result.inputs[j].total, share);
    if (variables.size() == 1) add(result.inputs[variables.front()].first, share);
  }
  std::ranges::stable_sort(result.terms, std::greater<>(),
                           [](const TermSensitivity& term) { return term.fraction.value; });
  return result;
}

// Some, evenly spread: how shares vary with the coefficients shows on few rows.
Matrix some_rows(MatrixView X) {
  constexpr std::size_t most = 500;
  std::vector<std::size_t> which;
  const std::size_t count = std::min(most, X.rows);
  for (std::size_t k = 0; k < count; ++k) which.push_back(k * X.rows / count);
  return gather_rows(X, which);
}

// Parts are linear in the coefficients: those of a draw are a sum of those of F's columns.
void add_intervals(const Model& model, MatrixView X, int threads, Sensitivity& found) {
  constexpr std::size_t draws_of_coefficients = 200;
  const Matrix values = term_values(model, X, threads);
  const Matrix F = factor_of_curves(model);
  Model part = model;
  std::vector<Matrix> parts;
  for (std::size_t j = 0; j < F.cols(); ++j) {
    part.coefficients.assign(F.col(j).begin() + 1, F.col(j).end());
    parts.push_back(term_values(part, X, threads));
  }
  std::vector<Sensitivity> draws(draws_of_coefficients);
  const std::vector<std::vector<double>> coordinates = draw_coordinates(draws.size(), F.cols());
  parallel_for(draws.size(), [&](std::size_t d) {
    Matrix own(values);
    for (std::size_t j = 0; j < F.cols(); ++j) {
      for (std::size_t k = 1; k < own.cols(); ++k) add_scaled(own.col(k), coordinates[d][j], parts[j].col(k));
    }
    draws[d] = split(model, own);
  });
  set_intervals(found, split(model, values), draws);
  make_room_for_hidden_effects(found, model);
}

}  // namespace

Sensitivity sensitivity_on(const Model& model, MatrixView X, int threads) {
  if (X.rows < 2) {
    throw std::invalid_argument(
        fmt::format("there are {} rows, over which nothing varies.\nGive two rows or more.", X.rows));
  }
  Sensitivity found = split(model, term_values(model, X, threads));
  if (knows_coefficients(model)) add_intervals(model, some_rows(X), threads, found);
  return found;
}

}  // namespace shrimp

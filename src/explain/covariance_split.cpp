// Shares over the rows of a table, whose inputs may depend on each other: (2) of shrimp/sensitivity.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "shrimp/explain.hpp"
#include "shrimp/sensitivity.hpp"

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

}  // namespace

Sensitivity sensitivity_on(const Model& model, MatrixView X, int threads) {
  if (X.rows < 2) {
    throw std::invalid_argument(
        fmt::format("there are {} rows, over which nothing varies.\nGive two rows or more.", X.rows));
  }
  const Matrix values = term_values(model, X, threads);
  std::vector<double> f(X.rows, 0.0);
  for (std::size_t k = 1; k < values.cols(); ++k) {
    for (std::size_t i = 0; i < X.rows; ++i) f[i] += values(i, k);
  }
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
                           [](const TermSensitivity& term) { return term.share.value; });
  return result;
}

}  // namespace shrimp

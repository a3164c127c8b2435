#include <algorithm>
#include <cmath>
#include <limits>

#include "features/cos_sin.hpp"
#include "linalg/threads.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/features.hpp"

namespace shrimp {

Dictionary make_dictionary(FeatureWeights weights, Basis basis) {
  const auto functions = [basis]() -> std::vector<Function> {
    switch (basis) {
      case Basis::fourier:
        return {Function::cos, Function::sin};
      case Basis::cosine:
        return {Function::cos};
      case Basis::sine:
        return {Function::sin};
      case Basis::relu:
        return {Function::relu};
      case Basis::tanh:
        return {Function::tanh};
      case Basis::identity:
      case Basis::linear:
        break;
    }
    return {Function::identity};
  }();
  Dictionary dictionary;
  for (const Function function : functions) {
    for (std::size_t j = 0; j < weights.size(); ++j) {
      dictionary.rows.push_back(static_cast<std::uint32_t>(j));
      dictionary.functions.push_back(function);
    }
  }
  dictionary.weights = std::move(weights);
  return dictionary;
}

Dictionary Dictionary::subset(std::span<const std::size_t> kept) const {
  constexpr std::uint32_t unused = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> new_row(weights.size(), unused);
  for (const std::size_t k : kept) new_row[rows[k]] = 0;
  Dictionary result;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (new_row[j] == unused) continue;
    new_row[j] = static_cast<std::uint32_t>(result.weights.size());
    result.weights.append(weights.support(j), weights.weights(j));
    if (!weights.phases.empty()) result.weights.phases.push_back(weights.phases[j]);
  }
  for (const std::size_t k : kept) {
    result.rows.push_back(new_row[rows[k]]);
    result.functions.push_back(functions[k]);
  }
  return result;
}

namespace {

void apply(Function function, std::span<double> t) {
  switch (function) {
    case Function::cos:
      return cos_in_place(t);
    case Function::sin:
      return sin_in_place(t);
    case Function::relu:
      for (double& value : t) value = std::max(0.0, value);
      return;
    case Function::tanh:
      for (double& value : t) value = std::tanh(value);
      return;
    case Function::identity:
      return;
  }
}

}  // namespace

Matrix evaluate(const Dictionary& dictionary, MatrixView X) {
  const FeatureWeights& W = dictionary.weights;
  for (const std::uint32_t variable : W.variables) {
    if (variable >= X.cols) throw OptionError("the dictionary looks at an input that the data do not have.");
  }
  Matrix A = Matrix::uninitialized(X.rows, dictionary.columns());
  parallel_for(dictionary.columns(), [&](std::size_t k) {
    const std::size_t row = dictionary.rows[k];
    const auto support = W.support(row);
    const auto weights = W.weights(row);
    const std::span<double> column = A.col(k);
    std::ranges::fill(column, W.phases.empty() ? 0.0 : W.phases[row]);
    for (std::size_t l = 0; l < support.size(); ++l) {
      const std::span<const double> x = X.col(support[l]);
      for (std::size_t i = 0; i < X.rows; ++i) column[i] += weights[l] * x[i];
    }
    apply(dictionary.functions[k], column);
  });
  return A;
}

}  // namespace shrimp

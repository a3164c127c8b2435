#include <algorithm>
#include <limits>
#include <vector>

#include "features/bases.hpp"
#include "features/kernel_law.hpp"
#include "features/kernel_section.hpp"
#include "features/missing_cells.hpp"
#include "features/projection.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/features.hpp"
#include "threads/threads.hpp"

namespace shrimp {

Dictionary make_dictionary(FeatureWeights weights, Basis basis) {
  Dictionary dictionary;
  for (const Function function : about(basis).functions) {
    for (std::size_t j = 0; j < weights.size(); ++j) {
      dictionary.rows.push_back(static_cast<std::uint32_t>(j));
      dictionary.functions.push_back(function);
    }
  }
  dictionary.weights = std::move(weights);
  return dictionary;
}

namespace {

void take_kernel(const Dictionary& from, Dictionary& to) {
  to.gamma = from.gamma;
  to.kernel_order = from.kernel_order;
  to.kernel_law = from.kernel_law;
}

}  // namespace

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
  if (result.has_kernels()) take_kernel(*this, result);
  result.marginals = marginals;
  return result;
}

bool Dictionary::has_kernels() const { return std::ranges::find(functions, Function::kernel) != functions.end(); }

void Dictionary::append(const Dictionary& more) {
  if (more.has_kernels()) {
    if (!has_kernels()) take_kernel(more, *this);
    if (gamma != more.gamma || kernel_order != more.kernel_order || kernel_law != more.kernel_law) {
      throw OptionError("the dictionaries have different kernels, so they cannot be joined.");
    }
  }
  if (!marginals) marginals = more.marginals;
  const auto first = static_cast<std::uint32_t>(weights.size());
  const bool phased = !weights.phases.empty() || !more.weights.phases.empty();
  if (phased) weights.phases.resize(weights.size(), 0.0);
  for (std::size_t j = 0; j < more.weights.size(); ++j) {
    weights.append(more.weights.support(j), more.weights.weights(j));
    if (phased) weights.phases.push_back(more.weights.phases.empty() ? 0.0 : more.weights.phases[j]);
  }
  for (const std::uint32_t row : more.rows) rows.push_back(first + row);
  functions.insert(functions.end(), more.functions.begin(), more.functions.end());
}

namespace {

void evaluate_column(const Dictionary& dictionary, std::size_t k, MatrixView X, std::span<double> column) {
  const FeatureWeights& W = dictionary.weights;
  const std::size_t row = dictionary.rows[k];
  project_rows(X, W.support(row), W.weights(row), W.phases.empty() ? 0.0 : W.phases[row], column);
  about(dictionary.functions[k]).apply(column);
}

KernelSection section_of(const Dictionary& dictionary, std::size_t k) {
  const auto support = dictionary.support(k);
  const auto degree = static_cast<std::size_t>(dictionary.kernel_order);
  if (dictionary.kernel_order < 0 || degree > support.size()) {
    throw OptionError("the degree of the kernel exceeds the number of inputs of a kernel function.");
  }
  return {support, dictionary.weights.weights(dictionary.rows[k]), dictionary.gamma.data(),
          degree == 0 ? support.size() : degree, dictionary.kernel_law};
}

// A few columns at a time meet every block of rows while it is in cache.
void evaluate_kernel_columns(const Dictionary& dictionary, std::span<const std::size_t> columns, MatrixView X,
                             Matrix& A) {
  constexpr std::size_t tile = 16;
  if (dictionary.gamma.size() < X.cols) throw OptionError("the kernel lacks a gamma for some input.");
  check_kernel_law(dictionary.kernel_law);
  const TiledRows blocks(X);
  parallel_for((columns.size() + tile - 1) / tile, [&](std::size_t t) {
    const auto own = columns.subspan(t * tile, std::min(tile, columns.size() - t * tile));
    double values[TiledRows::size];
    for (std::size_t b = 0; b < blocks.count(); ++b) {
      for (const std::size_t k : own) {
        evaluate_section(section_of(dictionary, k), blocks.block(b), values);
        std::copy_n(values, blocks.rows(b), A.col(k).begin() + static_cast<std::ptrdiff_t>(b * TiledRows::size));
      }
    }
  });
}

}  // namespace

Matrix evaluate(const Dictionary& dictionary, MatrixView X) {
  for (const std::uint32_t variable : dictionary.weights.variables) {
    if (variable >= X.cols) throw OptionError("the dictionary depends on an input that the data do not have.");
  }
  const MissingCells missing(X, dictionary);
  Matrix A = Matrix::uninitialized(X.rows, dictionary.columns());
  std::vector<std::size_t> sections;
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    if (dictionary.functions[k] == Function::kernel) sections.push_back(k);
  }
  if (sections.size() < dictionary.columns()) {
    parallel_for(dictionary.columns(), [&](std::size_t k) {
      if (dictionary.functions[k] == Function::kernel) return;
      evaluate_column(dictionary, k, X, A.col(k));
      if (missing.any()) missing.average(k, A.col(k));
    });
  }
  if (sections.empty()) return A;
  if (missing.any()) {
    evaluate_kernel_columns(dictionary, sections, at_means(X, *dictionary.marginals), A);
  } else {
    evaluate_kernel_columns(dictionary, sections, X, A);
  }
  return A;
}

}  // namespace shrimp

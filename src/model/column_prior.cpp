#include "model/column_prior.hpp"

#include <algorithm>

#include "linalg/dense.hpp"
#include "ridge/solve.hpp"
#include "shrimp/kernels.hpp"

namespace shrimp {
namespace {

std::vector<std::size_t> kernel_columns(const Dictionary& dictionary) {
  std::vector<std::size_t> columns;
  for (std::size_t k = 0; k < dictionary.columns(); ++k) {
    if (dictionary.functions[k] == Function::kernel) columns.push_back(k);
  }
  return columns;
}

// Rows with the centres' coordinates. Inputs that the kernel does not look at are 0.
Matrix centres_of(const Dictionary& sections, std::size_t inputs) {
  Matrix centres(sections.columns(), inputs);
  for (std::size_t k = 0; k < sections.columns(); ++k) {
    const auto support = sections.support(k);
    const auto coordinates = sections.weights.weights(sections.rows[k]);
    for (std::size_t l = 0; l < support.size(); ++l) centres(k, support[l]) = coordinates[l];
  }
  return centres;
}

Cholesky factor_kernel(const Dictionary& sections, std::size_t inputs) {
  const Matrix centres = centres_of(sections, inputs);
  double jitter = kernel_jitter;
  return *raise_lambda(jitter, [&](double raised) { return factor_ridge(evaluate(sections, centres), raised); });
}

}  // namespace

std::vector<double> scales_of_columns(const Dictionary& dictionary, std::span<const double> scales_of_weights) {
  std::vector<double> scales;
  for (const std::uint32_t row : dictionary.rows) scales.push_back(scales_of_weights[row]);
  return scales;
}

bool has_one_kernel(const Dictionary& dictionary) {
  std::span<const std::uint32_t> support;
  for (const std::size_t k : kernel_columns(dictionary)) {
    if (!support.empty() && !std::ranges::equal(support, dictionary.support(k))) return false;
    support = dictionary.support(k);
  }
  return true;
}

ColumnPrior::ColumnPrior(const Dictionary& dictionary, std::size_t inputs, std::vector<double> scales)
    : scales_(std::move(scales)), sections_(kernel_columns(dictionary)) {
  if (!sections_.empty()) kernel_ = factor_kernel(dictionary.subset(sections_), inputs);
}

void ColumnPrior::whiten(Matrix& columns) const {
  for (std::size_t k = 0; k < columns.cols(); ++k) {
    for (double& value : columns.col(k)) value *= scales_[k];
  }
  if (!kernel_) return;
  Matrix own = transpose(gather_columns(columns, sections_));
  kernel_->solve_lower(own);
  own = transpose(own);
  for (std::size_t k = 0; k < sections_.size(); ++k) std::ranges::copy(own.col(k), columns.col(sections_[k]).begin());
}

void ColumnPrior::unwhiten(Matrix& C) const {
  if (kernel_) {
    Matrix own = gather_rows(C, sections_);
    kernel_->solve_lower_transposed(own);
    for (std::size_t j = 0; j < C.cols(); ++j) {
      for (std::size_t k = 0; k < sections_.size(); ++k) C(sections_[k], j) = own(k, j);
    }
  }
  scale_rows(C, scales_);
}

void ColumnPrior::unwhiten(std::vector<double>& c) const {
  Matrix C = Matrix::uninitialized(c.size(), 1);
  std::ranges::copy(c, C.data());
  unwhiten(C);
  std::ranges::copy(C.col(0), c.begin());
}

}  // namespace shrimp

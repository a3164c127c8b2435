#include <algorithm>
#include <stdexcept>

#include "path/prune_paths.hpp"
#include "shrimp/complex.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// [Re A, −Im A; Im A, Re A]
Matrix real_form(MatrixView real, MatrixView imaginary) {
  const std::size_t m = real.rows;
  const std::size_t n = real.cols;
  Matrix M = Matrix::uninitialized(2 * m, 2 * n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < m; ++i) {
      M(i, j) = M(m + i, n + j) = real(i, j);
      M(m + i, j) = imaginary(i, j);
      M(i, n + j) = -imaginary(i, j);
    }
  }
  return M;
}

// Drops the pairs of smallest |c_j|. A step's columns hold the real parts first, then the imaginary ones.
PruneRule drop_smallest_pairs(const PathOptions& options) {
  const auto keep = [rate = options.prune_rate](const PathStep& step) {
    const std::size_t pairs = step.columns.size() / 2;
    std::vector<double> sizes;
    for (std::size_t k = 0; k < pairs; ++k) {
      sizes.push_back(std::abs(Complex(step.coefficients[k], step.coefficients[pairs + k])));
    }
    std::vector<std::size_t> kept = keep_largest(sizes, drop_count(pairs, rate));
    const std::size_t count = kept.size();
    for (std::size_t k = 0; k < count; ++k) kept.push_back(pairs + kept[k]);
    return kept;
  };
  return {keep, options.refit};
}

ComplexPathStep complex_step(const PathStep& step) {
  const std::size_t pairs = step.columns.size() / 2;
  ComplexPathStep result;
  result.columns.assign(step.columns.begin(), step.columns.begin() + static_cast<std::ptrdiff_t>(pairs));
  for (std::size_t k = 0; k < pairs; ++k) {
    result.coefficients.emplace_back(step.coefficients[k], step.coefficients[pairs + k]);
  }
  result.rank = step.rank / 2;
  result.train_mse = 2.0 * step.train_mse;  // Per complex equation, of which there are half as many.
  result.ridge = step.ridge;
  return result;
}

}  // namespace

void visit_complex_prune_path(MatrixView real, MatrixView imaginary, std::span<const Complex> y,
                              const PathOptions& options, const ComplexPathVisitor& visit) {
  if (real.rows != imaginary.rows || real.cols != imaginary.cols) {
    throw std::invalid_argument("the real and the imaginary part of A differ in size.");
  }
  if (!(options.prune_rate >= 0.0 && options.prune_rate < 1.0)) {
    throw std::invalid_argument("the prune rate is not in [0, 1).");
  }
  const ThreadScope scope(options.threads);
  std::vector<double> b;
  for (const Complex& value : y) b.push_back(value.real());
  for (const Complex& value : y) b.push_back(value.imag());
  PathOptions real_options = options;
  real_options.groups = {};
  PrunePaths paths(std::make_shared<DenseRows>(real_form(real, imaginary)), b, real_options);
  paths.visit(drop_smallest_pairs(options), [&](const PathStep& step) { return visit(complex_step(step)); });
}

}  // namespace shrimp

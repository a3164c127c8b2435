#include "grow/nystrom.hpp"

#include <algorithm>

#include "linalg/dense.hpp"
#include "ridge/solve.hpp"
#include "shrimp/kernels.hpp"

namespace shrimp {

NystromFeatures::NystromFeatures(const KernelShape& shape, std::vector<double> deviations, Matrix landmarks,
                                 std::shared_ptr<const InputKinds> kinds)
    : shape_(shape),
      landmarks_(std::move(landmarks)),
      sections_(sections_of(shape_, deviations, landmarks_, std::move(kinds))),
      variance_(shape.amplitude * shape.amplitude),
      L_(factorize()) {}

Matrix NystromFeatures::kernel_at(MatrixView X) const {
  Matrix K = evaluate(sections_, X);
  for (std::size_t j = 0; j < K.cols(); ++j) {
    for (double& value : K.col(j)) value *= variance_;
  }
  return K;
}

Cholesky NystromFeatures::factorize() const {
  double jitter = kernel_jitter;
  return *raise_lambda(jitter, [&](double raised) { return factor_ridge(kernel_at(landmarks_), raised * variance_); });
}

Matrix NystromFeatures::transposed_at(MatrixView X) const {
  Matrix K = transpose(kernel_at(X));
  L_.solve_lower(K);
  return K;
}

std::vector<double> NystromFeatures::section_coefficients(std::span<const double> c, double unit) const {
  Matrix solved = Matrix::uninitialized(size(), 1);
  std::ranges::copy(c, solved.data());
  L_.solve_lower_transposed(solved);
  std::vector<double> coefficients;
  for (const double value : solved.col(0)) coefficients.push_back(unit * variance_ * value);
  return coefficients;
}

}  // namespace shrimp

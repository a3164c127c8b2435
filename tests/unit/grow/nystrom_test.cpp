#include "grow/nystrom.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "grow/finish_by_loss.hpp"
#include "linalg/dense.hpp"
#include "support.hpp"

namespace shrimp {
namespace nystrom_test {

KernelShape shape_of_three() {
  KernelShape shape;
  shape.variables = {0, 1, 2};
  shape.scales = {0.5, 0.7, 0.9};
  shape.law = Law::student_t;
  shape.amplitude = 1.5;
  return shape;
}

double matern(const KernelShape& shape, const Matrix& X, std::size_t i, std::size_t k) {
  double value = shape.amplitude * shape.amplitude;
  for (std::size_t j = 0; j < 3; ++j) {
    const double r = std::sqrt(3.0) * shape.scales[j] * std::abs(X(i, j) - X(k, j));
    value *= (1.0 + r) * std::exp(-r);
  }
  return value;
}

// With every row a landmark, inner products of features are the kernel.
TEST(Nystrom, FeaturesOfLandmarksHaveTheKernelAsInnerProducts) {
  const Matrix X = test::random_matrix(20, 3, 1);
  const KernelShape shape = shape_of_three();
  const NystromFeatures features(shape, {1.0, 1.0, 1.0}, Matrix(X), nullptr);
  const Matrix F = features.transposed_at(X);
  for (std::size_t i = 0; i < 20; ++i) {
    for (std::size_t k = 0; k < 20; ++k) {
      double product = 0.0;
      for (std::size_t l = 0; l < 20; ++l) product += F(l, i) * F(l, k);
      EXPECT_NEAR(product, matern(shape, X, i, k), 1e-6);
    }
  }
}

TEST(Nystrom, AnExpansionPredictsWhatItsModelDoes) {
  const Matrix X = test::random_matrix(30, 3, 2);
  const auto features =
      std::make_shared<const NystromFeatures>(shape_of_three(), std::vector<double>(3, 1.0), Matrix(X), nullptr);
  TermShape line;
  line.variables = {1};
  Grown lines;
  lines.terms = {line};
  lines.deviations = {1.0, 1.0, 1.0};
  const BasisExpansion basis(ScaledDictionary(lines, 0), features);
  std::vector<double> c(basis.size());
  for (std::size_t k = 0; k < c.size(); ++k) c[k] = std::cos(static_cast<double>(k));
  const Matrix A = basis.evaluate_at(X);
  const Finished model = basis.model(0.3, c, 1.0);
  const std::vector<double> predicted = multiply(evaluate(model.dictionary, X), model.coefficients);
  for (std::size_t i = 0; i < 30; ++i) {
    double expected = 0.3;
    for (std::size_t k = 0; k < c.size(); ++k) expected += A(i, k) * c[k];
    EXPECT_NEAR(model.constant + predicted[i], expected, 1e-6);
  }
}

}  // namespace nystrom_test
}  // namespace shrimp

#include "grow/class_expansion.hpp"

#include "support.hpp"

namespace shrimp {
namespace class_expansion_test {

Rows rows_of_classes(std::vector<double> y) {
  Rows rows;
  rows.X = Matrix(y.size(), 1);
  for (std::size_t i = 0; i < y.size(); ++i) rows.X(i, 0) = static_cast<double>(i);
  rows.y = std::move(y);
  return rows;
}

Matrix logarithms(const std::vector<std::vector<double>>& probabilities) {
  Matrix sums(probabilities.size(), probabilities.front().size());
  for (std::size_t i = 0; i < sums.rows(); ++i) {
    for (std::size_t k = 0; k < sums.cols(); ++k) sums(i, k) = std::log(probabilities[i][k]);
  }
  return sums;
}

TEST(ClassLosses, AreNegativeLogarithmsOfTheProbabilities) {
  const Rows rows = rows_of_classes({0, 2});
  const RowErrors losses = class_losses(rows, logarithms({{0.5, 0.25, 0.25}, {0.2, 0.2, 0.6}}));
  EXPECT_NEAR(losses.squares[0], std::log(2.0), 1e-14);
  EXPECT_NEAR(losses.squares[1], -std::log(0.6), 1e-14);
  EXPECT_NEAR(losses.mean, 0.5 * (std::log(2.0) - std::log(0.6)), 1e-14);
}

TEST(ClassLosses, ToChooseByAreThoseOfTwoClasses) {
  const Rows rows = rows_of_classes({0, 1, 1});
  const std::vector<double> sums = {-1.5, 0.3, 4.0};
  Matrix both(3, 2);
  std::ranges::copy(sums, both.col(1).begin());
  const RowErrors expected = losses_to_choose_by(LossFunction(Loss::logistic), rows, sums, 3);
  const RowErrors found = class_losses_to_choose_by(rows, both, 3);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found.squares[i], expected.squares[i], 1e-14);
}

TEST(ClassLosses, CountRowsByTheirWeights) {
  Rows rows = rows_of_classes({0, 1});
  rows.weights = {3.0, 1.0};
  const RowErrors losses = class_losses(rows, logarithms({{0.5, 0.5}, {0.9, 0.1}}));
  EXPECT_NEAR(losses.mean, (3.0 * std::log(2.0) + std::log(10.0)) / 4.0, 1e-14);
}

TEST(BrierScore, SumsTheSquaredErrorsOfAllClasses) {
  const std::vector<double> roots = brier_roots(rows_of_classes({0}), logarithms({{0.5, 0.3, 0.2}}));
  EXPECT_NEAR(roots[0] * roots[0], 0.25 + 0.09 + 0.04, 1e-14);
}

}  // namespace class_expansion_test
}  // namespace shrimp

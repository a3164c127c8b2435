#include "grow/term_block.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support.hpp"

namespace shrimp {
namespace term_block_test {

const std::vector<double> deviations = {2.0, 1.0, 0.5};

// The columns' sum of products tends to the Gaussian kernel exp(−Σ σ_l² (x_l − x'_l)²/2), inputs in units of
// deviations.
TEST(TermBlock, ColumnsAddUpToTheKernelOfTheirLaw) {
  const TermShape term{{0, 2}, {0.7, 1.3}, 0, 1.5};
  constexpr std::size_t count = 4096;
  Matrix X(2, 3);
  X(0, 0) = 0.4;
  X(1, 0) = 2.0;
  X(0, 2) = -0.1;
  X(1, 2) = 0.2;
  const Matrix A = evaluate(draw_term(term, count, deviations, 9), X);
  const double scale = column_scale(term, count);
  double sum = 0.0;
  for (std::size_t k = 0; k < A.cols(); ++k) sum += scale * A(0, k) * scale * A(1, k);
  const double a = 0.7 * (0.4 - 2.0) / 2.0;
  const double b = 1.3 * (-0.1 - 0.2) / 0.5;
  EXPECT_NEAR(sum, 1.5 * 1.5 * std::exp(-0.5 * (a * a + b * b)), 5e-3);
}

// Of two categories and a number: the Gaussian kernel where both levels are equal, nothing where one is not.
TEST(TermBlock, CategoriesHaveTheIndicatorKernel) {
  auto kinds = std::make_shared<InputKinds>();
  kinds->levels = {0, 7, 3};
  const TermShape term{{0, 1, 2}, {0.7, 1.0, 1.0}, 0, 1.0};
  constexpr std::size_t count = 8192;
  Matrix X(3, 3);
  X(1, 0) = 1.0;
  X(0, 1) = X(1, 1) = 5.0;
  X(0, 2) = X(1, 2) = X(2, 2) = 1.0;
  X(2, 1) = 2.0;
  const Matrix A = evaluate(draw_term(term, count, deviations, 9, kinds), X);
  double same = 0.0;
  double other = 0.0;
  for (std::size_t k = 0; k < A.cols(); ++k) {
    same += A(0, k) * A(1, k) / count;
    other += A(0, k) * A(2, k) / count;
  }
  EXPECT_NEAR(same, std::exp(-0.5 * 0.35 * 0.35), 5e-3);
  EXPECT_NEAR(other, 0.0, 5e-3);
}

TEST(TermBlock, ACategoryHasAColumnForEachLevel) {
  TermShape term{{1}, {}, 0, 2.0};
  term.levels = 3;
  EXPECT_EQ(weights_of(term), 3U);
  EXPECT_FALSE(term.linear());
  Matrix X(3, 3);
  X(1, 1) = 1.0;
  X(2, 1) = 2.0;
  const Matrix A = evaluate(draw_term(term, 3, deviations, 0), X);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(A(i, k), i == k ? 1.0 : 0.0);
  }
  EXPECT_EQ(column_scale(term, 3), 2.0);
}

TEST(TermBlock, ScalesOnlyStretchTheSameWeights) {
  const Dictionary one = draw_term({{1}, {1.0}, 0, 1.0}, 16, deviations, 3);
  const Dictionary two = draw_term({{1}, {2.0}, 0, 1.0}, 16, deviations, 3);
  for (std::size_t k = 0; k < one.weights.size(); ++k) {
    EXPECT_DOUBLE_EQ(2.0 * one.weights.weights(k)[0], two.weights.weights(k)[0]);
    EXPECT_GT(one.weights.weights(k)[0], 0.0);  // cos and sin of −w are those of w.
  }
}

TEST(TermBlock, ALineIsOneColumnForEachInput) {
  const Dictionary lines = draw_term({{0, 2}, {}, 0, 1.0}, 2, deviations, 0);
  ASSERT_EQ(lines.columns(), 2U);
  EXPECT_EQ(lines.functions[0], Function::identity);
  EXPECT_EQ(lines.weights.weights(1)[0], 2.0);
  EXPECT_EQ(lines.support(1)[0], 2U);
}

// Weights of a t law with few degrees of freedom reach farther out.
TEST(TermBlock, ARoughTermHasHeavierTails) {
  double normal = 0.0;
  double rough = 0.0;
  const Dictionary a = draw_term({{1}, {1.0}, 0, 1.0}, 400, deviations, 5);
  const Dictionary b = draw_term({{1}, {1.0}, 3, 1.0}, 400, deviations, 5);
  for (std::size_t k = 0; k < 400; ++k) {
    normal = std::max(normal, a.weights.weights(k)[0]);
    rough = std::max(rough, b.weights.weights(k)[0]);
  }
  EXPECT_GT(rough, 1.5 * normal);
}

TEST(WidestJump, IsWhereRowsBelowAndAboveDifferMost) {
  std::vector<double> x;
  std::vector<double> r;
  for (int i = 0; i < 200; ++i) {
    x.push_back(std::fmod(0.618034 * i, 1.0));
    r.push_back((x.back() > 0.3 ? 2.0 : 0.0) + 0.3 * std::sin(50.0 * i));
  }
  const std::optional<double> place = widest_jump(x, r);
  ASSERT_TRUE(place);
  // Between the two values next to it.
  double below = 0.0;
  double above = 1.0;
  for (const double value : x) (value > 0.3 ? above = std::min(above, value) : below = std::max(below, value));
  EXPECT_GT(*place, below);
  EXPECT_LT(*place, above);
}

TEST(WidestJump, NeedsRowsOnBothSides) {
  EXPECT_FALSE(widest_jump(std::vector<double>(50, 1.0), std::vector<double>(50, 2.0)));
  EXPECT_FALSE(widest_jump(std::vector<double>{1.0, 2.0, 3.0}, std::vector<double>{0.0, 0.0, 9.0}));
}

TEST(DrawTerm, MakesOneColumnForEveryJump) {
  TermShape term;
  term.variables = {1};
  term.thresholds = {-0.5, 2.0};
  const Dictionary drawn = draw_term(term, weights_of(term), std::vector<double>{1.0, 4.0}, 0);
  ASSERT_EQ(drawn.columns(), 2U);
  Matrix X(3, 2);
  X(0, 1) = -1.0;
  X(1, 1) = 0.0;
  X(2, 1) = 3.0;
  const Matrix A = evaluate(drawn, X);
  EXPECT_EQ(std::vector<double>(A.col(0).begin(), A.col(0).end()), (std::vector<double>{0.0, 1.0, 1.0}));
  EXPECT_EQ(std::vector<double>(A.col(1).begin(), A.col(1).end()), (std::vector<double>{0.0, 0.0, 1.0}));
}

}  // namespace term_block_test
}  // namespace shrimp

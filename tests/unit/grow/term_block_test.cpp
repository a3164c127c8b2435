#include "grow/term_block.hpp"

#include <gtest/gtest.h>

#include "support.hpp"

namespace shrimp {
namespace {

const std::vector<double> deviations = {2.0, 1.0, 0.5};

// The columns' sum of products tends to the Gaussian kernel exp(−Σ σ_l² (x_l − x'_l)²/2), inputs in units of
// deviations.
TEST(TermBlock, ColumnsAddUpToTheKernelOfTheirLaw) {
  const TermShape term{{0, 2}, {0.7, 1.3}, 0, 1.5, 1.0};
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

TEST(TermBlock, ScalesOnlyStretchTheSameWeights) {
  const Dictionary one = draw_term({{1}, {1.0}, 0, 1.0, 1.0}, 16, deviations, 3);
  const Dictionary two = draw_term({{1}, {2.0}, 0, 1.0, 1.0}, 16, deviations, 3);
  for (std::size_t k = 0; k < one.weights.size(); ++k) {
    EXPECT_DOUBLE_EQ(2.0 * one.weights.weights(k)[0], two.weights.weights(k)[0]);
    EXPECT_GT(one.weights.weights(k)[0], 0.0);  // cos and sin of −w are those of w.
  }
}

TEST(TermBlock, ALineIsOneColumnForEachInput) {
  const Dictionary lines = draw_term({{0, 2}, {}, 0, 1.0, 1.0}, 2, deviations, 0);
  ASSERT_EQ(lines.columns(), 2U);
  EXPECT_EQ(lines.functions[0], Function::identity);
  EXPECT_EQ(lines.weights.weights(1)[0], 2.0);
  EXPECT_EQ(lines.support(1)[0], 2U);
}

// Weights of a t law with few degrees of freedom reach farther out.
TEST(TermBlock, ARoughTermHasHeavierTails) {
  double normal = 0.0;
  double rough = 0.0;
  const Dictionary a = draw_term({{1}, {1.0}, 0, 1.0, 1.0}, 400, deviations, 5);
  const Dictionary b = draw_term({{1}, {1.0}, 3, 1.0, 1.0}, 400, deviations, 5);
  for (std::size_t k = 0; k < 400; ++k) {
    normal = std::max(normal, a.weights.weights(k)[0]);
    rough = std::max(rough, b.weights.weights(k)[0]);
  }
  EXPECT_GT(rough, 1.5 * normal);
}

}  // namespace
}  // namespace shrimp

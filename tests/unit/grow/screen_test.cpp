#include "grow/screen.hpp"

#include <gtest/gtest.h>

#include "support.hpp"

namespace shrimp {
namespace {

using test::random_matrix;
using test::random_vector;

constexpr std::size_t m = 600;
constexpr double level = 0.01;

std::vector<double> values(const Matrix& X, double (*f)(const double*)) {
  std::vector<double> y;
  for (std::size_t i = 0; i < X.rows(); ++i) {
    std::vector<double> x;
    for (std::size_t j = 0; j < X.cols(); ++j) x.push_back(X(i, j));
    y.push_back(f(x.data()));
  }
  return y;
}

std::vector<ScoredSupport> find(const Matrix& X, std::span<const double> r, std::size_t order,
                                std::vector<bool> excluded = {}) {
  excluded.resize(X.cols(), false);
  return Screen(X, 0).find(r, order, level, {}, excluded);
}

// Values of the upper tail from tables (e.g. Abramowitz and Stegun, table 26.8).
TEST(ChiSquareSurprise, IsMinusTheLogOfTheUpperTail) {
  EXPECT_NEAR(chi_square_surprise(3.841458820694124, 1), -std::log(0.05), 1e-9);
  EXPECT_NEAR(chi_square_surprise(9.487729036781154, 4), -std::log(0.05), 1e-9);
  EXPECT_NEAR(chi_square_surprise(31.999926908815176, 16), -std::log(0.01), 1e-9);
  EXPECT_NEAR(chi_square_surprise(1e4, 1), 5000.0 + 0.5 * std::log(M_PI * 5000.0), 1e-3);
  EXPECT_EQ(chi_square_surprise(0.0, 4), 0.0);
}

TEST(Screen, FindsAPairWithoutMainEffects) {
  const Matrix X = random_matrix(m, 30, 1);
  const auto found = find(X, values(X, [](const double* x) { return x[3] * x[17]; }), 2);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().variables, (Support{3, 17}));
  EXPECT_LT(found.front().chance, 1e-6);
}

TEST(Screen, FindsEvenAndOddEffectsOfOneInput) {
  const Matrix X = random_matrix(m, 30, 2);
  const auto found = find(X, values(X, [](const double* x) { return x[5] + 2 * x[9] * x[9]; }), 1);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE((found[0].variables == Support{5} && found[1].variables == Support{9}) ||
              (found[0].variables == Support{9} && found[1].variables == Support{5}));
}

TEST(Screen, FindsATriple) {
  const Matrix X = random_matrix(m, 12, 3);
  const auto found = find(X, values(X, [](const double* x) { return x[0] * x[4] * x[11]; }), 3);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().variables, (Support{0, 4, 11}));
  const auto pairs = find(X, values(X, [](const double* x) { return x[0] * x[4] * x[11]; }), 2);
  EXPECT_TRUE(pairs.empty());
}

TEST(Screen, FindsNothingInNoise) {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix X = random_matrix(200, 20, 100 + seed);
    const std::vector<double> noise = random_vector(200, 200 + seed);
    for (const std::size_t order : {1, 2, 3}) found += find(X, noise, order).size();
  }
  EXPECT_LE(found, 2U);
}

// Noise whose size depends on an input says nothing of the mean.
TEST(Screen, IsNotFooledByNoiseOfUnevenSize) {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix X = random_matrix(300, 10, 300 + seed);
    std::vector<double> noise = random_vector(300, 400 + seed);
    for (std::size_t i = 0; i < noise.size(); ++i) noise[i] *= std::exp(2.0 * X(i, 0));
    for (const std::size_t order : {1, 2}) found += find(X, noise, order).size();
  }
  EXPECT_LE(found, 2U);
}

TEST(Screen, LeavesOutExcludedAndConstantInputs) {
  Matrix X = random_matrix(m, 6, 4);
  std::ranges::fill(X.col(2), 7.0);
  const std::vector<double> r = values(X, [](const double* x) { return x[0] * x[1] + x[0]; });
  std::vector<bool> excluded(6, false);
  excluded[0] = true;
  EXPECT_TRUE(find(X, r, 1, excluded).empty());
  EXPECT_TRUE(find(X, r, 2, excluded).empty());
  for (const ScoredSupport& support : find(X, r, 2)) {
    EXPECT_EQ(std::ranges::find(support.variables, 2U), support.variables.end());
  }
}

TEST(FlipSigns, KeepsSizesAndIsTheSameForTheSameName) {
  const std::vector<double> r = random_vector(100, 5);
  const std::vector<double> flipped = flip_signs(r, 1, 2, 3);
  for (std::size_t i = 0; i < r.size(); ++i) EXPECT_EQ(std::abs(flipped[i]), std::abs(r[i]));
  EXPECT_NE(flipped, r);
  EXPECT_EQ(flipped, flip_signs(r, 1, 2, 3));
  EXPECT_NE(flipped, flip_signs(r, 1, 2, 4));
}

}  // namespace
}  // namespace shrimp

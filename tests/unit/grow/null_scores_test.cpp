#include "grow/null_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support.hpp"

namespace shrimp {
namespace null_scores_test {

// Values of the upper tail from tables (e.g. Abramowitz and Stegun, table 26.8).
TEST(ChiSquareSurprise, IsMinusTheLogOfTheUpperTail) {
  EXPECT_NEAR(chi_square_surprise(3.841458820694124, 1), -std::log(0.05), 1e-9);
  EXPECT_NEAR(chi_square_surprise(9.487729036781154, 4), -std::log(0.05), 1e-9);
  EXPECT_NEAR(chi_square_surprise(31.999926908815176, 16), -std::log(0.01), 1e-9);
  EXPECT_NEAR(chi_square_surprise(1e4, 1), 5000.0 + 0.5 * std::log(M_PI * 5000.0), 1e-3);
  EXPECT_EQ(chi_square_surprise(0.0, 4), 0.0);
}

// Of n independent p-values the least is below e^-s with probability 1 - (1 - e^-s)^n.
TEST(NullScores, GiveTheChanceOfTheBestOfIndependentScores) {
  constexpr std::size_t sets = 1000;
  constexpr std::size_t draws = 8;
  NullScores null;
  for (const double uniform : test::random_vector(sets * draws, 3)) {
    null.add(-std::log(0.5 + 0.5 * uniform));
  }
  for (const double score : {5.0, 7.0, 9.0, 12.0}) {
    const double exact = -std::expm1(sets * std::log1p(-std::exp(-score)));
    EXPECT_NEAR(null.chance(score, draws) / exact, 1.0, 0.3);
  }
}

TEST(NullScores, AreTheSameMergedFromParts) {
  NullScores all;
  NullScores one;
  NullScores other;
  for (int k = 0; k < 500; ++k) {
    all.add(0.01 * k);
    (k % 3 == 0 ? one : other).add(0.01 * k);
  }
  one.merge(other);
  for (const double score : {0.0, 1.0, 4.0, 20.0}) EXPECT_EQ(one.chance(score, 4), all.chance(score, 4));
}

TEST(NullScores, KnowNothingOfSetsThatNobodyLookedAt) { EXPECT_EQ(NullScores().chance(30.0, 6), 1.0); }

}  // namespace null_scores_test
}  // namespace shrimp

#include "grow/input_spread.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support.hpp"

namespace shrimp {
namespace input_spread_test {

TEST(InputSpread, IsTheStandardDeviationOfUsualInputs) {
  const std::vector<double> x = test::random_vector(4000, 1);  // Uniform on (−1, 1).
  EXPECT_NEAR(spread_of(x).deviation, 1.0 / std::sqrt(3.0), 0.01);
}

TEST(InputSpread, IsNotStretchedByOneWildValue) {
  std::vector<double> x = test::random_vector(1000, 2);
  const InputSpread before = spread_of(x);
  x[17] = 1e9;
  EXPECT_NEAR(spread_of(x).deviation / before.deviation, 1.0, 0.2);
  EXPECT_NEAR(spread_of(x).largest_scale / before.largest_scale, 1.0, 0.2);
}

TEST(InputSpread, TakesTheRareValueOfAnInputOfTwoValuesForNoOutlier) {
  std::vector<double> x(100, 0.0);
  for (std::size_t i = 0; i < 10; ++i) x[i] = 1.0;
  EXPECT_NEAR(spread_of(x).deviation, 0.3, 1e-12);
}

TEST(InputSpread, LimitsScalesToWhatTheValuesTellApart) {
  std::vector<double> few;
  for (std::size_t i = 0; i < 100; ++i) few.push_back(static_cast<double>(i % 5));
  EXPECT_LT(spread_of(few).largest_scale, 2.0);
  EXPECT_EQ(spread_of(test::random_vector(4000, 3)).largest_scale, 40.0);
}

}  // namespace input_spread_test
}  // namespace shrimp

#include "grow/climb.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace shrimp {
namespace climb_test {

const std::vector<double> lowest = {-10.0, -10.0};
const std::vector<double> highest = {10.0, 10.0};

// A hill with its top at (2, −1) and a slope a thousand times as steep one way as the other.
Height hill(std::span<const double> x) {
  const double a = x[0] - 2.0;
  const double b = x[1] + 1.0;
  return {-500.0 * a * a - 0.5 * b * b, {-1000.0 * a, -b}};
}

ClimbOptions many_steps() {
  ClimbOptions options;
  options.most_steps = 200;
  options.shortest_step = 1e-4;
  return options;
}

TEST(Climb, ComesToTheTopOfAHillOfUnevenSlopes) {
  const std::vector<double> top = climb({-3.0, 4.0}, lowest, highest, hill, many_steps());
  EXPECT_NEAR(top[0], 2.0, 1e-2);
  EXPECT_NEAR(top[1], -1.0, 1e-2);
}

TEST(Climb, StaysWithinItsLimits) {
  const std::vector<double> narrow = {1.0, 10.0};
  const std::vector<double> top = climb({-3.0, 4.0}, lowest, narrow, hill, many_steps());
  EXPECT_EQ(top[0], 1.0);
  EXPECT_NEAR(top[1], -1.0, 1e-2);
}

TEST(Climb, TurnsBackWhereThereIsNoGround) {
  const auto cliff = [](std::span<const double> x) {
    if (x[0] > 1.5) return Height{-std::numeric_limits<double>::infinity(), {}};
    return hill(x);
  };
  const std::vector<double> top = climb({-3.0, 4.0}, lowest, highest, cliff, many_steps());
  EXPECT_GT(top[0], 1.3);
  EXPECT_LE(top[0], 1.5);
}

TEST(Climb, NeverEndsBelowItsStart) {
  ClimbOptions one_long_step;
  one_long_step.first_step = 9.0;
  one_long_step.most_steps = 1;
  const std::vector<double> start = {1.9, -1.1};
  EXPECT_EQ(climb(start, lowest, highest, hill, one_long_step), start);
}

TEST(Climb, EndsWhereStepsGainTooLittle) {
  ClimbOptions options = many_steps();
  int steps = 0;
  const auto counted = [&](std::span<const double> x) {
    ++steps;
    return hill(x);
  };
  climb({-3.0, 4.0}, lowest, highest, counted, options);
  const int all = std::exchange(steps, 0);
  options.least_gain = 0.5;
  const std::vector<double> top = climb({-3.0, 4.0}, lowest, highest, counted, options);
  EXPECT_LT(steps, all);
  EXPECT_GT(hill(top).value, -3.0);
}

TEST(Climb, EndsWhenAskedTo) {
  ClimbOptions options;
  int steps = 0;
  options.is_over = [&] { return ++steps > 3; };
  climb({-3.0, 4.0}, lowest, highest, hill, options);
  EXPECT_EQ(steps, 4);
}

}  // namespace climb_test
}  // namespace shrimp

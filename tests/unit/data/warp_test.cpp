#include "data/warp.hpp"

#include <limits>
#include <numeric>

#include "support.hpp"

namespace shrimp {
namespace warp_test {

// (scipy.stats.rankdata(x) - 0.5)/len(x) of the values below.
TEST(RankWarp, GivesMidRanksOfTheDifferentValues) {
  const Warp warp = rank_warp(std::vector<double>{3.0, 1.0, 3.0, 7.0, 3.0});
  EXPECT_EQ(warp.kind, Warp::Kind::rank);
  EXPECT_EQ(warp.values, (std::vector<double>{1.0, 3.0, 7.0}));
  test::expect_near(warp.ranks, std::vector<double>{0.1, 0.5, 0.9}, 1e-15);
}

TEST(RankWarp, CountsWeightsAsRepetition) {
  const Warp weighted = rank_warp(std::vector<double>{1.0, 3.0, 5.0, 7.0}, std::vector<double>{1.0, 3.0, 0.0, 1.0});
  EXPECT_EQ(weighted.values, (std::vector<double>{1.0, 3.0, 7.0}));
  test::expect_near(weighted.ranks, std::vector<double>{0.1, 0.5, 0.9}, 1e-15);
}

TEST(RankWarp, OfAConstantIsNone) {
  EXPECT_EQ(rank_warp(std::vector<double>(5, 2.0)).kind, Warp::Kind::none);
  EXPECT_EQ(rank_warp({}).kind, Warp::Kind::none);
  EXPECT_EQ(rank_warp(std::vector<double>{1.0, 2.0}, std::vector<double>{1.0, 0.0}).kind, Warp::Kind::none);
}

TEST(RankWarp, IsLinearBetweenKnotsAndConstantBeyondThem) {
  const Warp warp = rank_warp(std::vector<double>{3.0, 1.0, 3.0, 7.0, 3.0});
  const double at[] = {-9.0, 1.0, 2.0, 3.0, 4.0, 7.0, 99.0};
  const double expected[] = {0.1, 0.1, 0.3, 0.5, 0.6, 0.9, 0.9};
  const double slopes[] = {0.0, 0.2, 0.2, 0.1, 0.1, 0.1, 0.0};
  for (std::size_t k = 0; k < std::size(at); ++k) {
    EXPECT_NEAR(warped(warp, at[k]), expected[k], 1e-15) << at[k];
    EXPECT_NEAR(warp_slope(warp, at[k]), slopes[k], 1e-15) << at[k];
  }
  EXPECT_EQ(unwarped(warp, 0.05), 1.0);
  EXPECT_NEAR(unwarped(warp, 0.6), 4.0, 1e-14);
  EXPECT_EQ(unwarped(warp, 0.5 + 1e-15), 3.0);
  EXPECT_EQ(unwarped(warp, 0.99), 7.0);
}

TEST(RankWarp, OfManyValuesKeepsFewKnotsWithBothEndsAndComesNearTheRanks) {
  std::vector<double> x = test::random_vector(20000, 1);
  for (double& value : x) value = std::exp(3.0 * value);
  const Warp warp = rank_warp(x);
  EXPECT_EQ(warp.values.size(), 512U);
  EXPECT_TRUE(std::ranges::is_sorted(warp.values));
  EXPECT_TRUE(std::ranges::is_sorted(warp.ranks));
  std::ranges::sort(x);
  EXPECT_EQ(warp.values.front(), x.front());
  EXPECT_EQ(warp.values.back(), x.back());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(warped(warp, x[i]), (static_cast<double>(i) + 0.5) / 20000.0, 2e-3);
    EXPECT_NEAR(unwarped(warp, warped(warp, x[i])), x[i], 1e-9 * std::abs(x[i]));
  }
}

// Half of the rows have the value 0: ranks jump there, from the last below it and to the first above.
TEST(RankWarp, KeepsTheJumpAtAValueOfManyRows) {
  std::vector<double> x(10000, 0.0);
  std::iota(x.begin(), x.begin() + 2500, -2500.0);
  std::iota(x.begin() + 2500, x.begin() + 5000, 1.0);
  const Warp warp = rank_warp(x);
  EXPECT_LE(warp.values.size(), 512U);
  EXPECT_NEAR(warped(warp, -1.0), 0.25, 1e-3);
  EXPECT_NEAR(warped(warp, 0.0), 0.5, 1e-12);
  EXPECT_NEAR(warped(warp, 1.0), 0.75, 1e-3);
}

TEST(RankWarp, IsFiniteForTheLargestAndSmallestNumbers) {
  const double largest = std::numeric_limits<double>::max();
  const double smallest = std::numeric_limits<double>::denorm_min();
  const Warp wide = rank_warp(std::vector<double>{-largest, largest});
  EXPECT_NEAR(warped(wide, 0.0), 0.5, 1e-15);
  const Warp narrow = rank_warp(std::vector<double>{0.0, 2.0 * smallest});
  EXPECT_NEAR(warped(narrow, smallest), 0.5, 1e-15);
}

TEST(LogWarp, IsForInputsOfOneSign) {
  EXPECT_TRUE(can_take_log(std::vector<double>{1.0, 2.0}));
  EXPECT_TRUE(can_take_log(std::vector<double>{-1.0, -2.0}));
  for (const std::vector<double>& x : {std::vector<double>{0.0, 1.0}, {-1.0, 1.0}, {2.0, 2.0}, {-1.0, 0.0}, {}}) {
    EXPECT_FALSE(can_take_log(x));
  }
}

TEST(LogWarp, IsTheLogarithmOfTheSize) {
  for (const double sign : {1.0, -1.0}) {
    const Warp warp = log_warp(std::vector<double>{sign, 2.0 * sign});
    EXPECT_EQ(warp.kind, Warp::Kind::log);
    EXPECT_EQ(descends(warp), sign < 0.0);
    EXPECT_DOUBLE_EQ(warped(warp, 3.0 * sign), std::log(3.0));
    EXPECT_DOUBLE_EQ(unwarped(warp, std::log(3.0)), 3.0 * sign);
    const double h = 1e-6;
    EXPECT_NEAR(warp_slope(warp, 3.0 * sign), (warped(warp, 3.0 * sign + h) - warped(warp, 3.0 * sign - h)) / (2.0 * h),
                1e-9);
    EXPECT_TRUE(std::isfinite(warped(warp, -sign)));  // The other side of zero.
    EXPECT_EQ(warp_slope(warp, -sign), 0.0);
    EXPECT_EQ(warp_slope(warp, 0.0), 0.0);
  }
}

TEST(Warp, OfNoneChangesNothing) {
  EXPECT_EQ(warped({}, 3.0), 3.0);
  EXPECT_EQ(unwarped({}, 3.0), 3.0);
  EXPECT_EQ(warp_slope({}, 3.0), 1.0);
}

}  // namespace warp_test
}  // namespace shrimp

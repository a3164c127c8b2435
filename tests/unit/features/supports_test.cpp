#include "features/supports.hpp"

#include <map>
#include <set>

#include "support.hpp"

namespace shrimp {
namespace supports_test {

TEST(Binomial, IsExactWhereItFitsInSixtyFourBits) {
  EXPECT_EQ(binomial(0, 0), 1U);
  EXPECT_EQ(binomial(5, 0), 1U);
  EXPECT_EQ(binomial(5, 5), 1U);
  EXPECT_EQ(binomial(3, 4), 0U);
  EXPECT_EQ(binomial(10, 3), 120U);
  EXPECT_EQ(binomial(1000, 5), 8250291250200U);
  EXPECT_EQ(binomial(62, 31), 465428353255261088U);
  EXPECT_EQ(binomial(67, 33), 14226520737620288370U);
  EXPECT_EQ(binomial(UINT64_MAX, 1), UINT64_MAX);
  EXPECT_EQ(binomial(4294967296, 2), 9223372034707292160U);
}

TEST(Binomial, SaturatesWhereItDoesNot) {
  EXPECT_EQ(binomial(68, 34), UINT64_MAX);
  EXPECT_EQ(binomial(1000, 500), UINT64_MAX);
  EXPECT_EQ(binomial(UINT64_MAX, 2), UINT64_MAX);
  EXPECT_EQ(binomial(UINT64_MAX, UINT64_MAX / 2), UINT64_MAX);
}

TEST(Binomial, ObeysPascalsRule) {
  for (std::uint64_t d = 1; d <= 66; ++d) {
    for (std::uint64_t q = 1; q < d; ++q) {
      EXPECT_EQ(binomial(d, q), binomial(d - 1, q - 1) + binomial(d - 1, q)) << "C(" << d << "," << q << ")";
    }
  }
}

TEST(Supports, AreAllListedOnceInLexicographicOrder) {
  EXPECT_EQ(all_supports(4, 2), (std::vector<Support>{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(all_supports(3, 3), (std::vector<Support>{{0, 1, 2}}));
  const std::vector<Support> all = all_supports(12, 5);
  EXPECT_EQ(all.size(), 792U);
  EXPECT_TRUE(std::ranges::is_sorted(all));
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), all.size());
}

TEST(Supports, SampledAreDistinctAscendingAndInRange) {
  const std::vector<Support> sample = sample_supports(1000, 5, 3000, 1);
  EXPECT_EQ(std::set(sample.begin(), sample.end()).size(), 3000U);
  for (const Support& support : sample) {
    ASSERT_EQ(support.size(), 5U);
    EXPECT_EQ(std::set(support.begin(), support.end()).size(), 5U);
    EXPECT_TRUE(std::ranges::is_sorted(support));
    EXPECT_LT(support.back(), 1000U);
  }
}

TEST(Supports, SampleOfAllIsAll) { EXPECT_EQ(sample_supports(7, 3, 35, 4), all_supports(7, 3)); }

TEST(Supports, AreSampledUniformly) {
  constexpr int repeats = 6000;
  constexpr std::size_t taken = 5;
  std::map<Support, double> counts;
  for (std::uint64_t seed = 0; seed < repeats; ++seed) {
    for (const Support& support : sample_supports(6, 3, taken, seed)) counts[support] += 1.0;
  }
  ASSERT_EQ(counts.size(), 20U);
  const double expected = repeats * taken / 20.0;
  double chi_square = 0.0;
  for (const auto& [support, count] : counts) chi_square += std::pow(count - expected, 2) / expected;
  EXPECT_LT(chi_square, 50.0);  // Nineteen degrees of freedom: exceeded in about one of 10,000 cases.
}

TEST(Supports, HaveNamesOfTheirOwn) {
  std::set<std::uint64_t> names;
  std::size_t supports = 0;
  for (std::size_t q = 1; q <= 4; ++q) {
    for (const Support& support : all_supports(25, q)) {
      names.insert(support_id(support));
      ++supports;
    }
  }
  EXPECT_EQ(names.size(), supports);
}

}  // namespace supports_test
}  // namespace shrimp

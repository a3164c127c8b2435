#include "data/blocks.hpp"

#include <map>

#include "support.hpp"

namespace shrimp {
namespace blocks_test {

// y_t = φ y_{t−1} + noise, whose autocorrelations are φᵏ and whose time is (1 + φ)/(1 − φ).
std::vector<double> autoregression(std::size_t rows, double phi, std::uint64_t seed) {
  std::vector<double> y = test::random_vector(rows, seed);
  for (std::size_t i = 1; i < rows; ++i) y[i] += phi * y[i - 1];
  return y;
}

TEST(AutocorrelationTime, IsThatOfAnAutoregression) {
  for (const double phi : {0.0, 0.5, 0.9, 0.98}) {
    const double expected = (1.0 + phi) / (1.0 - phi);
    EXPECT_NEAR(autocorrelation_time(autoregression(200000, phi, 1)) / expected, 1.0, 0.2) << phi;
  }
}

TEST(AutocorrelationTime, IsAtLeastOne) {
  EXPECT_EQ(autocorrelation_time(std::vector<double>{}), 1.0);
  EXPECT_EQ(autocorrelation_time(std::vector<double>{3.0}), 1.0);
  EXPECT_EQ(autocorrelation_time(std::vector<double>(50, 2.0)), 1.0);
  EXPECT_EQ(autocorrelation_time(autoregression(1000, -0.9, 1)), 1.0);
}

void expect_runs_of_about_equal_length(const std::vector<std::uint32_t>& blocks, std::size_t count) {
  EXPECT_TRUE(std::ranges::is_sorted(blocks));
  std::map<std::uint32_t, std::size_t> lengths;
  for (const std::uint32_t block : blocks) lengths[block] += 1;
  ASSERT_EQ(lengths.size(), count);
  EXPECT_EQ(lengths.rbegin()->first + 1, count);
  for (const auto& [block, length] : lengths) {
    EXPECT_GE(length, blocks.size() / count);
    EXPECT_LE(length, blocks.size() / count + 1);
  }
}

TEST(Blocks, AreAboutAsLongAsTheAutocorrelationTime) {
  const std::vector<double> y = autoregression(1000, 0.9, 2);
  const std::vector<std::uint32_t> blocks = consecutive_blocks(y);
  const auto count = static_cast<std::size_t>(1000.0 / autocorrelation_time(y));
  EXPECT_GT(count, 30U);
  EXPECT_LT(count, 90U);
  expect_runs_of_about_equal_length(blocks, count);
}

TEST(Blocks, AreTenToAHundredAndNoMoreThanRows) {
  expect_runs_of_about_equal_length(consecutive_blocks(autoregression(5000, 0.0, 1)), 100);
  std::vector<double> trend(5000);
  for (std::size_t i = 0; i < trend.size(); ++i) trend[i] = static_cast<double>(i);
  expect_runs_of_about_equal_length(consecutive_blocks(trend), 10);
  expect_runs_of_about_equal_length(consecutive_blocks(std::vector<double>{1.0, 2.0, 4.0}), 3);
  EXPECT_TRUE(consecutive_blocks(std::vector<double>{}).empty());
}

TEST(Blocks, OfAMillionRowsAreAsOfFew) {
  std::vector<double> trend(1000000);
  for (std::size_t i = 0; i < trend.size(); ++i) trend[i] = static_cast<double>(i);
  expect_runs_of_about_equal_length(consecutive_blocks(trend), 10);
  expect_runs_of_about_equal_length(consecutive_blocks(autoregression(1000000, 0.9, 1)), 100);
}

TEST(Blocks, AreAtLeastAsManyAsAreAskedFor) {
  std::vector<double> trend(500);
  for (std::size_t i = 0; i < trend.size(); ++i) trend[i] = static_cast<double>(i);
  expect_runs_of_about_equal_length(consecutive_blocks(trend, 25), 25);
  expect_runs_of_about_equal_length(consecutive_blocks(trend, 250), 250);
}

}  // namespace blocks_test
}  // namespace shrimp

#include "data/split.hpp"

#include <map>
#include <numeric>
#include <set>

#include "support.hpp"

namespace shrimp {
namespace {

std::vector<std::size_t> counting(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

void expect_parts_all_rows(const RowSplit& split, std::size_t rows) {
  EXPECT_TRUE(std::ranges::is_sorted(split.train));
  EXPECT_TRUE(std::ranges::is_sorted(split.held_out));
  std::vector<std::size_t> together;
  std::ranges::merge(split.train, split.held_out, std::back_inserter(together));
  EXPECT_EQ(together, counting(rows));
}

TEST(Permutation, HoldsEveryNumberOnce) {
  for (const std::size_t count : {0U, 1U, 2U, 1000U}) {
    std::vector<std::size_t> order = permutation(count, 3);
    std::ranges::sort(order);
    EXPECT_EQ(order, counting(count));
  }
}

TEST(Permutation, IsAFunctionOfTheSeed) {
  EXPECT_EQ(permutation(50, 1), permutation(50, 1));
  EXPECT_NE(permutation(50, 1), permutation(50, 2));
}

TEST(Permutation, IsUniform) {
  std::map<std::vector<std::size_t>, double> counts;
  for (std::uint64_t seed = 0; seed < 24000; ++seed) counts[permutation(4, seed)] += 1.0;
  ASSERT_EQ(counts.size(), 24U);
  double chi_square = 0.0;
  for (const auto& [order, count] : counts) chi_square += std::pow(count - 1000.0, 2) / 1000.0;
  EXPECT_LT(chi_square, 56.0);  // Twenty-three degrees of freedom: exceeded in about one of 8,000 cases.
}

TEST(HoldOut, TakesTheFractionRoundedAndPartsTheRows) {
  const std::tuple<std::size_t, double, std::size_t> cases[] = {
      {100, 0.1, 10}, {14, 0.1, 1}, {15, 0.11, 2}, {2, 0.01, 1}, {2, 0.99, 1}, {10, 0.99, 9}, {1000, 0.333, 333}};
  for (const auto& [rows, fraction, held] : cases) {
    const RowSplit split = hold_out(rows, fraction, 5);
    EXPECT_EQ(split.held_out.size(), held) << fraction << " of " << rows;
    expect_parts_all_rows(split, rows);
  }
}

TEST(HoldOut, TakesOtherRowsForOtherSeeds) {
  EXPECT_NE(hold_out(100, 0.1, 1).held_out, hold_out(100, 0.1, 2).held_out);
  EXPECT_EQ(hold_out(100, 0.1, 1).held_out, hold_out(100, 0.1, 1).held_out);
}

TEST(Folds, HoldEveryRowOutOnceInPartsOfAboutEqualSize) {
  for (const auto& [rows, folds] : {std::pair<std::size_t, std::size_t>{100, 5}, {103, 10}, {7, 7}, {5, 2}}) {
    std::vector<std::size_t> held;
    for (const RowSplit& split : fold(rows, folds, 9)) {
      expect_parts_all_rows(split, rows);
      EXPECT_GE(split.held_out.size(), rows / folds);
      EXPECT_LE(split.held_out.size(), rows / folds + 1);
      held.insert(held.end(), split.held_out.begin(), split.held_out.end());
    }
    std::ranges::sort(held);
    EXPECT_EQ(held, counting(rows));
  }
}

}  // namespace
}  // namespace shrimp

#include "data/split.hpp"

#include <map>
#include <numeric>
#include <set>

#include "support.hpp"

namespace shrimp {
namespace split_test {

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

using Groups = std::vector<std::uint32_t>;

// Groups of 1 to 12 rows, mixed.
Groups mixed_groups(std::size_t count, std::uint64_t seed) {
  Groups groups;
  for (std::size_t g = 0; g < count; ++g) groups.insert(groups.end(), 1 + (7 * g) % 12, static_cast<std::uint32_t>(g));
  Groups mixed;
  for (const std::size_t i : permutation(groups.size(), seed)) mixed.push_back(groups[i]);
  return mixed;
}

void expect_groups_are_whole(const RowSplit& split, const Groups& groups) {
  expect_parts_all_rows(split, groups.size());
  std::set<std::uint32_t> train;
  for (const std::size_t i : split.train) train.insert(groups[i]);
  for (const std::size_t i : split.held_out) EXPECT_FALSE(train.contains(groups[i])) << "row " << i;
  EXPECT_FALSE(split.train.empty());
  EXPECT_FALSE(split.held_out.empty());
}

TEST(HoldOut, OfGroupsTakesWholeOnesAndAboutTheFraction) {
  const Groups groups = mixed_groups(60, 1);
  for (const double fraction : {0.01, 0.1, 0.5, 0.9}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const RowSplit split = hold_out(groups, fraction, seed);
      expect_groups_are_whole(split, groups);
      EXPECT_NEAR(static_cast<double>(split.held_out.size()), fraction * static_cast<double>(groups.size()), 6.0);
    }
  }
}

TEST(HoldOut, OfTwoGroupsTakesTheSmallerWhereFewRowsAreWanted) {
  const Groups groups = {5, 9, 9, 9, 9, 9, 5, 9, 9, 9};
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    EXPECT_EQ(hold_out(groups, 0.1, seed).held_out, (std::vector<std::size_t>{0, 6}));
    expect_groups_are_whole(hold_out(groups, 0.999, seed), groups);
  }
}

TEST(HoldOut, OfGroupsTakesOtherOnesForOtherSeeds) {
  const Groups groups = mixed_groups(60, 1);
  EXPECT_EQ(hold_out(groups, 0.1, 1).held_out, hold_out(groups, 0.1, 1).held_out);
  EXPECT_NE(hold_out(groups, 0.1, 1).held_out, hold_out(groups, 0.1, 2).held_out);
}

// What scikit-learn's GroupKFold promises.
TEST(Folds, OfGroupsHoldEveryGroupOutOnceInPartsOfAboutEqualSize) {
  for (const auto& [count, folds] : {std::pair<std::size_t, std::size_t>{60, 5}, {60, 10}, {7, 7}, {3, 2}}) {
    const Groups groups = mixed_groups(count, 2);
    const std::vector<RowSplit> splits = fold(groups, folds, 9);
    ASSERT_EQ(splits.size(), folds);
    std::vector<std::size_t> held;
    for (const RowSplit& split : splits) {
      expect_groups_are_whole(split, groups);
      held.insert(held.end(), split.held_out.begin(), split.held_out.end());
      if (count == 60) {
        EXPECT_NEAR(static_cast<double>(split.held_out.size() * folds), static_cast<double>(groups.size()),
                    static_cast<double>(folds));
      }
    }
    std::ranges::sort(held);
    EXPECT_EQ(held, counting(groups.size()));
  }
}

TEST(Folds, OfGroupsOfOneSizeAreOthersForOtherSeeds) {
  Groups groups;
  for (std::uint32_t i = 0; i < 60; ++i) groups.push_back(i / 3);
  EXPECT_EQ(fold(groups, 5, 1).front().held_out, fold(groups, 5, 1).front().held_out);
  EXPECT_NE(fold(groups, 5, 1).front().held_out, fold(groups, 5, 2).front().held_out);
}

TEST(Folds, OfConsecutiveBlocksAreRunsOfRowsInTheirOrder) {
  Groups groups;
  for (std::uint32_t i = 0; i < 103; ++i) groups.push_back(i * 10 / 103);
  for (const std::size_t folds : {2U, 3U, 10U}) {
    std::size_t next = 0;
    for (const RowSplit& split : fold_consecutively(groups, folds)) {
      expect_groups_are_whole(split, groups);
      for (const std::size_t i : split.held_out) EXPECT_EQ(i, next++);
    }
    EXPECT_EQ(next, groups.size());
  }
}

TEST(Folds, OfRowsThatBelongTogetherFollowTheirGroups) {
  Rows rows;
  rows.y.resize(20);
  EXPECT_EQ(count_units(rows), 20U);
  EXPECT_EQ(fold(rows, 4, 3).front().held_out, fold(20, 4, 3).front().held_out);
  EXPECT_EQ(hold_out(rows, 0.2, 3).held_out, hold_out(20, 0.2, 3).held_out);
  for (std::uint32_t i = 0; i < 20; ++i) rows.groups.push_back(i / 4);
  EXPECT_EQ(count_units(rows), 5U);
  EXPECT_EQ(fold(rows, 4, 3).front().held_out, fold(rows.groups, 4, 3).front().held_out);
  rows.in_order = true;
  EXPECT_EQ(fold(rows, 5, 3).back().held_out, (std::vector<std::size_t>{16, 17, 18, 19}));
}

TEST(SampledRows, AreWholeGroups) {
  const Groups groups = mixed_groups(60, 3);
  const std::vector<std::size_t> sample = sample_groups(groups, 200, 5);
  EXPECT_TRUE(std::ranges::is_sorted(sample));
  EXPECT_LE(sample.size(), 200U);
  EXPECT_GT(sample.size(), 190U);
  std::map<std::uint32_t, std::ptrdiff_t> taken;
  for (const std::size_t i : sample) taken[groups[i]] += 1;
  for (const auto& [group, count] : taken) EXPECT_EQ(count, std::ranges::count(groups, group));
}

TEST(SampledRows, AreOfAllGroupsWhereTheseAreTooLarge) {
  Groups groups;
  for (std::uint32_t i = 0; i < 1000; ++i) groups.push_back(i / 100);
  const std::vector<std::size_t> sample = sample_groups(groups, 300, 5);
  EXPECT_EQ(sample.size(), 300U);
  std::set<std::uint32_t> seen;
  for (const std::size_t i : sample) seen.insert(groups[i]);
  EXPECT_EQ(seen.size(), 10U);
}

}  // namespace split_test
}  // namespace shrimp

#include "data/long_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support.hpp"

namespace shrimp {
namespace long_table_test {

using test::expect_parts;
using test::message_of;

// Input a is the row's number, b its group.
Dataset numbered(std::size_t rows, std::size_t rows_of_a_group = 0) {
  Dataset data;
  data.inputs = {"a", "b"};
  data.target = "y";
  data.X = Matrix(rows, 2);
  for (std::size_t i = 0; i < rows; ++i) {
    data.X(i, 0) = static_cast<double>(i);
    data.X(i, 1) = rows_of_a_group == 0 ? 0.0 : static_cast<double>(i / rows_of_a_group);
    data.y.push_back(-static_cast<double>(i));
    if (rows_of_a_group > 0) data.groups.push_back(static_cast<std::uint32_t>(i / rows_of_a_group));
  }
  return data;
}

// The same rows in blocks of another size.
class OtherBlocks : public RowBlocks {
 public:
  OtherBlocks(const Dataset& data, std::size_t size) : data_(data), size_(size) { heading_.inputs = data.inputs; }
  [[nodiscard]] const Dataset& heading() const override { return heading_; }
  void for_each(const std::function<void(const Dataset& block)>& body) override {
    for (std::size_t first = 0; first < data_.y.size(); first += size_) {
      Dataset block = heading_;
      const std::size_t rows = std::min(size_, data_.y.size() - first);
      block.X = Matrix(rows, data_.X.cols());
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < data_.X.cols(); ++j) block.X(i, j) = data_.X(first + i, j);
        block.y.push_back(data_.y[first + i]);
        if (!data_.groups.empty()) block.groups.push_back(data_.groups[first + i]);
      }
      body(block);
    }
  }

 private:
  const Dataset& data_;
  std::size_t size_;
  Dataset heading_;
};

LongTableOptions few(std::size_t searched, std::size_t held_out) {
  LongTableOptions options;
  options.most_searched = searched;
  options.most_held_out = held_out;
  return options;
}

std::vector<double> rows_of(const Dataset& data) { return {data.X.col(0).begin(), data.X.col(0).end()}; }

TEST(LongTable, KeepsATableThatIsNotLongWholeAndInOrder) {
  const Dataset data = numbered(1000);
  const LongTable table = sample_table(*blocks_of(data), few(1000, 100));
  EXPECT_FALSE(table.is_long());
  EXPECT_EQ(rows_of(table.searched), rows_of(data));
  EXPECT_EQ(table.searched.y, data.y);
  EXPECT_TRUE(table.choosing.y.empty());
  EXPECT_TRUE(table.telling.y.empty());
}

TEST(LongTable, DrawsDifferentRowsToSearchToChooseAndToTellBy) {
  const Dataset data = numbered(20000);
  const LongTable table = sample_table(*blocks_of(data), few(3000, 500));
  EXPECT_TRUE(table.is_long());
  EXPECT_EQ(table.rows, 20000U);
  EXPECT_EQ(table.searched.y.size(), 3000U);
  EXPECT_EQ(table.choosing.y.size(), 500U);
  EXPECT_EQ(table.telling.y.size(), 500U);
  std::set<double> different;
  for (const Dataset* part : {&table.searched, &table.choosing, &table.telling}) {
    const std::vector<double> rows = rows_of(*part);
    EXPECT_TRUE(std::ranges::is_sorted(rows));
    different.insert(rows.begin(), rows.end());
    // Spread over the whole table: the mean of so many has a deviation of at most 260.
    double mean = 0.0;
    for (const double row : rows) mean += row / static_cast<double>(rows.size());
    EXPECT_NEAR(mean, 10000.0, 1300.0);
  }
  EXPECT_EQ(different.size(), 4000U);
}

TEST(LongTable, TellsTheRangeOfAllRows) {
  const Dataset data = numbered(20000);
  const LongTable table = sample_table(*blocks_of(data), few(100, 10));
  EXPECT_EQ(table.lowest, (std::vector<double>{0.0, 0.0, -19999.0}));
  EXPECT_EQ(table.highest, (std::vector<double>{19999.0, 0.0, 0.0}));
}

TEST(LongTable, DrawsTheSameRowsWhateverTheBlocks) {
  const Dataset data = numbered(20000);
  OtherBlocks small(data, 77);
  const LongTable one = sample_table(*blocks_of(data), few(200, 50));
  const LongTable other = sample_table(small, few(200, 50));
  EXPECT_EQ(rows_of(one.searched), rows_of(other.searched));
  EXPECT_EQ(rows_of(one.choosing), rows_of(other.choosing));
  EXPECT_EQ(rows_of(one.telling), rows_of(other.telling));
}

TEST(LongTable, DrawsOtherRowsWithAnotherSeed) {
  const Dataset data = numbered(5000);
  LongTableOptions options = few(200, 50);
  const LongTable one = sample_table(*blocks_of(data), options);
  options.seed = 1;
  EXPECT_NE(rows_of(one.searched), rows_of(sample_table(*blocks_of(data), options).searched));
}

TEST(LongTable, KeepsGroupsTogether) {
  const Dataset data = numbered(20000, 13);
  const LongTable table = sample_table(*blocks_of(data), few(1000, 300));
  std::vector<std::set<std::uint32_t>> groups;
  for (const Dataset* part : {&table.searched, &table.choosing, &table.telling}) {
    groups.emplace_back(part->groups.begin(), part->groups.end());
    for (std::size_t i = 0; i < part->y.size(); ++i) EXPECT_EQ(part->X(i, 1), part->groups[i]);
    // Whole groups, but for the last of the table, which is smaller.
    EXPECT_LE(groups.back().size() * 13 - part->y.size(), 7U);
  }
  for (const std::uint32_t group : groups[0]) EXPECT_FALSE(groups[1].contains(group) || groups[2].contains(group));
  for (const std::uint32_t group : groups[1]) EXPECT_FALSE(groups[2].contains(group));
}

TEST(LongTable, HoldsOutRunsOfASeries) {
  const Dataset data = numbered(50000);
  LongTableOptions options = few(10000, 2000);
  options.blocks = true;
  const LongTable table = sample_table(*blocks_of(data), options);
  std::set<std::size_t> runs;
  for (const double row : rows_of(table.telling)) runs.insert(static_cast<std::size_t>(row) / 1024);
  EXPECT_LE(runs.size(), 4U);
  for (const double row : rows_of(table.searched)) EXPECT_FALSE(runs.contains(static_cast<std::size_t>(row) / 1024));
}

TEST(LongTable, DrawsNoRowsOfWeightZeroAndTellsTheMeanWeight) {
  Dataset data = numbered(1000);
  for (std::size_t i = 0; i < 1000; ++i) data.weights.push_back(i % 2 == 0 ? 0.0 : 3.0);
  const LongTable table = sample_table(*blocks_of(data), few(100, 20));
  EXPECT_EQ(table.mean_weight, 1.5);
  for (const double row : rows_of(table.searched)) EXPECT_EQ(static_cast<int>(row) % 2, 1);
}

TEST(LongTable, RefusesWhatIsNoNumberWithItsRow) {
  Dataset data = numbered(20000);
  data.X(17000, 1) = std::numeric_limits<double>::infinity();
  expect_parts(message_of<DataError>([&] { (void)sample_table(*blocks_of(data), few(100, 20)); }),
               {"row 17001", "\"b\"", "not a finite number"});
  data = numbered(20000);
  data.weights.assign(20000, 1.0);
  data.weights[9999] = -1.0;
  expect_parts(message_of<DataError>([&] { (void)sample_table(*blocks_of(data), few(100, 20)); }),
               {"row 10000", "weight -1"});
}

}  // namespace long_table_test
}  // namespace shrimp

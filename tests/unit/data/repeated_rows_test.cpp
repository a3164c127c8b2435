#include <array>

#include "shrimp/fit.hpp"
#include "shrimp/table.hpp"
#include "support.hpp"

namespace shrimp {
namespace repeated_rows_test {

Dataset make_dataset(const std::vector<std::array<double, 3>>& rows, std::vector<double> weights = {}) {
  Dataset data;
  data.inputs = {"a", "b"};
  data.target = "y";
  data.X = Matrix(rows.size(), 2);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    data.X(i, 0) = rows[i][0];
    data.X(i, 1) = rows[i][1];
    data.y.push_back(rows[i][2]);
  }
  data.weights = std::move(weights);
  return data;
}

std::vector<std::array<double, 3>> rows_of(const Dataset& data) {
  std::vector<std::array<double, 3>> rows;
  for (std::size_t i = 0; i < data.y.size(); ++i) rows.push_back({data.X(i, 0), data.X(i, 1), data.y[i]});
  return rows;
}

using RowsOfThree = std::vector<std::array<double, 3>>;

TEST(RepeatedRows, BecomeOneWithTheSumOfTheirWeights) {
  const Dataset merged = merge_repeated_rows(
      make_dataset({{2, 1, 0}, {1, 1, 0}, {2, 1, 0}, {1, 1, 5}, {2, 1, 0}}, {2.0, 1.0, 4.0, 2.0, 2.0}));
  EXPECT_EQ(rows_of(merged), (RowsOfThree{{1, 1, 0}, {1, 1, 5}, {2, 1, 0}}));
  EXPECT_EQ(merged.weights, (std::vector<double>{1.0, 2.0, 8.0}));
}

TEST(RepeatedRows, CountBesideEachOtherWhateverTheUnitOfTheirWeights) {
  const RowsOfThree rows = {{2, 1, 0}, {1, 1, 0}, {3, 1, 0}};
  const auto weights_of = [&](std::vector<double> weights) {
    return merge_repeated_rows(make_dataset(rows, std::move(weights))).weights;
  };
  EXPECT_EQ(weights_of({4e6, 2e6, 6e6}), (std::vector<double>{1.0, 2.0, 3.0}));
  EXPECT_EQ(weights_of({2.0, 1.0, 3.0}), (std::vector<double>{1.0, 2.0, 3.0}));
  EXPECT_EQ(weights_of({0.25, 0.125, 0.375}), (std::vector<double>{0.5, 1.0, 1.5}));
  EXPECT_EQ(weights_of({1e150, 2e150, 3e150}), (std::vector<double>{1.0, 0.5, 1.5}));
}

TEST(RepeatedRows, ThatAllCountTheSameHaveNoWeightsAndKeepTheirOrder) {
  const RowsOfThree rows = {{2, 1, 0}, {1, 1, 0}, {3, 1, 0}};
  const RowsOfThree twice = {{2, 1, 0}, {1, 1, 0}, {3, 1, 0}, {2, 1, 0}, {1, 1, 0}, {3, 1, 0}};
  for (const double weight : {1e-9, 0.1, 1.0, 2.0, 1e6}) {
    for (const RowsOfThree& given : {rows, twice}) {
      const Dataset same = merge_repeated_rows(make_dataset(given, std::vector<double>(given.size(), weight)));
      EXPECT_EQ(rows_of(same), rows);
      EXPECT_TRUE(same.weights.empty());
    }
  }
}

TEST(RepeatedRows, OfWeightZeroGo) {
  const Dataset merged = merge_repeated_rows(make_dataset({{2, 1, 0}, {1, 1, 0}, {3, 1, 0}}, {1.0, 0.0, 1.0}));
  EXPECT_EQ(rows_of(merged), (RowsOfThree{{2, 1, 0}, {3, 1, 0}}));
}

TEST(RepeatedRows, AreLeftAloneWhereNothingRepeats) {
  const RowsOfThree rows = {{2, 1, 0}, {1, 1, 0}, {3, 1, 0}};
  for (const std::vector<double>& weights : {std::vector<double>{}, std::vector<double>{1.0, 1.0, 1.0}}) {
    const Dataset same = merge_repeated_rows(make_dataset(rows, weights));
    EXPECT_EQ(rows_of(same), rows);
    EXPECT_TRUE(same.weights.empty());
  }
}

TEST(RepeatedRows, AreLeftAloneWhereOnlyOneWouldBeLeft) {
  EXPECT_EQ(merge_repeated_rows(make_dataset({{1, 1, 0}, {1, 1, 0}, {1, 1, 0}})).y.size(), 3U);
}

TEST(RepeatedRows, KnowThatMinusZeroIsZero) {
  EXPECT_EQ(merge_repeated_rows(make_dataset({{0.0, 1, 0}, {-0.0, 1, 0}, {1, 1, 1}})).y.size(), 2U);
}

TEST(RepeatedRows, AndWeightsGiveTheSameModelFile) {
  Dataset weighted;
  weighted.inputs = {"a", "b", "c"};
  weighted.target = "y";
  weighted.X = test::random_matrix(40, 3, 4);
  weighted.y = test::random_vector(40, 5);
  Dataset repeated;
  repeated.inputs = weighted.inputs;
  repeated.target = "y";
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < 40; ++i) {
    weighted.weights.push_back(static_cast<double>(i * 7 % 4));
    order.insert(order.end(), i * 7 % 4, i);
  }
  std::ranges::reverse(order);
  repeated.X = Matrix(order.size(), 3);
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (std::size_t j = 0; j < 3; ++j) repeated.X(k, j) = weighted.X(order[k], j);
    repeated.y.push_back(weighted.y[order[k]]);
  }
  FitOptions options;
  options.draw.features = 60;
  const auto file_of = [&](const Dataset& data) { return to_json(fit(data, options).model); };
  EXPECT_EQ(file_of(weighted), file_of(repeated));
}

TEST(RepeatedRows, OfDifferentGroupsStayApart) {
  Dataset data = make_dataset({{2, 1, 0}, {1, 1, 0}, {2, 1, 0}, {1, 1, 0}}, {1.0, 3.0, 4.0, 2.0});
  data.groups = {7, 1, 2, 1};
  const Dataset merged = merge_repeated_rows(data);
  EXPECT_EQ(rows_of(merged), (RowsOfThree{{1, 1, 0}, {2, 1, 0}, {2, 1, 0}}));
  EXPECT_EQ(merged.weights, (std::vector<double>{5.0, 4.0, 1.0}));
  EXPECT_EQ(merged.groups, (std::vector<std::uint32_t>{1, 2, 7}));
}

TEST(RepeatedRows, AreObservationsOfTheirOwnWhereTheSameInputsHaveDifferentTargets) {
  const RowsOfThree rows = {{1, 1, 0}, {1, 1, 0}, {1, 1, 1}, {2, 1, 0}, {2, 1, 1}, {2, 1, 1}, {3, 1, 0}};
  const Dataset repeated = repeat_observations(merge_repeated_rows(make_dataset(rows)));
  EXPECT_EQ(rows_of(repeated), rows);
  EXPECT_TRUE(repeated.weights.empty());
  const Dataset weighted = make_dataset({{2, 1, 1}, {1, 1, 0}, {1, 1, 1}, {2, 1, 0}, {3, 1, 0}}, {2, 2, 1, 1, 1});
  EXPECT_EQ(rows_of(repeat_observations(merge_repeated_rows(weighted))), rows);
}

TEST(RepeatedRows, AreCopiesWhereTheInputsTellTheTarget) {
  const RowsOfThree rows = {{1, 1, 0}, {1, 1, 0}, {2, 1, 5}, {3, 1, 7}, {3, 1, 7}, {4, 1, 7}};
  const Dataset merged = merge_repeated_rows(make_dataset(rows));
  EXPECT_EQ(repeat_observations(merged).weights, (std::vector<double>{2.0, 1.0, 2.0, 1.0}));
}

TEST(RepeatedRows, AreNotMadeOfWeightsThatAreNoCountsOrVeryMany) {
  const RowsOfThree rows = {{1, 1, 0}, {1, 1, 1}, {2, 1, 0}, {2, 1, 1}};
  for (const std::vector<double>& weights : {std::vector<double>{0.5, 1.0, 1.25, 1.25}, {1.0, 1e7, 3.0, 2.0}}) {
    EXPECT_FALSE(repeat_observations(merge_repeated_rows(make_dataset(rows, weights))).weights.empty());
  }
}

// Twelve kinds of rows, 600 of them: what a table of categories and a target of two classes comes to.
TEST(RepeatedRows, OfFewKindsShowWhatTheirInputsDo) {
  Dataset data;
  data.inputs = {"a", "b", "c"};
  data.target = "y";
  data.X = Matrix(600, 3);
  const std::vector<double> chance = test::random_vector(600, 11);
  for (std::size_t i = 0; i < 600; ++i) {
    data.X(i, 0) = static_cast<double>(i % 2);
    data.X(i, 1) = static_cast<double>(i / 2 % 3);
    data.X(i, 2) = static_cast<double>(i / 6 % 2);
    data.y.push_back(chance[i] < (data.X(i, 0) > 0.0 ? 0.7 : -0.7) ? 1.0 : 0.0);
  }
  const Model model = fit(data, {}).model;
  ASSERT_FALSE(model.terms.empty());
  EXPECT_EQ(model.term_name(model.terms.front()), "a");
}

TEST(RepeatedRows, OfDifferentGroupsAreNoRepetition) {
  Dataset data = make_dataset({{2, 1, 0}, {2, 1, 0}, {1, 1, 0}});
  EXPECT_TRUE(has_repeated_rows(data));
  data.groups = {0, 1, 1};
  EXPECT_FALSE(has_repeated_rows(data));
  EXPECT_EQ(rows_of(merge_repeated_rows(data)), rows_of(data));
}

}  // namespace repeated_rows_test
}  // namespace shrimp

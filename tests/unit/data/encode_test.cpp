#include "data/encode.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support.hpp"

namespace shrimp {
namespace encode_test {

using test::expect_parts;
using test::message_of;

using Names = std::vector<std::string>;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

Dataset table_of(const std::string& text) {
  CsvOptions options;
  options.kinds = true;
  options.date_parts = true;
  return split_target(parse_csv(text, "data.csv", options), "y", "data.csv");
}

// `count` rows of this text.
std::string rows(const std::string& row, std::size_t count) {
  std::string text;
  for (std::size_t k = 0; k < count; ++k) text += row + "\n";
  return text;
}

TEST(Encode, LevelsAreSortedAndRareOnesShareOne) {
  const Dataset data =
      encode_inputs(table_of("c,y\n" + rows("b,1", 6) + rows("a,2", 5) + rows("z,3", 4) + rows("k,3", 1)));
  ASSERT_EQ(data.columns.size(), 1U);
  EXPECT_EQ(data.columns[0].levels, (Names{"a", "b", pooled_level}));
  EXPECT_EQ(data.columns[0].pooled, (Names{"k", "z"}));
  EXPECT_EQ(data.X(0, 0), 1.0);
  EXPECT_EQ(data.X(6, 0), 0.0);
  EXPECT_EQ(data.X(11, 0), 2.0);
  EXPECT_EQ(data.X(15, 0), 2.0);
}

TEST(Encode, MissingNumbersMakeAnInputAndMissingCategoriesALevel) {
  const Dataset data =
      encode_inputs(table_of("x,c,twin,y\n" + rows("1,a,2,1", 5) + rows(",,,2", 5) + rows("3,a,4,1", 1)));
  EXPECT_EQ(data.inputs, (Names{"x", "missing(x)", "c", "twin"}));
  EXPECT_EQ(data.columns[2].levels, (Names{"a", missing_level}));
  EXPECT_TRUE(std::isnan(data.X(5, 0)));
  EXPECT_EQ(data.X(5, 1), 1.0);
  EXPECT_EQ(data.X(0, 1), 0.0);
  EXPECT_EQ(data.X(5, 2), 1.0);
}

TEST(Encode, WhatCannotBeLearntFromIsLeftOut) {
  const Dataset data = encode_inputs(table_of("x,id,none,y\n1,a,,2\n2,b,,3\n3,c,,4\n"));
  EXPECT_EQ(data.inputs, (Names{"x"}));
  ASSERT_EQ(data.warnings.size(), 2U);
  expect_parts(data.warnings[0], {"\"id\" has 3 levels in 3 rows", "ignored"});
  expect_parts(data.warnings[1], {"\"none\" has only missing cells", "ignored"});
  expect_parts(message_of<DataError>([] { (void)encode_inputs(table_of("id,y\na,2\nb,3\n")); }),
               {"no usable input column remains"});
}

TEST(Encode, MissingCellsOfAColumnWithoutLevelsMakeAnInput) {
  std::string text = "cabin,x,y\n";
  for (int k = 0; k < 12; ++k) text += (k % 2 == 0 ? "c" + std::to_string(k) : "") + "," + std::to_string(k) + ",1\n";
  const Dataset data = encode_inputs(table_of(text));
  EXPECT_EQ(data.inputs, (Names{"missing(cabin)", "x"}));
  EXPECT_EQ(data.X(0, 0), 0.0);
  EXPECT_EQ(data.X(1, 0), 1.0);
  ASSERT_EQ(data.warnings.size(), 1U);
  expect_parts(data.warnings[0],
               {"\"cabin\" has 6 levels in 12 rows", "an indicator of missing cells is used as an input"});
}

TEST(Encode, AColumnOfWhichOnlyMissingCellsMatterMayHoldAnything) {
  CsvOptions options;
  options.only = {"cabin"};
  ask_for({"missing(cabin)"}, {{.part = InputColumn::Part::missing, .column = "cabin"}}, options);
  const Table table = parse_csv("cabin,y\nC85,1\n,2\n7,3\n2024-01-01,4\nNA,5\n", "new.csv", options);
  InputEncoder encoder({"missing(cabin)"}, {{.part = InputColumn::Part::missing, .column = "cabin"}}, table.names, "");
  const Matrix X = encoder.encode(table.values, table.columns);
  EXPECT_EQ(std::vector<double>(X.col(0).begin(), X.col(0).end()), (std::vector<double>{0, 1, 0, 0, 1}));
}

TEST(Encode, DatesMakeTheirPartsOnRequest) {
  const Dataset data = encode_inputs(table_of("when,y\n2000-03-01,1\n2000-03-02,2\n"));
  EXPECT_EQ(data.inputs, (Names{"when", "day of week(when)", "day of year(when)"}));
  EXPECT_EQ(data.columns[1].levels.size(), 7U);
  EXPECT_EQ(data.X(0, 1), 2.0);
  EXPECT_EQ(data.X(1, 2), 62.0);
}

TEST(Encode, TablesOfNumbersStayAsTheyAre) {
  const Dataset data = table_of("a,y\n1,2\n3,4\n");
  EXPECT_FALSE(needs_encoding(data));
  EXPECT_EQ(encode_inputs(data).inputs, (Names{"a"}));
}

TEST(Encode, NewRowsAreCodedByTheModelsLevels) {
  const Names inputs = {"c", "x", "missing(x)"};
  const std::vector<InputColumn> columns = {
      {.kind = ColumnKind::category, .levels = {"a", "b", pooled_level}, .pooled = {"rare"}},
      {},
      {.part = InputColumn::Part::missing, .column = "x"}};
  InputEncoder encoder(inputs, columns, {"x", "other", "c"}, "new.csv");
  Matrix values(4, 3);
  const std::vector<InputColumn> kinds = {{}, {}, {.kind = ColumnKind::category, .levels = {"b", "rare", "new"}}};
  values(0, 2) = 0.0;
  values(1, 2) = 1.0;
  values(2, 2) = 2.0;
  values(3, 2) = missing;
  values(2, 0) = missing;
  const Matrix X = encoder.encode(values, kinds);
  EXPECT_EQ(X(0, 0), 1.0);
  EXPECT_EQ(X(1, 0), 2.0);
  EXPECT_TRUE(std::isnan(X(2, 0)));
  EXPECT_TRUE(std::isnan(X(3, 0)));
  EXPECT_TRUE(std::isnan(X(2, 1)));
  EXPECT_EQ(X(2, 2), 1.0);
  EXPECT_EQ(X(0, 2), 0.0);
  const std::vector<std::string> odd = encoder.warnings();
  ASSERT_EQ(odd.size(), 2U);
  expect_parts(odd[0], {"1 row of \"c\"", "did not contain", "\"new\"", "mean effect"});
  expect_parts(odd[1], {"1 row lacks \"c\""});
}

TEST(Encode, RefusesOtherKindsAndMissingColumns) {
  const std::vector<InputColumn> text = {{.kind = ColumnKind::category, .levels = {"a"}}};
  Matrix values(1, 1);
  InputEncoder numbers({"x"}, {}, {"x"}, "new.csv");
  expect_parts(message_of<DataError>([&] { (void)numbers.encode(values, text); }),
               {"column \"x\" has text, but the model needs numbers"});
  expect_parts(message_of<DataError>([&] { InputEncoder({"x"}, {}, {"y"}, "new.csv"); }), {"lacks the column \"x\""});
}

}  // namespace encode_test
}  // namespace shrimp

// Tables whose columns are more than numbers.
#include <gtest/gtest.h>

#include <cmath>

#include "data/csv_stream.hpp"
#include "data/dates.hpp"
#include "support.hpp"

namespace shrimp {
namespace csv_kinds_test {

using test::expect_parts;
using test::message_of;

using Names = std::vector<std::string>;

CsvOptions with_kinds() {
  CsvOptions options;
  options.kinds = true;
  return options;
}

std::string refusal(std::string_view text, const CsvOptions& options) {
  return message_of<DataError>([&] { (void)parse_csv(text, "data.csv", options); });
}

TEST(CsvKinds, TextBecomesCodesOfLevelsInTheOrderInWhichTheyCome) {
  const Table table = parse_csv("a,b\n1,red\n2,\"blue, dark\"\n3,red\n", "data.csv", with_kinds());
  ASSERT_EQ(table.columns.size(), 2U);
  EXPECT_EQ(table.columns[0].kind, ColumnKind::number);
  EXPECT_EQ(table.columns[1].kind, ColumnKind::category);
  EXPECT_EQ(table.columns[1].levels, (Names{"red", "blue, dark"}));
  EXPECT_EQ(table.values(0, 1), 0.0);
  EXPECT_EQ(table.values(1, 1), 1.0);
  EXPECT_EQ(table.values(2, 1), 0.0);
}

TEST(CsvKinds, CellsAreMissingByAllTheirWords) {
  CsvOptions options = with_kinds();
  options.missing = {"-999", "unknown"};
  const Table table = parse_csv("a,b\n1,x\n,\nNA,na\nNaN,NULL\nnull,?\n?,unknown\n-999.0,x\n", "data.csv", options);
  EXPECT_EQ(table.values(0, 0), 1.0);
  for (std::size_t i = 1; i < 7; ++i) EXPECT_TRUE(std::isnan(table.values(i, 0))) << i;
  for (std::size_t i = 1; i < 6; ++i) EXPECT_TRUE(std::isnan(table.values(i, 1))) << i;
  EXPECT_EQ(table.values(6, 1), 0.0);
}

TEST(CsvKinds, AColumnIsWhatItsFirstCellThatIsThereIs) {
  const Table table = parse_csv("a,b,c,d\n1,,,yes\n2,red,2020-03-01,no\n", "data.csv", with_kinds());
  EXPECT_EQ(table.columns[1].kind, ColumnKind::category);
  EXPECT_EQ(table.columns[2].kind, ColumnKind::date);
  EXPECT_EQ(table.columns[3].kind, ColumnKind::number);
  EXPECT_EQ(table.values(0, 3), 1.0);
}

TEST(CsvKinds, MoreDifferentTextsThanACategoryMayHaveAreRefused) {
  CsvOptions options = with_kinds();
  EXPECT_EQ(options.most_levels, 1000000U);
  options.most_levels = 2;
  EXPECT_EQ(parse_csv("a,b\n1,x\n2,y\n3,x\n", "data.csv", options).columns[1].levels.size(), 2U);
  expect_parts(refusal("a,b\n1,x\n2,y\n3,z\n", options),
               {"data.csv, column \"b\": it has more than 2 different texts", "Ignore it with --ignore b"});
}

TEST(CsvKinds, AMixedColumnIsRefusedWithItsLineItsValueAndTheWaysOut) {
  expect_parts(refusal("a,b\n1,2\n3,x4\n", with_kinds()), {"data.csv line 3, column \"b\": \"x4\" is not a number",
                                                           "--categorical b", "--missing x4", "--ignore b"});
  expect_parts(refusal("a,b\n1,red\n3,4\n", with_kinds()), {"line 3", "\"4\" is a number in a text column"});
  expect_parts(refusal("a,b\n1,2020-01-01\n3,soon\n", with_kinds()), {"\"soon\" is not a date, in a date column"});
}

TEST(CsvKinds, NumbersAreCategoriesWhereThatIsAskedFor) {
  CsvOptions options = with_kinds();
  options.categorical = {"zip"};
  const Table table = parse_csv("zip,b\n01,2\n1.0,3\n7A,4\n", "data.csv", options);
  EXPECT_EQ(table.columns[0].levels, (Names{"1", "7A"}));
  options.categorical = {"zap"};
  expect_parts(message_of<OptionError>([&] { (void)parse_csv("zip,b\n1,2\n", "data.csv", options); }),
               {"no column \"zap\" to use as categorical", "zip"});
}

TEST(CsvKinds, AMissingTargetIsRefusedWithItsLinesOrItsRowsAreDropped) {
  CsvOptions options = with_kinds();
  options.required = {"y"};
  expect_parts(refusal("a,y\n1,\n2,3\n\n4,NA\n", options), {"\"y\" is missing in lines 2, 5", "--drop-missing-target"});
  options.drop_without = "y";
  const Table table = parse_csv("a,y\n1,\n2,3\n\n4,NA\n5,6\n", "data.csv", options);
  ASSERT_EQ(table.values.rows(), 2U);
  EXPECT_EQ(table.values(0, 0), 2.0);
  EXPECT_EQ(table.values(1, 0), 5.0);
}

TEST(CsvKinds, WithoutKindsTextAndMissingCellsAreRefusedAsEver) {
  expect_parts(refusal("a,b\n1,red\n", {}), {"\"red\" is not a number"});
  expect_parts(refusal("a,b\n1,\n", {}), {"the cell is empty"});
}

TEST(CsvKinds, LevelsThatAreNoUtf8AreReadAsLatin1) {
  const Table table = parse_csv("a,b\n1,caf\xE9\n2,tea\n", "data.csv", with_kinds());
  EXPECT_EQ(table.columns[1].levels.front(), "caf\xC3\xA9");
}

TEST(Dates, AreDaysSince1970) {
  double days = 0.0;
  ASSERT_TRUE(parse_date("1970-01-01", days));
  EXPECT_EQ(days, 0.0);
  ASSERT_TRUE(parse_date("2000-03-01", days));
  EXPECT_EQ(days, 11017.0);  // date -d 2000-03-01 +%s over 86400.
  ASSERT_TRUE(parse_date("2000-03-01T06:00", days));
  EXPECT_EQ(days, 11017.25);
  ASSERT_TRUE(parse_date("2000-03-01 18:00:00Z", days));
  EXPECT_EQ(days, 11017.75);
  for (const char* text : {"2000-03-01 18:00:00+00:00", "2000-03-01T20:00+02:00", "2000-03-01T12:30:00-0530",
                           "2000-03-01 20:00:00 +02", "2000-03-02T01:00+07", "2000-02-29T23:00:00.000-19"}) {
    ASSERT_TRUE(parse_date(text, days)) << text;
    EXPECT_EQ(days, 11017.75) << text;
  }
  for (const char* text :
       {"2000-03-01+02:00", "2000-03-01T20:00+24", "2000-03-01T20:00+2", "2000-03-01T20:00+02:60", "2000-03-01T20:00 Z",
        "2000-03-01T20:00+02:00x", "2000-3-1", "2001-02-29", "2000-03-01T25:00", "2000-03-01x", "20000301", ""}) {
    EXPECT_FALSE(parse_date(text, days)) << text;
  }
}

TEST(Dates, OfOtherNotationsAreRecognized) {
  for (const char* text : {"01/03/2024", "1.3.2024", "2024-3-1", "2024/03/01 12:00", "01-Mar-2024", "2024-02-30"}) {
    EXPECT_TRUE(looks_like_date(text)) << text;
  }
  for (const char* text :
       {"10.0.0.1", "1.2.3", "a/b/2024", "2024", "030-12-34567", "1/2", "", "2024-03", "3/4/20245"}) {
    EXPECT_FALSE(looks_like_date(text)) << text;
  }
}

TEST(Dates, KnowTheirWeekAndYear) {
  EXPECT_EQ(day_of_week(0.0), 3.0);        // A Thursday.
  EXPECT_EQ(day_of_week(-4.0), 6.0);       // The Sunday before.
  EXPECT_EQ(day_of_week(11017.75), 2.0);   // A Wednesday.
  EXPECT_EQ(day_of_year(11017.75), 61.0);  // 31 + 29 + 1.
  EXPECT_EQ(date_text(11017.75), "2000-03-01 18:00:00");
}

}  // namespace csv_kinds_test
}  // namespace shrimp

#include <charconv>

#include "support.hpp"

namespace shrimp {
namespace csv_test {

using test::expect_parts;
using test::message_of;

using Names = std::vector<std::string>;
using Rows = std::vector<std::vector<double>>;

void expect_table(const Table& table, const Names& names, const Rows& rows) {
  EXPECT_EQ(table.names, names);
  ASSERT_EQ(table.values.rows(), rows.size());
  ASSERT_EQ(table.values.cols(), names.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < names.size(); ++j) EXPECT_EQ(table.values(i, j), rows[i][j]) << i << ", " << j;
  }
}

void expect_reads(const std::string& text, const Names& names, const Rows& rows) {
  SCOPED_TRACE(text);
  expect_table(parse_csv(text, "data.csv"), names, rows);
}

std::string refusal(std::string_view text, const CsvOptions& options = {}) {
  return message_of<DataError>([&] { (void)parse_csv(text, "data.csv", options); });
}

TEST(Csv, ReadsEveryDelimiter) {
  const Rows rows = {{1.5, -2, 3e2}, {4, 5, 6}};
  expect_reads("a,b,c\n1.5,-2,3e2\n4,5,6\n", {"a", "b", "c"}, rows);
  expect_reads("a;b;c\n1.5;-2;3e2\n4;5;6\n", {"a", "b", "c"}, rows);
  expect_reads("a\tb\tc\n1.5\t-2\t3e2\n4\t5\t6\n", {"a", "b", "c"}, rows);
  expect_reads("a b c\n1.5 -2 3e2\n4 5 6\n", {"a", "b", "c"}, rows);
}

TEST(Csv, TakesRunsOfSpacesAndTabsAsOneDelimiter) {
  expect_reads("  a   b\n 1.5     2\n   3 \t 4  \n", {"a", "b"}, {{1.5, 2}, {3, 4}});
}

TEST(Csv, PassesOverSpacesAroundCells) { expect_reads("a , b\n 1 ,\t2 \n3  ,  4\n", {"a", "b"}, {{1, 2}, {3, 4}}); }

TEST(Csv, ReadsDecimalCommas) {
  expect_reads("a;b\n1,5;2,25\n-3,0;4\n1;0,5\n", {"a", "b"}, {{1.5, 2.25}, {-3, 4}, {1, 0.5}});
  expect_reads("a\tb\n1,5\t2,25\n", {"a", "b"}, {{1.5, 2.25}});
  expect_reads("a b\n1,5 2,25\n", {"a", "b"}, {{1.5, 2.25}});
}

TEST(Csv, FindsDecimalCommasInAnyOfTheFirstRows) { expect_reads("a;b\n1,5;2\n3;4\n", {"a", "b"}, {{1.5, 2}, {3, 4}}); }

TEST(Csv, ReadsSingleColumns) { expect_reads("a\n1\n2.5\n", {"a"}, {{1}, {2.5}}); }

TEST(Csv, ReadsPlusSignsExponentsAndBareDots) {
  expect_reads("a,b,c\n+1,1E+3,.5\n5.,-1e-3,+.25\n", {"a", "b", "c"}, {{1, 1000, 0.5}, {5, -1e-3, 0.25}});
}

TEST(Csv, ReadsNumbersToTheLastBit) {
  expect_reads(
      "a,b,c,d\n0.1,1.7976931348623157e308,5e-324,9007199254740993\n", {"a", "b", "c", "d"},
      {{0.1, std::numeric_limits<double>::max(), std::numeric_limits<double>::denorm_min(), 9007199254740992.0}});
}

TEST(Csv, ReadsQuotedCells) {
  expect_reads("\"a\",\"b, with comma\",\"say \"\"c\"\"\"\n\"1\",2,\"3.5\"\n", {"a", "b, with comma", "say \"c\""},
               {{1, 2, 3.5}});
  expect_reads("\"first\nline\",b\n1,2\n", {"first\nline", "b"}, {{1, 2}});
  expect_reads("\"a\";\"b\"\n\"1,5\";\"2\"\n\"3\";\"4,5\"\n", {"a", "b"}, {{1.5, 2}, {3, 4.5}});
}

TEST(Csv, ReadsWindowsLineEnds) { expect_reads("a,b\r\n1,2\r\n3,4\r\n", {"a", "b"}, {{1, 2}, {3, 4}}); }

TEST(Csv, ReadsAMissingLastLineEnd) {
  expect_reads("a,b\n1,2\n3,4", {"a", "b"}, {{1, 2}, {3, 4}});
  expect_reads("a,b\r\n1,2\r\n3,4\r", {"a", "b"}, {{1, 2}, {3, 4}});
}

TEST(Csv, PassesOverTheByteOrderMark) {
  expect_reads(
      "\xEF\xBB\xBF"
      "a,b\n1,2\n",
      {"a", "b"}, {{1, 2}});
}

TEST(Csv, PassesOverBlankLines) {
  expect_reads("\n\r\n  \na,b\n\n1,2\n \t \r\n3,4\n\n\n", {"a", "b"}, {{1, 2}, {3, 4}});
}

TEST(Csv, NamesColumnsWithoutAHeader) {
  expect_reads("1,2,3\n4,5,6\n", {"x1", "x2", "x3"}, {{1, 2, 3}, {4, 5, 6}});
  expect_reads("1,5;2\n3;4,5\n", {"x1", "x2"}, {{1.5, 2}, {3, 4.5}});
}

TEST(Csv, NamesAnUnnamedColumnAndWarns) {
  const Table table = parse_csv(",b\n1,2\n", "data.csv");
  expect_table(table, {"column1", "b"}, {{1, 2}});
  ASSERT_EQ(table.warnings.size(), 1U);
  expect_parts(table.warnings.front(), {"data.csv", "column 1", "column1"});
}

TEST(Csv, ReadsNamesInLatin1AndWarns) {
  const Table table = parse_csv("H\xF6he,b\n1,2\n", "data.csv");
  expect_table(table, {"Höhe", "b"}, {{1, 2}});
  ASSERT_EQ(table.warnings.size(), 1U);
  expect_parts(table.warnings.front(), {"Latin-1", "Höhe"});
}

TEST(Csv, ReadsNamesInUtf8WithoutWarning) {
  const Table table = parse_csv("Höhe,λ₁\n1,2\n", "data.csv");
  expect_table(table, {"Höhe", "λ₁"}, {{1, 2}});
  EXPECT_TRUE(table.warnings.empty());
}

// Surrogates, overlong forms and stray bytes are no UTF-8, and JSON has none of them.
TEST(Csv, EveryNameItReadsCanBeWrittenToAModelFile) {
  for (const char* name :
       {"\xED\xA0\x80", "\xE0\x80\x80", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xC0\xAF", "\xFF"}) {
    Model model;
    model.inputs = parse_csv(std::string(name) + ",b\n1,2\n", "data.csv").names;
    model.scaling = Scaling::none(2);
    EXPECT_EQ(model_from_json(to_json(model), "model").inputs, model.inputs);
  }
}

TEST(Csv, LeavesOutIgnoredColumnsWhateverTheyHold) {
  CsvOptions options;
  options.ignore = {"when", "note"};
  const Table table = parse_csv("when,a,note,b\n2020-01-01,1,\"x, y\",2\n,3,nan,4\n", "data.csv", options);
  expect_table(table, {"a", "b"}, {{1, 2}, {3, 4}});
}

TEST(Csv, KeepsOnlyTheColumnsAskedFor) {
  CsvOptions options;
  options.only = {"b", "d"};
  expect_table(parse_csv("a,b,c,d\nx,2,y,4\n", "data.csv", options), {"b", "d"}, {{2, 4}});
}

TEST(Csv, RefusesToIgnoreAColumnThatIsNotThere) {
  CsvOptions options;
  options.ignore = {"whn"};
  const auto parse = [&] { (void)parse_csv("when,a\n1,2\n", "data.csv", options); };
  expect_parts(message_of<OptionError>(parse), {"data.csv", "whn", "\"when\""});
}

TEST(Csv, NamesLineColumnAndValueOfABadCell) {
  expect_parts(refusal("x1,x3\n1,2\n\n3,abc\n"),
               {"data.csv line 4", "column \"x3\"", "\"abc\" is not a number", "--ignore x3"});
  expect_parts(refusal("x1,x3\n1,2\n3,\n"), {"data.csv line 3", "column \"x3\"", "empty"});
  expect_parts(refusal("x1,x3\n1,2\nNaN,3\n"), {"data.csv line 3", "column \"x1\"", "\"NaN\"", "not a finite number"});
  expect_parts(refusal("x1,x3\n1,2\n3,-inf\n"),
               {"data.csv line 3", "column \"x3\"", "\"-inf\"", "not a finite number"});
  expect_parts(refusal("x1,x3\n1,1e999\n"), {"data.csv line 2", "column \"x3\"", "\"1e999\""});
  expect_parts(refusal("x1;x3\n1,5;2\n1.5;2,5\n"), {"data.csv line 3", "column \"x1\"", "\"1.5\" is not a number"});
  expect_parts(refusal("x1,x3\n1,0x10\n"), {"line 2", "column \"x3\"", "\"0x10\""});
  expect_parts(refusal("x1,x3\n1,--2\n"), {"line 2", "\"--2\""});
}

TEST(Csv, CountsLinesInsideQuotes) {
  expect_parts(refusal("\"a\nb\",c\n1,2\n3,x\n"), {"data.csv line 4", "column \"c\"", "\"x\""});
}

TEST(Csv, NamesTheLineOfARaggedRow) {
  expect_parts(refusal("a,b\n1,2\n3\n"), {"data.csv line 3", "has 1 cell, but 2 are expected"});
  expect_parts(refusal("a,b\n1,2\n3,4,5\n"), {"data.csv line 3", "has 3 cells, but 2 are expected"});
  expect_parts(refusal("a,b\n1,2\n3,4,\n"), {"data.csv line 3", "has 3 cells, but 2 are expected"});
}

TEST(Csv, NamesTheLineOfAnUnclosedQuote) {
  expect_parts(refusal("a,b\n1,2\n\"3,4\n5,6\n"), {"data.csv line 3", "quote"});
}

TEST(Csv, RefusesTextWithoutRows) {
  expect_parts(refusal(""), {"data.csv", "empty"});
  expect_parts(refusal(std::string_view()), {"data.csv", "empty"});
  expect_parts(refusal("\n \r\n"), {"data.csv", "empty"});
  expect_parts(refusal("\xEF\xBB\xBF"), {"data.csv", "empty"});
  expect_parts(refusal("a,b\n"), {"data.csv", "no row"});
  expect_parts(refusal("a,b"), {"data.csv", "no row"});
}

TEST(Csv, RefusesColumnsOfTheSameName) { expect_parts(refusal("a,b,a\n1,2,3\n"), {"columns 1 and 3", "\"a\""}); }

TEST(Csv, RefusesWhatIsNoText) {
  expect_parts(refusal(std::string_view("a,b\n1,\0\n", 8)), {"data.csv", "zero bytes"});
  expect_parts(refusal(std::string_view("\xFF\xFE"
                                        "a\0",
                                        4)),
               {"data.csv", "UTF-16"});
}

TEST(Csv, RefusesATableLargerThanItsMemory) {
  CsvOptions options;
  options.memory = 1e-6;  // About a thousand bytes.
  std::string text = "a,b\n";
  for (int i = 0; i < 100; ++i) text += "1,2\n";
  expect_parts(refusal(text, options), {"data.csv", "100 × 2", "memory"});
}

TEST(Csv, CountsTextAndTableTogether) {
  CsvOptions options;
  std::string text = "a\n";
  for (int i = 0; i < 1000; ++i) text += "1.23456789\n";
  options.memory = 18000.0 / (1 << 30);  // 11 kB of text and 8 kB of numbers.
  expect_parts(refusal(text, options), {"1000 × 1", "memory"});
  options.memory = 20000.0 / (1 << 30);
  EXPECT_EQ(parse_csv(text, "data.csv", options).values.rows(), 1000);
}

TEST(Csv, RefusesALineOfMoreCellsThanThereIsMemoryForNamesOf) {
  CsvOptions options;
  options.memory = 0.1;
  expect_parts(refusal(std::string(1000000, ',') + "\n1\n", options), {"data.csv", "1000001 cells", "fewer columns"});
}

// More than 8 MiB, so that several threads share it, with blank lines and values known in advance.
struct LargeText {
  static constexpr std::size_t rows = 300000;
  std::string text = "first,second,third\n";
  std::vector<std::size_t> line_of_row;
  std::vector<std::size_t> offset_of_row;

  static double value(std::size_t i, std::size_t j) {
    return static_cast<double>((i * 3 + j) * 1000003 % 999983) / 1024;
  }

  LargeText() {
    std::size_t line = 2;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t blanks = i % 1000 == 7 ? 1 + i % 3 : 0; blanks > 0; --blanks, ++line) {
        text += blanks == 1 ? "\n" : "  \r\n";
      }
      line_of_row.push_back(line++);
      offset_of_row.push_back(text.size());
      for (std::size_t j = 0; j < 3; ++j) {
        char buffer[32];
        text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value(i, j)).ptr);
        text += j < 2 ? "," : "\n";
      }
    }
  }
};

const LargeText& large_text() {
  static const LargeText text;
  return text;
}

TEST(CsvInParallel, ReadsTheSameOnAnyNumberOfThreads) {
  const LargeText& large = large_text();
  ASSERT_GT(large.text.size(), std::size_t{8} << 20);
  for (const int threads : {1, 2, 5}) {
    CsvOptions options;
    options.threads = threads;
    const Table table = parse_csv(large.text, "large.csv", options);
    ASSERT_EQ(table.values.rows(), LargeText::rows);
    std::size_t wrong = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t i = 0; i < LargeText::rows; ++i) wrong += table.values(i, j) != LargeText::value(i, j) ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0U) << threads << " threads";
  }
}

TEST(CsvInParallel, NumbersLabelsTheSameOnAnyNumberOfThreads) {
  std::string text = "a,label,y\n";
  for (std::size_t i = 0; i < 400000; ++i) text += "1,patient " + std::to_string(i % 7) + ",2\n";
  ASSERT_GT(text.size(), std::size_t{4} << 20);
  for (const int threads : {1, 2, 5}) {
    CsvOptions options;
    options.threads = threads;
    options.labels = "label";
    const Table table = parse_csv(text, "large.csv", options);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < 400000; ++i) wrong += table.values(i, 1) != static_cast<double>(i % 7) ? 1 : 0;
    EXPECT_EQ(wrong, 0U) << threads << " threads";
  }
}

TEST(CsvInParallel, NamesTheLineOfALateError) {
  const LargeText& large = large_text();
  std::string text = large.text;
  const std::size_t row = LargeText::rows - 12345;
  text[large.offset_of_row[row]] = '?';
  const std::string place = "large.csv line " + std::to_string(large.line_of_row[row]) + ",";
  for (const int threads : {1, 4}) {
    CsvOptions options;
    options.threads = threads;
    const auto parse = [&] { (void)parse_csv(text, "large.csv", options); };
    expect_parts(message_of<DataError>(parse), {place.c_str(), "column \"first\"", "\"?"});
  }
}

TEST(CsvInParallel, NamesTheFirstOfSeveralErrors) {
  const LargeText& large = large_text();
  std::string text = large.text;
  for (std::size_t row = 5000; row < LargeText::rows; row += 50000) text[large.offset_of_row[row]] = '?';
  const std::string place = "large.csv line " + std::to_string(large.line_of_row[5000]) + ",";
  const auto parse = [&] { (void)parse_csv(text, "large.csv"); };
  expect_parts(message_of<DataError>(parse), {place.c_str()});
}

TEST(CsvInParallel, ReadsQuotedLineEndsInLargeText) {
  std::string text = large_text().text;
  text += "\"1\",\"2\",\"3\"\n";
  const Table table = parse_csv(text, "large.csv");
  EXPECT_EQ(table.values.rows(), LargeText::rows + 1);
  EXPECT_EQ(table.values(LargeText::rows, 2), 3.0);
}

}  // namespace csv_test
}  // namespace shrimp

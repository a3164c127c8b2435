#include "data/csv_stream.hpp"

#include "shrimp/table_blocks.hpp"
#include "support.hpp"

namespace shrimp {
namespace csv_stream_test {

using test::message_of;

struct Outcome {
  Table table;
  std::vector<std::size_t> block_rows;
  std::string refusal;
};

template <class Action>
std::string refusal_of(const Action& action) {
  try {
    action();
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

Outcome parse_whole(std::string_view text, const CsvOptions& options) {
  Outcome outcome;
  outcome.refusal = refusal_of([&] { outcome.table = parse_csv(text, "data.csv", options); });
  return outcome;
}

Outcome parse_in_chunks(std::string_view text, std::size_t chunk, const CsvOptions& options) {
  Outcome outcome;
  CsvLabels labels;
  std::vector<double> rows;
  std::size_t columns = 0;
  outcome.refusal = refusal_of([&] {
    CsvStream stream(std::make_unique<BytesInMemory>(text, chunk), "data.csv", options, labels, chunk);
    outcome.table.names = stream.heading().names;
    outcome.table.left_out = stream.heading().left_out;
    outcome.table.warnings = stream.heading().warnings;
    columns = outcome.table.names.size();
    stream.for_each([&](MatrixView block) {
      outcome.block_rows.push_back(block.rows);
      for (std::size_t i = 0; i < block.rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) rows.push_back(block(i, j));
      }
    });
  });
  if (columns == 0) return outcome;
  outcome.table.values = Matrix(rows.size() / columns, columns);
  for (std::size_t k = 0; k < rows.size(); ++k) outcome.table.values(k / columns, k % columns) = rows[k];
  return outcome;
}

void expect_same_table(const Table& table, const Table& expected) {
  EXPECT_EQ(table.names, expected.names);
  EXPECT_EQ(table.left_out, expected.left_out);
  EXPECT_EQ(table.warnings, expected.warnings);
  ASSERT_EQ(table.values.rows(), expected.values.rows());
  for (std::size_t j = 0; j < expected.names.size(); ++j) {
    for (std::size_t i = 0; i < expected.values.rows(); ++i) {
      ASSERT_EQ(table.values(i, j), expected.values(i, j)) << i << ", " << j;
    }
  }
}

const char* const texts[] = {
    "a,b,c\n1.5,-2,3e2\n4,5,6\n",
    "  a   b\n 1.5     2\n   3 \t 4  \n",
    "a;b\n1,5;2,25\n-3,0;4\n1;0,5\n",
    "a\tb\n1,5\t2,25\n",
    "\"a\",\"b, with comma\",\"say \"\"c\"\"\"\n\"1\",2,\"3.5\"\n",
    "\"first\nline\",b\n1,2\n\"3\n\",4\n",
    "a,b\r\n1,2\r\n3,4\r\n",
    "a,b\r\n1,2\r\n3,4\r",
    "a,b\r1,2\r3,4",
    "a,b\r1,2\r\r3,4\r",
    "a,b\n1,2\n3,4",
    "\xEF\xBB\xBF"
    "a,b\n1,2\n",
    "\n\r\n  \na,b\n\n1,2\n \t \r\n3,4\n\n\n",
    "1,2,3\n4,5,6\n",
    ",b\n1,2\n",
    "H\xF6he,b\n1,2\n",
    "a,b\ntrue,1\nNo,2\nYES,3\n0,4\n",
    "a,b\n1,2\n3,4\n5,6\n7,8\n9,10\n11,12\n13,14\n15,16\n17,18\n19,20\n21,22\n23,24\n",
    // Bad ones.
    "",
    "\n\n",
    "a,b\n",
    "a,b\n1,2\n3,x\n5,6\n",
    "a,b\n1,2\n\"3\n\n\",4\n3,\n",
    "a,b\n1,2\n3\n",
    "a,b\n1,2\n\"3,4\n5,6\n",
    "a,b,a\n1,2,3\n",
    "a,b\n1,true\n2,3\n",
    "\xFF\xFE"
    "a\n",
    "a,b\n1,inf\n",
};

TEST(CsvStream, ReadsWhatIsReadAtOnceWhereverTheTextIsCut) {
  for (const char* label : {"", "a"}) {
    CsvOptions options;
    options.labels = label;
    options.threads = 1;
    for (const std::string_view text : texts) {
      const Outcome expected = parse_whole(text, options);
      for (std::size_t chunk = 1; chunk <= text.size() + 1; ++chunk) {
        SCOPED_TRACE(testing::Message() << "\"" << text << "\" in chunks of " << chunk);
        const Outcome outcome = parse_in_chunks(text, chunk, options);
        ASSERT_EQ(outcome.refusal, expected.refusal);
        if (expected.refusal.empty()) expect_same_table(outcome.table, expected.table);
      }
    }
  }
}

TEST(CsvStream, RefusesZeroBytes) {
  const std::string_view text("a,b\n1,2\n3,\0\n", 12);
  for (std::size_t chunk = 1; chunk < 14; ++chunk) {
    test::expect_parts(parse_in_chunks(text, chunk, {}).refusal, {"data.csv", "zero bytes"});
  }
}

TEST(CsvStream, RefusesAColumnOfWordsWhenAnotherNumberComes) {
  std::string text = "a,b\n1,2\n0,true\n";
  for (int i = 0; i < 30; ++i) text += "0,no\n";
  text += "1,2\n";
  for (const std::size_t chunk : {1, 7, 1000}) {
    test::expect_parts(parse_in_chunks(text, chunk, {}).refusal,
                       {"data.csv line 3, column \"b\"", "\"true\" is not a number", "--ignore b"});
  }
}

TEST(CsvStream, GivesBlocksOfTheSameSizeWhateverTheChunks) {
  std::string text = "a,b\n";
  const std::size_t rows = 2 * rows_of_a_block + 5;
  for (std::size_t i = 0; i < rows; ++i) text += std::to_string(i) + ",1\n";
  for (const std::size_t chunk : {100, 10000, 1 << 20}) {
    const Outcome outcome = parse_in_chunks(text, chunk, {});
    EXPECT_EQ(outcome.block_rows, (std::vector<std::size_t>{rows_of_a_block, rows_of_a_block, 5}));
    for (std::size_t i = 0; i < rows; ++i) ASSERT_EQ(outcome.table.values(i, 0), static_cast<double>(i));
  }
}

TEST(CsvStream, GivesNoBlockBehindTheLastHoweverOftenItIsAsked) {
  CsvLabels labels;
  CsvStream stream(std::make_unique<BytesInMemory>("a,b\n1,2\n3,4\n"), "data.csv", {}, labels);
  const auto block = stream.next();
  ASSERT_TRUE(block);
  EXPECT_EQ(block->rows, 2U);
  EXPECT_EQ((*block)(1, 0), 3.0);
  EXPECT_FALSE(stream.next());
  EXPECT_FALSE(stream.next());
}

// A header, many rows of "1", and more text.
class ManyRows : public ByteSource {
 public:
  ManyRows(std::size_t rows, std::string_view last) : rows_(rows), last_(last) {}

  std::size_t read(std::span<char> room) override {
    if (const std::size_t count = header_.read(room)) return count;
    const std::size_t rows = std::min(rows_, room.size() / 2);
    if (rows == 0) return last_.read(room);
    for (std::size_t i = 0; i < rows; ++i) std::memcpy(room.data() + 2 * i, "1\n", 2);
    rows_ -= rows;
    return 2 * rows;
  }

 private:
  BytesInMemory header_{"a\n"};
  std::size_t rows_;
  BytesInMemory last_;
};

TEST(CsvStream, NamesTheLineOfABadCellBehindNineMillionRows) {
  CsvLabels labels;
  CsvStream stream(std::make_unique<ManyRows>(9000000, "x\n"), "data.csv", {}, labels);
  std::size_t rows = 0;
  const auto read = [&] { stream.for_each([&](MatrixView block) { rows += block.rows; }); };
  test::expect_parts(message_of<DataError>(read), {"data.csv line 9000002, column \"a\"", "\"x\" is not a number"});
  EXPECT_GT(rows, 5000000U);
}

TEST(CsvText, RefusesALineOrAnOpenQuoteThatWouldFillTheMemory) {
  const auto read = [](std::string_view start) {
    std::string text = "a\n1\n" + std::string(start) + std::string(100000, '7');
    CsvText records(std::make_unique<BytesInMemory>(text), "data.csv", 1000, 10000);
    while (!records.next(3).empty()) continue;
  };
  test::expect_parts(message_of<DataError>([&] { read("\"\n"); }), {"data.csv line 3", "opened but not closed"});
  test::expect_parts(message_of<DataError>([&] { read(""); }), {"data.csv line 3 is longer than 9.8 KiB"});
}

TEST(CsvStream, RefusesBlocksLargerThanItsMemory) {
  CsvOptions options;
  options.memory = 10000.0 / (1 << 30);
  std::string text = "a,b\n";
  for (int i = 0; i < 1000; ++i) text += "1,2\n";
  test::expect_parts(parse_in_chunks(text, 1 << 18, options).refusal, {"data.csv", "1000 × 2 numbers", "memory"});
}

TEST(CsvStream, RefusesLineEndsOfTwoKinds) {
  const std::string text = "a,b\r" + std::string(std::size_t{1} << 21, '\r') + "1,2\n3,4\n";
  test::expect_parts(parse_in_chunks(text, 1 << 18, {}).refusal, {"data.csv", "one kind of line ending"});
}

}  // namespace csv_stream_test
}  // namespace shrimp

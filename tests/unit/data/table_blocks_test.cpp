#include "shrimp/table_blocks.hpp"

#include <sys/stat.h>

#include <thread>

#include "data/input_file.hpp"
#include "support.hpp"

namespace shrimp {
namespace table_blocks_test {

using test::expect_parts;
using test::message_of;
using test::write_text;

constexpr std::size_t many = 2 * rows_of_a_block + 100;

std::string table_text(std::size_t rows) {
  std::string text = "a,who,w,b,y\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const auto value = static_cast<double>(i);
    text += std::to_string(value / 7) + ",patient " + std::to_string(i * 31 % 977) + ",2," + std::to_string(i % 13) +
            "," + std::to_string(value / 3) + "\n";
  }
  return text;
}

// All blocks as one data set.
Dataset gather(RowBlocks& blocks) {
  std::vector<std::vector<double>> columns(blocks.heading().inputs.size());
  Dataset all;
  std::size_t rows = 0;
  blocks.for_each([&](const Dataset& block) {
    EXPECT_EQ(rows % rows_of_a_block, 0U);
    EXPECT_EQ(block.inputs, blocks.heading().inputs);
    EXPECT_EQ(block.X.rows(), block.y.size());
    rows += block.X.rows();
    for (std::size_t j = 0; j < columns.size(); ++j) {
      columns[j].insert(columns[j].end(), block.X.col(j).begin(), block.X.col(j).end());
    }
    all.y.insert(all.y.end(), block.y.begin(), block.y.end());
    all.weights.insert(all.weights.end(), block.weights.begin(), block.weights.end());
    all.groups.insert(all.groups.end(), block.groups.begin(), block.groups.end());
  });
  all.inputs = blocks.heading().inputs;
  all.X = Matrix(rows, columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) std::ranges::copy(columns[j], all.X.col(j).begin());
  return all;
}

void expect_same(const Dataset& data, const Dataset& expected) {
  EXPECT_EQ(data.inputs, expected.inputs);
  EXPECT_EQ(data.y, expected.y);
  EXPECT_EQ(data.weights, expected.weights);
  EXPECT_EQ(data.groups, expected.groups);
  ASSERT_EQ(data.X.rows(), expected.X.rows());
  const std::size_t size = expected.X.rows() * expected.X.cols();
  EXPECT_TRUE(std::equal(data.X.data(), data.X.data() + size, expected.X.data()));
}

Dataset read_at_once(const std::string& path) {
  CsvOptions options;
  options.labels = "who";
  return take_groups(take_weights(split_target(read_csv(path, options), "y", path), "w", path), "who", path);
}

TEST(RowBlocks, OfAFileAreItsRowsInEveryPass) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("t.csv");
  for (const std::size_t rows : {std::size_t{1}, rows_of_a_block, many}) {
    write_text(path, table_text(rows));
    const Dataset expected = read_at_once(path);
    const auto from_file = read_csv_blocks(path, "y", "w", "who");
    const auto from_memory = blocks_of(expected);
    EXPECT_EQ(from_file->heading().source, path);
    EXPECT_EQ(from_file->heading().target, "y");
    EXPECT_EQ(from_file->heading().X.rows(), 0U);
    for (int pass = 0; pass < 2; ++pass) {
      expect_same(gather(*from_file), expected);
      expect_same(gather(*from_memory), expected);
    }
  }
}

TEST(RowBlocks, StartAnewAfterAPassThatWasEnded) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("t.csv");
  write_text(path, table_text(many));
  const auto blocks = read_csv_blocks(path, "y", "w", "who");
  const auto stop = [&] { blocks->for_each([](const Dataset&) { throw DataError("enough"); }); };
  EXPECT_EQ(message_of<DataError>(stop), "enough");
  expect_same(gather(*blocks), read_at_once(path));
}

TEST(RowBlocks, RefuseColumnsThatAreNotThere) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("t.csv");
  write_text(path, table_text(3));
  CsvOptions options;
  options.ignore = {"who"};
  const auto open = [&](const char* target, const char* weights, const char* groups) {
    return message_of<OptionError>([&] { (void)read_csv_blocks(path, target, weights, groups, options); });
  };
  expect_parts(open("yy", "", ""), {path.c_str(), "\"yy\"", "Did you mean \"y\""});
  expect_parts(open("y", "v", ""), {"weights"});
  expect_parts(open("y", "w", "v"), {"groups"});
  expect_parts(message_of<FileError>([&] { (void)read_csv_blocks(folder.file("none"), "y"); }), {"No such file"});
}

TEST(RowBlocks, RefuseAFileThatChangedBetweenPasses) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("t.csv");
  write_text(path, table_text(3));
  const auto blocks = read_csv_blocks(path, "y", "w", "who");
  write_text(path, table_text(4));
  expect_parts(message_of<FileError>([&] { gather(*blocks); }), {path.c_str(), "changed"});
}

// A pipe into which a thread writes, and which nobody need read to its end.
class Pipe {
 public:
  Pipe(const std::string& path, std::string text)
      : path_(path), text_(std::move(text)), handler_(::signal(SIGPIPE, SIG_IGN)) {
    EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
    writer_ = std::thread([this] { write_text(path_, text_); });
  }
  ~Pipe() {
    writer_.join();
    ::signal(SIGPIPE, handler_);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

 private:
  std::string path_;
  std::string text_;
  sighandler_t handler_;
  std::thread writer_;
};

TEST(RowBlocks, OfAPipeAreKeptForLaterPassesAndLeaveNoFile) {
  const test::TemporaryFolder folder;
  const test::TemporaryFolder kept;
  const std::string text = table_text(many);
  write_text(folder.file("t.csv"), text);
  const Dataset expected = read_at_once(folder.file("t.csv"));
  ::setenv("TMPDIR", kept.file("").c_str(), 1);
  const Pipe pipe(folder.file("pipe"), text);
  const auto blocks = read_csv_blocks(folder.file("pipe"), "y", "w", "who");
  EXPECT_EQ(kept.entries(), 0U);
  const auto stop = [&] { blocks->for_each([](const Dataset&) { throw DataError("enough"); }); };
  EXPECT_EQ(message_of<DataError>(stop), "enough");
  for (int pass = 0; pass < 2; ++pass) expect_same(gather(*blocks), expected);
  ::unsetenv("TMPDIR");
}

TEST(RowBlocks, OfAPipeNeedRoomForIt) {
  const test::TemporaryFolder folder;
  const Pipe pipe(folder.file("pipe"), table_text(5000));
  std::string message;
  {
    const test::FullDisk disk(10000);
    message = message_of<FileError>([&] { gather(*read_csv_blocks(folder.file("pipe"), "y", "w", "who")); });
  }
  expect_parts(message, {"cannot copy", "pipe", "TMPDIR"});
}

TEST(InputFile, ThatIsAPipeIsReadOnceUnlessMoreWasSaid) {
  const test::TemporaryFolder folder;
  const Pipe pipe(folder.file("pipe"), "abc");
  InputFile file(folder.file("pipe"), InputFile::Passes::one);
  char room[10];
  const auto bytes = file.bytes();
  while (bytes->read(room) > 0) continue;
  expect_parts(message_of<FileError>([&] { (void)file.bytes(); }), {"pipe", "read only once"});
}

}  // namespace table_blocks_test
}  // namespace shrimp

#include "data/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <set>

#include "support.hpp"

namespace shrimp {
namespace file_test {

using test::message_of;
using test::read_text;
using test::write_text;

constexpr double plenty = 1e9;

TEST(File, ComesBackAsItWasWritten) {
  const test::TemporaryFolder folder;
  std::string text = "a\r\n\xFF";
  text += '\0';
  for (int k = 0; k < 100000; ++k) text += "some text";
  write_file(folder.file("f"), text);
  EXPECT_EQ(read_file(folder.file("f"), plenty).text(), text);
}

TEST(File, IsReplacedWholeAndLeavesNoTemporaryFile) {
  const test::TemporaryFolder folder;
  write_file(folder.file("f"), "long old content");
  write_file(folder.file("f"), "new");
  EXPECT_EQ(read_text(folder.file("f")), "new");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(File, StaysAsItWasWhenTheDiskIsFull) {
  const test::TemporaryFolder folder;
  write_file(folder.file("f"), "old");
  std::string message;
  {
    const test::FullDisk disk(4096);
    message = message_of<FileError>([&] { write_file(folder.file("f"), std::string(100000, 'x')); });
  }
  test::expect_parts(message, {"cannot write", folder.file("f").c_str()});
  EXPECT_EQ(read_text(folder.file("f")), "old");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(File, KeepsThePermissionsOfTheOneItReplaces) {
  const test::TemporaryFolder folder;
  write_text(folder.file("f"), "old");
  ASSERT_EQ(::chmod(folder.file("f").c_str(), 0640), 0);
  write_file(folder.file("f"), "new");
  struct stat status {};
  ASSERT_EQ(::stat(folder.file("f").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

// The process-wide mask is asked for by nobody: other threads may be making files.
TEST(File, ThatIsNewHasThePermissionsThatNewFilesGet) {
  const test::TemporaryFolder folder;
  const mode_t before = ::umask(027);
  write_file(folder.file("f"), "new");
  EXPECT_EQ(::umask(before), static_cast<mode_t>(027));
  struct stat status {};
  ASSERT_EQ(::stat(folder.file("f").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

std::set<int> open_descriptors() {
  std::set<int> numbers;
  for (int number = 0; number < 1024; ++number) {
    if (::fcntl(number, F_GETFD) >= 0) numbers.insert(number);
  }
  return numbers;
}

TEST(File, ThatIsBeingWrittenIsNotInheritedByOtherPrograms) {
  const test::TemporaryFolder folder;
  const std::set<int> before = open_descriptors();
  const OutputFile file(folder.file("f"));
  std::size_t opened = 0;
  for (const int number : open_descriptors()) {
    if (before.contains(number)) continue;
    ++opened;
    EXPECT_NE(::fcntl(number, F_GETFD) & FD_CLOEXEC, 0);
  }
  EXPECT_EQ(opened, 1U);
}

TEST(File, BehindALinkIsReplacedAndNotTheLink) {
  const test::TemporaryFolder folder;
  write_text(folder.file("f"), "old");
  std::filesystem::create_symlink("f", folder.file("link"));
  write_file(folder.file("link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
  EXPECT_EQ(read_text(folder.file("f")), "new");
}

TEST(File, IsNotWrittenOverAFolderOrIntoAMissingOne) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("folder"));
  test::expect_parts(message_of<FileError>([&] { write_file(folder.file("folder"), "x"); }), {"folder"});
  test::expect_parts(message_of<FileError>([&] { write_file(folder.file("none/f"), "x"); }),
                     {"none/f", "No such file"});
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(File, MayHoldAsManyBytesAsAreAllowedAndNotOneMore) {
  for (const std::size_t expected : {1U, 7U, 1000U, 100000U}) {
    GrowingContent content(expected, 5000.0, "pipe");
    for (int k = 0; k < 5000; ++k) {
      content.room().front() = static_cast<char>(k);
      content.add(1);
    }
    EXPECT_NO_THROW((void)content.room());
    content.add(1);
    test::expect_parts(message_of<DataError>([&] { (void)content.room(); }), {"pipe contains 4.9 KiB or more"});
    const FileContent taken = content.take();
    for (std::size_t k = 0; k < 5000; ++k) ASSERT_EQ(taken.text()[k], static_cast<char>(k));
  }
}

TEST(File, ThatCannotBeReadIsNamed) {
  const test::TemporaryFolder folder;
  const std::string missing = folder.file("missing.csv");
  test::expect_parts(message_of<FileError>([&] { (void)read_csv(missing); }), {missing.c_str(), "No such file"});
  test::expect_parts(message_of<FileError>([&] { (void)read_csv(folder.file("")); }), {"directory"});
}

TEST(File, LargerThanItsLimitIsRefused) {
  const test::TemporaryFolder folder;
  write_text(folder.file("f"), std::string(3000, 'x'));
  const std::string message = message_of<DataError>([&] { (void)read_file(folder.file("f"), 2000); });
  test::expect_parts(message, {folder.file("f").c_str(), "memory"});
}

TEST(File, OfATableIsReadLikeItsText) {
  const test::TemporaryFolder folder;
  write_text(folder.file("t.csv"), "a;b\n1,5;2\n3;4,5\n");
  const Table table = read_csv(folder.file("t.csv"));
  EXPECT_EQ(table.names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(table.values(1, 1), 4.5);
}

}  // namespace file_test
}  // namespace shrimp

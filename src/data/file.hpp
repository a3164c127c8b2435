// Whole files in, and files out.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace shrimp {

/// Bytes in large pages where the system has them: touching fresh memory is half the cost of reading a large file.
class ByteBuffer {
 public:
  explicit ByteBuffer(std::size_t capacity);
  /// What is in it stays. Of much, the system moves the pages: nothing is held twice.
  void grow(std::size_t capacity);
  [[nodiscard]] char* data() const { return bytes_.get(); }

 private:
  struct Free {
    void operator()(char* bytes) const;
  };
  std::unique_ptr<char, Free> bytes_;
};

struct FileContent {
  ByteBuffer bytes;
  std::size_t size = 0;

  [[nodiscard]] std::string_view text() const { return {bytes.data(), size}; }
};

/// Bytes whose number is not known before they are all there.
class GrowingContent {
 public:
  /// `source` names them in messages.
  GrowingContent(std::size_t expected, double most, std::string source);

  /// Where the next bytes go: at least one. Throws DataError where there are more than `most` bytes.
  std::span<char> room();
  /// So many bytes were put there.
  void add(std::size_t count) { content_.size += count; }
  [[nodiscard]] std::string_view text() const { return content_.text(); }
  FileContent take() { return std::move(content_); }

 private:
  double most_;
  std::string source_;
  std::size_t capacity_;
  FileContent content_;
};

/// What refuses a file by its first bytes, of which there are more.
using BeginningCheck = std::function<void(std::string_view beginning)>;

/// Reads all of a file, or of standard input for "-". Throws FileError; throws DataError if more than
/// `most` bytes would be read. Where a file has more than 64 KiB, `check` sees so many first: devices have no end.
FileContent read_file(const std::string& path, double most, const BeginningCheck& check = {});

/// Throws FileError if write_file to this path would fail from the start: no such folder, no permission.
void check_writable(const std::string& path);

/// The file that is written for this path, be it there or not: links are followed, so that none is replaced. Throws
/// FileError where they have no end.
std::string written_file(const std::string& path);

/// Text that is written as it comes, through a temporary file beside `path` that is flushed, then renamed: `path` holds
/// the old content or the new, never a part. "-" and devices are written directly. All of it throws FileError.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  /// What was not finished goes.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text) const;
  /// Nothing comes any more.
  void finish();
  /// A copy of the descriptor, which the caller closes: it keeps the lock of the temporary file after finish().
  [[nodiscard]] int duplicate() const;
  /// The file that is left behind where the program ends before this does; "" where there is none.
  [[nodiscard]] const std::string& temporary() const { return temporary_; }

 private:
  std::string path_;
  std::string destination_;
  std::string temporary_;
  int descriptor_ = -1;
};

/// The same for text that is all there. Signals that end programs wait until it is in place.
void write_file(const std::string& path, std::string_view text);

}  // namespace shrimp

// Whole files in and out.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace shrimp {

/// Bytes in large pages where the system has them: touching fresh memory is half the cost of reading a large file.
class ByteBuffer {
 public:
  explicit ByteBuffer(std::size_t capacity);
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

/// Reads all of a file, or of standard input for "-". Throws FileError; throws DataError if more than
/// `most` bytes would be read.
FileContent read_file(const std::string& path, double most);

/// Throws FileError if write_file to this path would fail from the start: no such folder, no permission.
void check_writable(const std::string& path);

/// Writes through a temporary file beside `path` that is flushed, then renamed: `path` holds the old
/// content or the new, never a part. "-" and devices are written directly. Throws FileError.
void write_file(const std::string& path, std::string_view text);

}  // namespace shrimp

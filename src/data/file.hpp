// Whole files in and out.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace shrimp {

struct FileContent {
  std::unique_ptr<char[]> bytes;
  std::size_t size = 0;

  [[nodiscard]] std::string_view text() const { return {bytes.get(), size}; }
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

// Files, pipes and standard input, read from their first byte as often as asked for.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "data/byte_source.hpp"
#include "data/descriptor.hpp"

namespace shrimp {

/// "-" is standard input. What is no regular file gives its bytes once: where several passes are asked for, they are
/// kept in an unnamed file in the folder for temporary files as they come.
class InputFile {
 public:
  enum class Passes { one, several };

  /// Throws FileError if it cannot be opened, or is a folder.
  InputFile(const std::string& path, Passes passes);

  /// How it is called in messages.
  [[nodiscard]] const std::string& name() const { return name_; }

  /// From the first byte on; it must not outlive the file, and one is read at a time. Throws FileError where a file
  /// changed since it was opened, and where a second pass is asked for against what was said.
  [[nodiscard]] std::unique_ptr<ByteSource> bytes();

 private:
  friend class InputBytes;
  std::size_t read_at(std::size_t position, std::span<char> room);
  std::size_t read_fresh(std::span<char> room);
  void keep(std::span<const char> bytes);
  void check_unchanged() const;

  std::string name_;
  Descriptor file_;
  struct stat status_ {};
  bool regular_ = false;
  std::size_t start_ = 0;  // Where standard input stands in its file.
  std::optional<Descriptor> kept_;
  std::size_t kept_size_ = 0;
  bool opened_ = false;
};

}  // namespace shrimp

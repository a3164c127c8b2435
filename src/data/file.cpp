#include "data/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "data/memory.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int value, bool owned = true) : value_(value), owned_(owned) {}
  ~Descriptor() {
    if (owned_ && value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return value_; }

 private:
  int value_;
  bool owned_;
};

[[noreturn]] void fail(const std::string& what, const std::string& path, int error) {
  throw FileError(fmt::format("{} {}: {}.", what, path == "-" ? "standard output" : path, std::strerror(error)));
}

void write_all(int descriptor, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write", path, errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void refuse_size(const std::string& path, double size, double most) {
  throw DataError(
      fmt::format("{} holds {} or more, but only {} of memory may be used for it.\n"
                  "Give fewer rows or columns, or a machine with more memory.",
                  path, format_bytes(size), format_bytes(most)));
}

bool is_directory(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

}  // namespace

FileContent read_file(const std::string& path, double most) {
  const bool standard_input = path == "-";
  const Descriptor file(standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC), !standard_input);
  if (file.get() < 0) fail("cannot read", path, errno);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail("cannot read", path, errno);
  if (S_ISDIR(status.st_mode)) fail("cannot read", path, EISDIR);
  if (static_cast<double>(status.st_size) > most) refuse_size(path, static_cast<double>(status.st_size), most);

  std::size_t capacity = static_cast<std::size_t>(std::max<off_t>(status.st_size, 0)) + 1;
  if (!S_ISREG(status.st_mode)) capacity = std::max<std::size_t>(capacity, 1 << 16);
  FileContent content{std::make_unique_for_overwrite<char[]>(capacity), 0};
  while (true) {
    const ssize_t got = ::read(file.get(), content.bytes.get() + content.size, capacity - content.size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("cannot read", standard_input ? "standard input" : path, errno);
    if (got == 0) return content;
    content.size += static_cast<std::size_t>(got);
    if (content.size < capacity) continue;
    capacity *= 2;
    if (static_cast<double>(capacity) > most) refuse_size(path, static_cast<double>(content.size), most);
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    std::memcpy(larger.get(), content.bytes.get(), content.size);
    content.bytes = std::move(larger);
  }
}

namespace {

bool is_device(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

// A link is followed, so that the file it names is replaced and not the link.
std::filesystem::path resolve(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path resolved = std::filesystem::weakly_canonical(path, failed);
  return failed ? std::filesystem::path(path) : resolved;
}

// A new file beside `destination` that goes away again unless it is renamed to it.
class TemporaryFile {
 public:
  TemporaryFile(const std::filesystem::path& destination, const std::string& shown_name)
      : destination_(destination), shown_name_(shown_name), name_(destination.string() + ".XXXXXX") {
    if (is_directory(destination.string())) fail("cannot write", shown_name, EISDIR);
    descriptor_ = ::mkstemp(name_.data());
    if (descriptor_ < 0) fail("cannot write", shown_name, errno);
  }
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!renamed_) ::unlink(name_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void write(std::string_view text) const { write_all(descriptor_, text, shown_name_); }

  void become_destination() {
    struct stat status {};
    const mode_t mask = ::umask(0);
    ::umask(mask);
    const bool exists = ::stat(destination_.c_str(), &status) == 0;
    const mode_t mode = exists ? status.st_mode & 0777 : 0666 & ~mask;
    const bool flushed = ::fchmod(descriptor_, mode) == 0 && ::fsync(descriptor_) == 0;
    if (!flushed) fail("cannot write", shown_name_, errno);
    if (::close(std::exchange(descriptor_, -1)) != 0) fail("cannot write", shown_name_, errno);
    if (::rename(name_.c_str(), destination_.c_str()) != 0) fail("cannot write", shown_name_, errno);
    renamed_ = true;
    const std::string folder = destination_.has_parent_path() ? destination_.parent_path().string() : ".";
    const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.get() >= 0) ::fsync(directory.get());
  }

 private:
  std::filesystem::path destination_;
  const std::string& shown_name_;
  std::string name_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

}  // namespace

void check_writable(const std::string& path) {
  if (path == "-" || is_device(path)) return;
  const TemporaryFile probe(resolve(path), path);
}

void write_file(const std::string& path, std::string_view text) {
  if (path == "-") return write_all(STDOUT_FILENO, text, path);
  if (is_device(path)) {
    const Descriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (device.get() < 0) fail("cannot write", path, errno);
    return write_all(device.get(), text, path);
  }
  TemporaryFile file(resolve(path), path);
  file.write(text);
  file.become_destination();
}

}  // namespace shrimp

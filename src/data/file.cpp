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
  int release() { return std::exchange(value_, -1); }

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

void write_file(const std::string& path, std::string_view text) {
  if (path == "-") return write_all(STDOUT_FILENO, text, path);
  if (is_directory(path)) fail("cannot write", path, EISDIR);
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    const Descriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (device.get() < 0) fail("cannot write", path, errno);
    return write_all(device.get(), text, path);
  }
  // A link is followed, so that the file it names is replaced and not the link.
  std::error_code ignored;
  const std::filesystem::path resolved = std::filesystem::weakly_canonical(path, ignored);
  const std::filesystem::path destination = ignored ? std::filesystem::path(path) : resolved;
  std::string temporary = destination.string() + ".XXXXXX";
  Descriptor file(::mkstemp(temporary.data()));
  if (file.get() < 0) fail("cannot write", path, errno);
  const auto give_up = [&](int error) {
    ::unlink(temporary.c_str());
    fail("cannot write", path, error);
  };
  try {
    write_all(file.get(), text, path);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const mode_t mode = status.st_mode != 0 ? status.st_mode & 0777 : 0666 & ~mask;
  if (::fchmod(file.get(), mode) != 0 || ::fsync(file.get()) != 0) give_up(errno);
  if (::close(file.release()) != 0) give_up(errno);
  if (::rename(temporary.c_str(), destination.c_str()) != 0) give_up(errno);
  const std::string folder = destination.has_parent_path() ? destination.parent_path().string() : ".";
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() >= 0) ::fsync(directory.get());
}

}  // namespace shrimp

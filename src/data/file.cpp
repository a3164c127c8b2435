#include "data/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <new>

#include "data/descriptor.hpp"
#include "data/memory.hpp"
#include "shrimp/errors.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

[[noreturn]] void fail(const std::string& what, const std::string& path, int error) {
  fail_at_file(what, path == "-" ? "standard input" : path, error);
}

void refuse_size(const std::string& source, double size, double most) {
  throw DataError(
      fmt::format("{} contains {} or more, but only {} of memory may be used for it.\nGive fewer rows or columns, or "
                  "use a machine with more memory.",
                  source, format_bytes(size), format_bytes(most)));
}

}  // namespace

ByteBuffer::ByteBuffer(std::size_t capacity) {
  constexpr std::size_t large_page = std::size_t{2} << 20;
  const std::size_t size = (capacity + large_page - 1) / large_page * large_page;
  const bool large = capacity >= large_page;
  bytes_.reset(static_cast<char*>(large ? std::aligned_alloc(large_page, size) : std::malloc(capacity)));
  if (!bytes_) throw std::bad_alloc();
  if (large) ::madvise(bytes_.get(), size, MADV_HUGEPAGE);  // A hint: without it all goes on as before.
}

void ByteBuffer::grow(std::size_t capacity) {
  auto* const larger = static_cast<char*>(std::realloc(bytes_.get(), capacity));
  if (larger == nullptr) throw std::bad_alloc();
  static_cast<void>(bytes_.release());
  bytes_.reset(larger);
}

void ByteBuffer::Free::operator()(char* bytes) const { std::free(bytes); }

namespace {

// One more than expected, so that the end of what was expected is seen without more room, and one more than is allowed,
// so that it is seen where that is too little.
std::size_t first_capacity(std::size_t expected, double most) {
  const double wanted = std::min(static_cast<double>(expected), std::max(most, 0.0));
  return static_cast<std::size_t>(wanted) + 1;
}

}  // namespace

GrowingContent::GrowingContent(std::size_t expected, double most, std::string source)
    : most_(most),
      source_(std::move(source)),
      capacity_(first_capacity(expected, most)),
      content_{ByteBuffer(capacity_)} {}

std::span<char> GrowingContent::room() {
  if (static_cast<double>(content_.size) > most_) refuse_size(source_, static_cast<double>(content_.size), most_);
  if (content_.size == capacity_) {
    capacity_ = first_capacity(2 * capacity_, most_);
    content_.bytes.grow(capacity_);
  }
  return {content_.bytes.data() + content_.size, capacity_ - content_.size};
}

namespace {

constexpr std::size_t parallel_size = std::size_t{16} << 20;

constexpr std::size_t size_of_beginning = std::size_t{1} << 16;

void check_beginning(int descriptor, const std::string& path, const BeginningCheck& check) {
  if (!check) return;
  std::string beginning(size_of_beginning, '\0');
  const ssize_t got = ::pread(descriptor, beginning.data(), beginning.size(), 0);
  if (got < 0) fail("cannot read", path, errno);
  beginning.resize(static_cast<std::size_t>(got));
  check(beginning);
}

FileContent read_in_parallel(int descriptor, std::size_t size, const std::string& path) {
  constexpr std::size_t block = std::size_t{8} << 20;
  FileContent content{ByteBuffer(size), size};
  parallel_for((size + block - 1) / block, [&](std::size_t k) {
    std::size_t at = k * block;
    const std::size_t end = std::min(size, at + block);
    while (at < end) {
      const ssize_t got = ::pread(descriptor, content.bytes.data() + at, end - at, static_cast<off_t>(at));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("cannot read", path, errno);
      if (got == 0)
        throw FileError(
            fmt::format("cannot read {}: it became shorter while it was read.\nRun the command again.", path));
      at += static_cast<std::size_t>(got);
    }
  });
  return content;
}

}  // namespace

FileContent read_file(const std::string& path, double most, const BeginningCheck& check) {
  const bool standard_input = path == "-";
  const Descriptor file(standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC), !standard_input);
  if (file.get() < 0) fail("cannot read", path, errno);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail("cannot read", path, errno);
  if (S_ISDIR(status.st_mode)) fail("cannot read", path, EISDIR);
  const std::string source = standard_input ? "standard input" : path;
  if (static_cast<double>(status.st_size) > most) refuse_size(source, static_cast<double>(status.st_size), most);

  if (S_ISREG(status.st_mode) && static_cast<std::size_t>(status.st_size) >= parallel_size) {
    check_beginning(file.get(), path, check);
    return read_in_parallel(file.get(), static_cast<std::size_t>(status.st_size), path);
  }
  const std::size_t expected = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : 1 << 16;
  GrowingContent content(expected, most, source);
  bool checked = !check;
  while (true) {
    const std::span<char> room = content.room();
    const ssize_t got = ::read(file.get(), room.data(), room.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("cannot read", source, errno);
    if (got == 0) return content.take();
    content.add(static_cast<std::size_t>(got));
    if (checked || content.text().size() <= size_of_beginning) continue;
    check(content.text().substr(0, size_of_beginning));
    checked = true;
  }
}

}  // namespace shrimp

#include "data/input_file.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

namespace shrimp {
namespace {

// Calls a system call again where a signal ended it.
template <class Call>
ssize_t repeat(const Call& call) {
  ssize_t result = 0;
  do result = call();
  while (result < 0 && errno == EINTR);
  return result;
}

[[noreturn]] void fail_to_keep(const std::string& name, const std::string& folder, int error) {
  throw FileError(
      fmt::format("cannot copy {}, which is read more than once, to {}: {}.\nGive a file, or set TMPDIR to a folder "
                  "with more space.",
                  name, folder, std::strerror(error)));
}

std::string temporary_folder() {
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  const char* const asked = std::getenv("TMPDIR");
  return failed ? (asked != nullptr ? asked : "/tmp") : folder.string();
}

int open_unnamed_file(const std::string& name) {
  const std::string folder = temporary_folder();
  std::string path = folder + "/shrimp.XXXXXX";
  const int descriptor = ::mkostemp(path.data(), O_CLOEXEC);
  if (descriptor < 0) fail_to_keep(name, folder, errno);
  ::unlink(path.c_str());
  return descriptor;
}

}  // namespace

// One pass over a file.
class InputBytes : public ByteSource {
 public:
  explicit InputBytes(InputFile& file) : file_(file) {}

  std::size_t read(std::span<char> room) override {
    const std::size_t count = file_.read_at(position_, room);
    position_ += count;
    return count;
  }

 private:
  InputFile& file_;
  std::size_t position_ = 0;
};

InputFile::InputFile(const std::string& path, Passes passes)
    : name_(path == "-" ? "standard input" : path),
      file_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC), path != "-") {
  if (file_.get() < 0 || ::fstat(file_.get(), &status_) != 0) fail_at_file("cannot read", name_, errno);
  if (S_ISDIR(status_.st_mode)) fail_at_file("cannot read", name_, EISDIR);
  regular_ = S_ISREG(status_.st_mode);
  if (regular_ && path == "-") {
    const off_t at = ::lseek(file_.get(), 0, SEEK_CUR);
    start_ = at < 0 ? 0 : static_cast<std::size_t>(at);
  }
  if (!regular_ && passes == Passes::several) kept_.emplace(open_unnamed_file(name_));
}

std::unique_ptr<ByteSource> InputFile::bytes() {
  if (regular_) check_unchanged();
  if (opened_ && !regular_ && !kept_) {
    throw FileError(fmt::format("{} can be read only once.\nGive a file.", name_));
  }
  opened_ = true;
  return std::make_unique<InputBytes>(*this);
}

void InputFile::check_unchanged() const {
  struct stat now {};
  if (::fstat(file_.get(), &now) != 0) fail_at_file("cannot read", name_, errno);
  const bool same = now.st_size == status_.st_size && now.st_mtim.tv_sec == status_.st_mtim.tv_sec &&
                    now.st_mtim.tv_nsec == status_.st_mtim.tv_nsec;
  if (!same) throw FileError(fmt::format("{} changed while it was read.\nRun the command again.", name_));
}

std::size_t InputFile::read_at(std::size_t position, std::span<char> room) {
  if (regular_ || position < kept_size_) {
    const int descriptor = regular_ ? file_.get() : kept_->get();
    const auto offset = static_cast<off_t>(start_ + position);
    const std::size_t most = regular_ ? room.size() : std::min(room.size(), kept_size_ - position);
    const ssize_t count = repeat([&] { return ::pread(descriptor, room.data(), most, offset); });
    if (count < 0) fail_at_file("cannot read", name_, errno);
    return static_cast<std::size_t>(count);
  }
  return read_fresh(room);
}

std::size_t InputFile::read_fresh(std::span<char> room) {
  const ssize_t count = repeat([&] { return ::read(file_.get(), room.data(), room.size()); });
  if (count < 0) fail_at_file("cannot read", name_, errno);
  if (kept_) keep(room.first(static_cast<std::size_t>(count)));
  return static_cast<std::size_t>(count);
}

void InputFile::keep(std::span<const char> bytes) {
  while (!bytes.empty()) {
    const auto offset = static_cast<off_t>(kept_size_);
    const ssize_t count = repeat([&] { return ::pwrite(kept_->get(), bytes.data(), bytes.size(), offset); });
    if (count < 0) fail_to_keep(name_, temporary_folder(), errno);
    kept_size_ += static_cast<std::size_t>(count);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

}  // namespace shrimp

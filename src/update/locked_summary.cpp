#include "update/locked_summary.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "data/file.hpp"
#include "shrimp/errors.hpp"
#include "threads/signals.hpp"

namespace shrimp {
namespace {

// Network file systems lock files that are open for writing alone.
std::unique_ptr<const Descriptor> open_file(const std::string& path) {
  constexpr int flags = O_CLOEXEC | O_NONBLOCK;
  int file = ::open(path.c_str(), O_RDWR | flags);
  if (file < 0) file = ::open(path.c_str(), O_RDONLY | flags);
  auto descriptor = std::make_unique<const Descriptor>(file);
  struct stat status {};
  const bool is_regular = file >= 0 && ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  return is_regular ? std::move(descriptor) : nullptr;
}

void lock(int file, const std::function<void()>& on_wait) {
  if (::flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  on_wait();
  while (::flock(file, LOCK_EX) != 0 && errno == EINTR) {
  }
}

}  // namespace

// Who held the lock before may have put another file in its place: that is the one to lock then.
LockedSummary::LockedSummary(std::string path, const std::function<void()>& on_wait) : path_(std::move(path)) {
  bool waited = false;
  const auto wait_once = [&] {
    if (!std::exchange(waited, true)) on_wait();
  };
  do {
    file_ = open_file(path_);
    if (file_) lock(file_->get(), wait_once);
  } while (file_ && !is_at_path());
}

bool LockedSummary::is_at_path() const {
  struct stat own {};
  struct stat there {};
  return ::fstat(file_->get(), &own) == 0 && ::stat(path_.c_str(), &there) == 0 && own.st_dev == there.st_dev &&
         own.st_ino == there.st_ino;
}

// A temporary file is locked from its beginning on (data/file.hpp), and a copy of its descriptor keeps the lock.
void LockedSummary::save(const ModelSummary& summary) {
  const HeldSignals held = HeldSignals::that_end();
  OutputFile file(path_);
  file.write(to_bytes(summary));
  if (file_ && !is_at_path()) {
    throw FileError(fmt::format(
        "{} was changed by another program after it was read; nothing was written.\nRun the command again.", path_));
  }
  auto next = std::make_unique<const Descriptor>(file.duplicate());
  file.finish();
  file_ = std::move(next);
}

}  // namespace shrimp

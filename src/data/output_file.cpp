#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <random>
#include <utility>

#include "data/descriptor.hpp"
#include "data/file.hpp"
#include "threads/signals.hpp"

namespace shrimp {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, int error) {
  fail_at_file("cannot write", path == "-" ? "standard output" : path, error);
}

void write_all(int descriptor, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path, errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool is_device(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

// A temporary file is called as the file, a dot, some letters, and this.
constexpr std::string_view ending = ".shrimp-part";
constexpr std::size_t letters = 8;

std::string random_letters() {
  static constexpr std::string_view alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device random;
  std::string text;
  for (std::size_t k = 0; k < letters; ++k) text += alphabet[random() % alphabet.size()];
  return text;
}

bool is_temporary_of(const std::string& name, const std::string& file) {
  return name.size() == file.size() + 1 + letters + ending.size() && name.starts_with(file + '.') &&
         name.ends_with(ending);
}

// The standard library's iterator of folders ends the program where memory runs out.
struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

// Those of programs that were killed: nobody holds their lock.
void remove_stale(const fs::path& destination) {
  const fs::path folder = destination.parent_path().empty() ? "." : destination.parent_path();
  const std::string name = destination.filename().string();
  const std::unique_ptr<DIR, CloseFolder> entries(::opendir(folder.c_str()));
  while (const dirent* entry = entries ? ::readdir(entries.get()) : nullptr) {
    if (!is_temporary_of(entry->d_name, name)) continue;
    const std::string path = folder / entry->d_name;
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (file.get() >= 0 && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
  }
}

// With the permissions of the file that it will replace, else those that new files get. Its lock says that it is in
// use; between making and locking it, another program may have taken it for a stale one and removed it.
int open_temporary(const std::string& destination, std::string& path) {
  struct stat old {};
  const bool exists = ::stat(destination.c_str(), &old) == 0;
  while (true) {
    path = destination + '.' + random_letters() + std::string(ending);
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, exists ? 0600 : 0666);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) return file;
    struct stat status {};
    const bool kept = ::flock(file, LOCK_EX | LOCK_NB) != 0 || ::fstat(file, &status) != 0 || status.st_nlink > 0;
    if (kept && exists) ::fchmod(file, old.st_mode & 0777);
    if (kept) return file;
    ::close(file);
  }
}

}  // namespace

std::string written_file(const std::string& path) {
  constexpr int most_links = 40;  // As the system follows.
  fs::path place = path;
  std::error_code ignored;
  for (int followed = 0; fs::is_symlink(fs::symlink_status(place, ignored)); ++followed) {
    const fs::path target = fs::read_symlink(place, ignored);
    if (followed == most_links || target.empty()) fail(path, ELOOP);
    place = place.parent_path() / target;  // An absolute target stays alone.
  }
  return place.string();
}

OutputFile::OutputFile(const std::string& path) : path_(path) {
  if (path == "-") {
    descriptor_ = STDOUT_FILENO;
  } else if (is_device(path)) {
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    destination_ = written_file(path);
    std::error_code ignored;
    if (fs::is_directory(destination_, ignored)) fail(path, EISDIR);
    remove_stale(destination_);
    descriptor_ = open_temporary(destination_, temporary_);
    if (descriptor_ < 0) temporary_.clear();
  }
  if (descriptor_ < 0) fail(path, errno);
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  if (descriptor_ >= 0 && path_ != "-") ::close(descriptor_);
}

void OutputFile::write(std::string_view text) const { write_all(descriptor_, text, path_); }

int OutputFile::duplicate() const { return ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0); }

void OutputFile::finish() {
  if (temporary_.empty()) return;
  if (::fsync(descriptor_) != 0) fail(path_, errno);
  if (::rename(temporary_.c_str(), destination_.c_str()) != 0) fail(path_, errno);
  temporary_.clear();
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(path_, errno);
  const fs::path folder = fs::path(destination_).parent_path();
  const Descriptor directory(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() >= 0) ::fsync(directory.get());
}

void check_writable(const std::string& path) {
  if (path == "-" || is_device(path)) return;
  const HeldSignals held = HeldSignals::that_end();
  const OutputFile probe(path);
}

// What is all there is on the disk soon: a signal that would end the program waits so long, and finds no half of a
// file.
void write_file(const std::string& path, std::string_view text) {
  const bool may_block = path == "-" || is_device(path);
  const HeldSignals held = may_block ? HeldSignals(std::initializer_list<int>{}) : HeldSignals::that_end();
  OutputFile file(path);
  file.write(text);
  file.finish();
}

}  // namespace shrimp

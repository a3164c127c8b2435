// A summary file that one program at a time reads, adds to and writes.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "data/descriptor.hpp"
#include "shrimp/update.hpp"

namespace shrimp {

/// Holds an advisory lock (flock) on the file while it lives. The lock is on the file itself: there is none beside it
/// that could stay behind.
class LockedSummary {
 public:
  /// Waits for as long as another program holds the lock, after a call of `on_wait`. A path without a file, and a file
  /// system without locks, give no lock; `save` then still finds out whether the file has changed.
  LockedSummary(std::string path, const std::function<void()>& on_wait);

  /// Writes as save_summary does; the new file is locked before it is in place. Throws FileError, and writes nothing,
  /// where the path has come to name another file.
  void save(const ModelSummary& summary);

 private:
  [[nodiscard]] bool is_at_path() const;

  std::string path_;
  std::unique_ptr<const Descriptor> file_;  // None: there was no file.
};

}  // namespace shrimp

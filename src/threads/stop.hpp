// Work that can be called off between any two of its tiles.
#pragma once

#include <atomic>

namespace shrimp {

/// While it lives, parallel_for on this thread, and in what its bodies call, throws Interrupted soon after `stop`
/// becomes true; null: as if it were not there.
class StopScope {
 public:
  explicit StopScope(const std::atomic<bool>* stop);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  /// That of this thread; null outside of every scope.
  static const std::atomic<bool>* current();

 private:
  const std::atomic<bool>* before_;
};

}  // namespace shrimp

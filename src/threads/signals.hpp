// Signals that wait: of a thread, while something is done that they must not cut in two.
#pragma once

#include <csignal>
#include <initializer_list>

namespace shrimp {

/// Holds signals back from this thread, and from threads that it starts meanwhile, while it lives. Those that came to
/// the process in the meantime go to another thread that takes them, or come when it ends.
class HeldSignals {
 public:
  /// Those by which people and systems end programs.
  static HeldSignals that_end() { return HeldSignals({SIGINT, SIGTERM, SIGHUP, SIGXCPU}); }

  /// All that come from outside: for threads that are none of the caller's.
  static HeldSignals from_outside() {
    sigset_t set;
    sigfillset(&set);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP}) sigdelset(&set, own);
    return HeldSignals(set);
  }

  explicit HeldSignals(std::initializer_list<int> signals) : HeldSignals(set_of(signals)) {}
  ~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

 private:
  explicit HeldSignals(const sigset_t& set) { pthread_sigmask(SIG_BLOCK, &set, &before_); }

  static sigset_t set_of(std::initializer_list<int> signals) {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : signals) sigaddset(&set, signal);
    return set;
  }

  sigset_t before_;
};

}  // namespace shrimp

// Work without the lock of the interpreter.
//
// A thread that asks for the lock while the interpreter ends is ended itself, in the middle of whatever frames it has:
// from C++ that aborts the process. Such threads are daemons, which nobody waits for; here they sleep until the process
// is gone.
#pragma once

#include <nanobind/nanobind.h>

namespace shrimp::python {

/// This thread does not have the lock while it lives.
class Unlocked {
 public:
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_;
};

/// From now on no other thread takes the lock back: for the end of the interpreter. The caller has the lock.
void keep_others_unlocked();

}  // namespace shrimp::python

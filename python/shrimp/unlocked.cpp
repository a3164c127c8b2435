#include "unlocked.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace shrimp::python {
namespace {

using namespace std::chrono_literals;

std::atomic<bool> ending = false;
std::atomic<int> asking = 0;  // Threads that may be waiting for the lock.
thread_local bool is_the_last = false;

}  // namespace

Unlocked::Unlocked() : state_(PyEval_SaveThread()) {}

// Either the thread that ends the interpreter sees that this one asks, and waits for it, or this one sees that it ends.
Unlocked::~Unlocked() {
  ++asking;
  if (ending && !is_the_last) {
    --asking;
    while (true) std::this_thread::sleep_for(1h);
  }
  PyEval_RestoreThread(state_);
  --asking;
}

void keep_others_unlocked() {
  is_the_last = true;
  ending = true;
  while (asking > 0) {
    PyThreadState* const state = PyEval_SaveThread();
    std::this_thread::sleep_for(1ms);
    PyEval_RestoreThread(state);
  }
}

}  // namespace shrimp::python

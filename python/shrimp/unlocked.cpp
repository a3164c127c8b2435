#include "unlocked.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace shrimp::python {
namespace {

using namespace std::chrono_literals;

std::atomic<bool> ending = false;
std::atomic<int> away = 0;    // Threads that work without the lock.
std::atomic<int> asking = 0;  // Those of them that may be waiting for it.
thread_local bool is_the_last = false;

}  // namespace

Unlocked::Unlocked() : state_(PyEval_SaveThread()) { ++away; }

// Either the thread that ends the interpreter sees that this one asks, and waits for it, or this one sees that it ends.
Unlocked::~Unlocked() {
  ++asking;
  if (ending && !is_the_last) {
    --asking;
    while (true) std::this_thread::sleep_for(1h);
  }
  PyEval_RestoreThread(state_);
  --asking;
  --away;
}

void keep_others_unlocked() {
  is_the_last = true;
  ending = true;
  while (asking > 0) {
    PyThreadState* const state = PyEval_SaveThread();
    std::this_thread::sleep_for(1ms);
    PyEval_RestoreThread(state);
  }
  if (away > 0) nanobind::set_leak_warnings(false);  // What those threads hold is never given back.
}

}  // namespace shrimp::python

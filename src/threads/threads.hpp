// One pool of threads (threads/pool.hpp) under fixed tiles of work.
//
// What a tile computes does not depend on how many threads there are, and BLAS runs on one thread inside a tile: the
// same input gives the same bits on any number of threads.
#pragma once

#include <cstddef>
#include <functional>

#include "threads/blas.hpp"
#include "threads/pool.hpp"

namespace shrimp {

/// `asked`. Where it is 0, the threads of the scope around it; outside of one, what OMP_NUM_THREADS allows, else every
/// core that this process may use.
int thread_count(int asked);

/// Until the end of the scope, this thread's parallel_for uses thread_count(threads) threads, and BLAS one. With a BLAS
/// that only one thread may call, one in all.
class ThreadScope {
 public:
  explicit ThreadScope(int threads);
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  Team own_;
  Team* team_before_;
  BlasOnOneThread blas_;
};

/// Calls body(0), …, body(count − 1) in any order. An exception from a body is rethrown here. A body may call it again:
/// threads that have nothing else to do help there. Where all of it takes less than `smallest_shared_work` operations
/// (unless told, it takes more) one thread does it: threads that wait for each other cost more, a hundredfold on a
/// machine that has other work.
void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body, double operations = 1e300);

inline constexpr double smallest_shared_work = 65536.0;

}  // namespace shrimp

// Threads that wait asleep until there is work.
//
// A loop's indices are handed out in batches to the thread that asks for help and to as many helpers as are free. A
// helper that finds nothing to do looks around for some microseconds, which is what passes between two loops of one
// computation, and then sleeps: threads that spin longer take cores from others, and from each other where the machine
// has other work.
//
// After a fork the child has none of its parent's threads: it makes a pool of its own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <list>
#include <mutex>

namespace shrimp {

class ThreadPool {
 public:
  /// This process's.
  static ThreadPool& instance();

  /// Calls body(0), …, body(count − 1), `batch` of them at a time, on this thread and up to `helpers` others.
  /// An exception of a body is rethrown when all threads are done.
  void run(std::size_t count, std::size_t batch, const std::function<void(std::size_t)>& body, std::size_t helpers);

 private:
  struct Loop {
    std::size_t count;
    std::size_t batch;
    const std::function<void(std::size_t)>& body;
    std::size_t places;  // For helpers that may still join; under the pool's mutex, as are those inside.
    std::size_t inside = 0;
    std::atomic<std::size_t> next = 0;
    std::exception_ptr failure = {};
    std::mutex failing = {};

    void work();
  };

  ThreadPool() = default;
  void help();
  void add_threads(std::size_t wanted);
  [[nodiscard]] Loop* find_loop();

  std::mutex mutex_;
  std::condition_variable work_there_;
  std::condition_variable helper_left_;
  std::list<Loop*> loops_;
  std::atomic<std::size_t> open_places_ = 0;  // Read without the mutex by those who look around.
  std::size_t threads_ = 0;
};

}  // namespace shrimp

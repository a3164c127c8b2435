// Threads that wait asleep until there is work.
//
// A loop's indices are handed out in batches to the thread that asks for help and to as many helpers as are free. A
// body may run a loop of its own, which helpers that have nothing else to do then join: five bodies on sixteen threads
// leave none of them idle. Who waits for the last bodies of a loop helps with the loops inside of them, and with no
// others, as they might need what the waiting thread holds.
//
// A helper that finds nothing to do looks around for some microseconds, which is what passes between two loops of one
// computation, and then sleeps: threads that spin longer take cores from others, and from each other where the machine
// has other work.
//
// After a fork the child has none of its parent's threads: it makes a pool of its own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <mutex>

namespace shrimp {

/// How many threads one computation may use, in all of its loops together.
class Team {
 public:
  explicit Team(std::size_t threads) : threads_(threads), spare_(static_cast<std::ptrdiff_t>(threads) - 1) {}

  [[nodiscard]] std::size_t threads() const { return threads_; }

 private:
  friend class ThreadPool;
  std::size_t threads_;
  std::atomic<std::ptrdiff_t> spare_;  // Threads that do nothing; changed under the pool's mutex.
};

class ThreadPool {
 public:
  /// This process's.
  static ThreadPool& instance();

  /// The team that this thread works for in a body of a loop; null outside of one.
  static Team* team_inside();

  /// Calls body(0), …, body(count − 1), `batch` of them at a time, on this thread and up to `helpers` others of the
  /// team. An exception of a body is rethrown when all threads are done.
  void run(Team& team, std::size_t count, std::size_t batch, const std::function<void(std::size_t)>& body,
           std::size_t helpers);

 private:
  struct Loop {
    Team& team;
    const Loop* parent;  // In whose body this loop runs.
    std::size_t count;
    std::size_t batch;
    const std::function<void(std::size_t)>& body;
    std::size_t places;  // For helpers that may still join; under the pool's mutex, as are those inside.
    std::size_t inside = 0;
    std::atomic<std::size_t> next = 0;
    std::exception_ptr failure = {};
    std::mutex failing = {};

    void work();
    [[nodiscard]] bool wants_help() const {
      return places > 0 && next.load(std::memory_order_relaxed) < count && team.spare_ > 0;
    }
    [[nodiscard]] bool is_inside(const Loop* other) const;
  };

  ThreadPool() = default;
  void help();
  void add_threads(std::size_t wanted);
  void wait_for_helpers(Loop& loop);
  [[nodiscard]] Loop* find_loop(const Loop* ancestor) const;
  [[nodiscard]] Loop* wait_for_loop(std::unique_lock<std::mutex>& lock);
  void work_on(Loop& loop, std::unique_lock<std::mutex>& lock);

  static thread_local const Loop* current;  // In whose body this thread is.

  std::mutex mutex_;
  std::condition_variable work_there_;
  std::condition_variable helper_left_;
  std::list<Loop*> loops_;
  std::atomic<std::uint64_t> loops_begun_ = 0;  // Read without the mutex by those who look around.
  std::size_t threads_ = 0;
  std::size_t waiting_ = 0;  // Threads that wait for the helpers of their loop.
};

}  // namespace shrimp

#include "threads/pool.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "threads/signals.hpp"

namespace shrimp {
namespace {

constexpr std::chrono::microseconds time_to_look_around{30};

}  // namespace

thread_local const ThreadPool::Loop* ThreadPool::current = nullptr;

// Never destroyed: helpers sleep on it until the process ends.
ThreadPool& ThreadPool::instance() {
  static std::mutex mutex;
  static ThreadPool* pool = nullptr;
  static std::atomic<pid_t> owner = 0;
  if (owner.load(std::memory_order_acquire) == getpid()) return *pool;
  if (owner != 0) new (&mutex) std::mutex;  // A fork may have copied it locked; the child has one thread now.
  const std::lock_guard lock(mutex);
  if (owner != getpid()) {
    pool = new ThreadPool;
    owner.store(getpid(), std::memory_order_release);
  }
  return *pool;
}

Team* ThreadPool::team_inside() { return current != nullptr ? &current->team : nullptr; }

void ThreadPool::Loop::work() {
  const Loop* const outer = std::exchange(current, this);
  while (true) {
    const std::size_t first = next.fetch_add(batch, std::memory_order_relaxed);
    if (first >= count) break;
    for (std::size_t k = first; k < std::min(first + batch, count); ++k) {
      try {
        body(k);
      } catch (...) {
        const std::lock_guard lock(failing);
        if (!failure) failure = std::current_exception();
      }
    }
  }
  current = outer;
}

bool ThreadPool::Loop::is_inside(const Loop* other) const {
  for (const Loop* loop = parent; loop != nullptr; loop = loop->parent) {
    if (loop == other) return true;
  }
  return false;
}

void ThreadPool::run(Team& team, std::size_t count, std::size_t batch, const std::function<void(std::size_t)>& body,
                     std::size_t helpers) {
  Loop loop{team, current, count, batch, body, helpers};
  const bool alone = helpers == 0 || team.spare_.load(std::memory_order_relaxed) <= 0;
  if (!alone) {
    const std::lock_guard lock(mutex_);
    add_threads(team.threads_ - 1);
    loops_.push_back(&loop);
    loops_begun_.fetch_add(1, std::memory_order_relaxed);
    const auto called = std::min(static_cast<std::ptrdiff_t>(helpers), team.spare_.load());
    for (std::ptrdiff_t k = 0; k < called; ++k) work_there_.notify_one();
    if (waiting_ > 0) helper_left_.notify_all();
  }
  loop.work();
  if (!alone) wait_for_helpers(loop);
  if (loop.failure) std::rethrow_exception(loop.failure);
}

void ThreadPool::wait_for_helpers(Loop& loop) {
  std::unique_lock lock(mutex_);
  loops_.remove(&loop);
  ++waiting_;
  ++loop.team.spare_;
  while (loop.inside > 0) {
    if (Loop* const inner = find_loop(&loop)) {
      work_on(*inner, lock);
    } else {
      helper_left_.wait(lock);
    }
  }
  --loop.team.spare_;
  --waiting_;
}

// Where the system gives no more threads, those there are do the work. Signals are for the program's own threads.
void ThreadPool::add_threads(std::size_t wanted) {
  if (threads_ >= wanted) return;
  const HeldSignals held = HeldSignals::from_outside();
  while (threads_ < wanted) {
    try {
      std::thread([this] { help(); }).detach();
    } catch (const std::system_error&) {
      return;
    }
    ++threads_;
  }
}

// Inside a body of the ancestor, if there is one. The newest first: others wait for it.
ThreadPool::Loop* ThreadPool::find_loop(const Loop* ancestor) const {
  for (auto place = loops_.rbegin(); place != loops_.rend(); ++place) {
    Loop* const loop = *place;
    if (loop->wants_help() && (ancestor == nullptr || loop->is_inside(ancestor))) return loop;
  }
  return nullptr;
}

ThreadPool::Loop* ThreadPool::wait_for_loop(std::unique_lock<std::mutex>& lock) {
  Loop* loop = find_loop(nullptr);
  if (loop != nullptr) return loop;
  const std::uint64_t seen = loops_begun_;
  lock.unlock();
  const auto until = std::chrono::steady_clock::now() + time_to_look_around;
  while (loops_begun_.load(std::memory_order_relaxed) == seen && std::chrono::steady_clock::now() < until) {
  }
  lock.lock();
  work_there_.wait(lock, [&] { return (loop = find_loop(nullptr)) != nullptr; });
  return loop;
}

void ThreadPool::work_on(Loop& loop, std::unique_lock<std::mutex>& lock) {
  --loop.places;
  --loop.team.spare_;
  ++loop.inside;
  lock.unlock();
  loop.work();
  lock.lock();
  ++loop.team.spare_;
  if (--loop.inside == 0) helper_left_.notify_all();
}

void ThreadPool::help() {
  omp_set_num_threads(1);  // BLAS may take as many threads as OpenMP would.
  std::unique_lock lock(mutex_);
  while (true) work_on(*wait_for_loop(lock), lock);
}

}  // namespace shrimp

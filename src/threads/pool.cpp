#include "threads/pool.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>

namespace shrimp {
namespace {

constexpr std::chrono::microseconds time_to_look_around{30};

}  // namespace

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

void ThreadPool::Loop::work() {
  while (true) {
    const std::size_t first = next.fetch_add(batch, std::memory_order_relaxed);
    if (first >= count) return;
    for (std::size_t k = first; k < std::min(first + batch, count); ++k) {
      try {
        body(k);
      } catch (...) {
        const std::lock_guard lock(failing);
        if (!failure) failure = std::current_exception();
      }
    }
  }
}

void ThreadPool::run(std::size_t count, std::size_t batch, const std::function<void(std::size_t)>& body,
                     std::size_t helpers) {
  Loop loop{count, batch, body, helpers};
  {
    const std::lock_guard lock(mutex_);
    add_threads(helpers);
    loops_.push_back(&loop);
    open_places_ += helpers;
  }
  for (std::size_t k = 0; k < helpers; ++k) work_there_.notify_one();
  loop.work();
  std::unique_lock lock(mutex_);
  loops_.remove(&loop);
  open_places_ -= loop.places;
  helper_left_.wait(lock, [&] { return loop.inside == 0; });
  if (loop.failure) std::rethrow_exception(loop.failure);
}

// Where the system gives no more threads, those there are do the work.
void ThreadPool::add_threads(std::size_t wanted) {
  while (threads_ < wanted) {
    try {
      std::thread([this] { help(); }).detach();
    } catch (const std::system_error&) {
      return;
    }
    ++threads_;
  }
}

ThreadPool::Loop* ThreadPool::find_loop() {
  for (Loop* loop : loops_) {
    if (loop->places == 0) continue;
    --loop->places;
    --open_places_;
    ++loop->inside;
    return loop;
  }
  return nullptr;
}

void ThreadPool::help() {
  omp_set_num_threads(1);  // BLAS takes as many threads as OpenMP would.
  std::unique_lock lock(mutex_);
  while (true) {
    Loop* const loop = find_loop();
    if (loop == nullptr) {
      lock.unlock();
      const auto until = std::chrono::steady_clock::now() + time_to_look_around;
      while (open_places_.load(std::memory_order_relaxed) == 0 && std::chrono::steady_clock::now() < until) {
      }
      lock.lock();
      work_there_.wait(lock, [&] { return open_places_ > 0; });
      continue;
    }
    lock.unlock();
    loop->work();
    lock.lock();
    if (--loop->inside == 0) helper_left_.notify_all();
  }
}

}  // namespace shrimp

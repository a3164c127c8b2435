#include "threads/threads.hpp"

#include <omp.h>

#include <algorithm>

#include "shrimp/errors.hpp"
#include "threads/address_space.hpp"
#include "threads/stop.hpp"

namespace shrimp {
namespace {

constexpr int most_threads = 1024;

thread_local Team* team_of_scope = nullptr;  // Null outside of every scope.
thread_local const std::atomic<bool>* stop_of_scope = nullptr;

// A body works for the team of its loop, whichever thread it runs on.
Team* current_team() {
  Team* const inside = ThreadPool::team_inside();
  return inside != nullptr ? inside : team_of_scope;
}

}  // namespace

// OpenMP itself reads OMP_NUM_THREADS, takes the first number of a list, and every core where it makes no sense.
int thread_count(int asked) {
  constexpr int always_allowed = 64;
  if (asked > 0) return std::min(asked, std::max(always_allowed, omp_get_num_procs()));
  const Team* const team = current_team();
  return team != nullptr ? static_cast<int>(team->threads()) : std::min(omp_get_max_threads(), most_threads);
}

ThreadScope::ThreadScope(int threads)
    : own_(static_cast<std::size_t>(
          threads_with_room(blas_threads() == BlasThreads::serial ? 1 : thread_count(threads)))),
      team_before_(team_of_scope) {
  team_of_scope = &own_;
}

ThreadScope::~ThreadScope() { team_of_scope = team_before_; }

StopScope::StopScope(const std::atomic<bool>* stop) : before_(stop_of_scope) {
  if (stop != nullptr) stop_of_scope = stop;
}

StopScope::~StopScope() { stop_of_scope = before_; }

const std::atomic<bool>* StopScope::current() { return stop_of_scope; }

namespace {

void run_loop(std::size_t count, const std::function<void(std::size_t)>& body, double operations) {
  Team* const team = current_team();
  if (team == nullptr) {
    const ThreadScope scope(0);
    return run_loop(count, body, operations);
  }
  const std::size_t threads = team->threads();
  if (count < 2 || threads == 1 || operations < smallest_shared_work) {
    for (std::size_t k = 0; k < count; ++k) body(k);
    return;
  }
  const std::size_t batch = std::max<std::size_t>(1, count / (8 * threads));
  const std::size_t batches = (count + batch - 1) / batch;
  const double worth = std::min(operations / smallest_shared_work, static_cast<double>(threads));
  ThreadPool::instance().run(*team, count, batch, body, std::min(batches, static_cast<std::size_t>(worth)) - 1);
}

}  // namespace

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body, double operations) {
  const std::atomic<bool>* const stop = stop_of_scope;
  if (stop == nullptr) return run_loop(count, body, operations);
  // Helpers have no scope of their own; a loop within the body needs it, too.
  const auto stoppable = [&](std::size_t k) {
    const StopScope scope(stop);
    if (*stop) throw Interrupted();
    body(k);
  };
  run_loop(count, stoppable, operations);
}

}  // namespace shrimp

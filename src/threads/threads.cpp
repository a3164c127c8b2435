#include "threads/threads.hpp"

#include <omp.h>

#include <algorithm>
#include <exception>

namespace shrimp {
namespace {

constexpr int most_threads = 1024;

thread_local int team = 0;  // Threads of this thread's parallel_for; 0: outside of every scope.

}  // namespace

// OpenMP itself reads OMP_NUM_THREADS, takes the first number of a list, and every core where it makes no sense.
int thread_count(int asked) {
  if (asked > 0) return asked;
  return team > 0 ? team : std::min(omp_get_max_threads(), most_threads);
}

// The OpenMP build of OpenBLAS takes as many threads as OpenMP would by default, so that default is set to one, and
// parallel_for asks for its team by name.
ThreadScope::ThreadScope(int threads) : team_before_(team), default_before_(omp_get_max_threads()) {
  team = thread_count(threads);
  omp_set_num_threads(1);
}

ThreadScope::~ThreadScope() {
  team = team_before_;
  omp_set_num_threads(default_before_);
}

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body, double operations) {
  if (count == 1 || operations < smallest_shared_work) {
    for (std::size_t k = 0; k < count; ++k) body(k);
    return;
  }
  std::exception_ptr failure;
  const int threads = thread_count(team);
  // NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): the pragma reads it.
  const std::size_t batch = std::max<std::size_t>(1, count / (8 * static_cast<std::size_t>(threads)));
#pragma omp parallel for schedule(dynamic, batch) num_threads(threads) if (count > 1)
  for (std::size_t k = 0; k < count; ++k) {
    try {
      body(k);
    } catch (...) {
#pragma omp critical(shrimp_parallel_for)
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

void parallel_over(std::size_t count, const std::function<void(std::size_t)>& body) {
  if (count >= static_cast<std::size_t>(thread_count(team))) return parallel_for(count, body);
  for (std::size_t k = 0; k < count; ++k) body(k);
}

}  // namespace shrimp

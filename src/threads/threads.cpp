#include "threads/threads.hpp"

#include <omp.h>

#include <algorithm>

#include "threads/pool.hpp"

namespace shrimp {
namespace {

constexpr int most_threads = 1024;

thread_local int team = 0;         // Threads of this thread's parallel_for; 0: outside of every scope.
thread_local bool inside = false;  // Whether this thread is in a body of parallel_for: what that calls, it does alone.

class Inside {
 public:
  Inside() : blas_before_(omp_get_max_threads()) {
    inside = true;
    omp_set_num_threads(1);
  }
  ~Inside() {
    inside = false;
    omp_set_num_threads(blas_before_);
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  int blas_before_;
};

}  // namespace

// OpenMP itself reads OMP_NUM_THREADS, takes the first number of a list, and every core where it makes no sense.
int thread_count(int asked) {
  if (asked > 0) return asked;
  return team > 0 ? team : std::min(omp_get_max_threads(), most_threads);
}

// The OpenMP build of OpenBLAS takes as many threads as OpenMP would by default, so that default is set to one.
ThreadScope::ThreadScope(int threads) : team_before_(team), default_before_(omp_get_max_threads()) {
  team = thread_count(threads);
  omp_set_num_threads(1);
}

ThreadScope::~ThreadScope() {
  team = team_before_;
  omp_set_num_threads(default_before_);
}

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body, double operations) {
  const auto threads = static_cast<std::size_t>(thread_count(team));
  if (inside || count < 2 || threads == 1 || operations < smallest_shared_work) {
    for (std::size_t k = 0; k < count; ++k) body(k);
    return;
  }
  const std::size_t batch = std::max<std::size_t>(1, count / (8 * threads));
  const auto alone = [&](std::size_t k) {
    const Inside here;
    body(k);
  };
  ThreadPool::instance().run(count, batch, alone, std::min(threads, count) - 1);
}

void parallel_over(std::size_t count, const std::function<void(std::size_t)>& body) {
  if (count >= static_cast<std::size_t>(thread_count(team))) return parallel_for(count, body);
  for (std::size_t k = 0; k < count; ++k) body(k);
}

}  // namespace shrimp

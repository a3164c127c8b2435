#include "linalg/threads.hpp"

#include <omp.h>

#include <algorithm>
#include <exception>

namespace shrimp {

int thread_count(int asked) { return asked > 0 ? asked : omp_get_num_procs(); }

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& body) {
  std::exception_ptr failure;
  const int team = thread_count(threads);
  const std::size_t batch = std::max<std::size_t>(1, count / (8 * static_cast<std::size_t>(team)));
#pragma omp parallel for schedule(dynamic, batch) num_threads(team)
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

}  // namespace shrimp

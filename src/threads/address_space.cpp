#include "threads/address_space.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <mutex>
#include <vector>

#include "shrimp/errors.hpp"

// Weak: null where another BLAS than OpenBLAS was loaded, or one that hides them.
extern "C" {
[[gnu::weak]] void* blas_memory_alloc(int unused);
[[gnu::weak]] void blas_memory_free(void* buffer);
}

namespace shrimp {
namespace {

constexpr double mib = 1024.0 * 1024.0;
constexpr double buffer_of_blas = 128.0 * mib;
// A buffer, a stack, and what malloc sets aside for a thread.
constexpr double of_a_thread = buffer_of_blas + 8.0 * mib + 128.0 * mib;

double limit_of(__rlimit_resource resource) {
  rlimit limit{};
  const bool limited = ::getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return limited ? static_cast<double>(limit.rlim_cur) : std::numeric_limits<double>::infinity();
}

// Limits are those that a program starts with; asked for in every loop, they would cost more than a small one does.
bool has_limit() {
  static const bool limited = !std::isinf(limit_of(RLIMIT_AS)) || !std::isinf(limit_of(RLIMIT_DATA));
  return limited;
}

// Buffers that OpenBLAS has. It maps them when they are first needed, which may be when other things have taken the
// room, and keeps them: so it is made to map them when there is.
class Buffers {
 public:
  // So many, or as many as there is room for.
  int reserve(int wanted) {
    const std::lock_guard lock(mutex_);
    if (wanted > count_) count_ = std::max(count_, take(wanted));
    return std::min(wanted, count_);
  }

 private:
  static int take(int wanted) {
    const bool can_be_asked = blas_memory_alloc != nullptr && blas_memory_free != nullptr;
    std::vector<void*> taken;
    int count = 0;
    for (; count < wanted && address_space_left() >= 1.1 * buffer_of_blas; ++count) {
      if (can_be_asked) taken.push_back(blas_memory_alloc(0));
    }
    for (void* const buffer : taken) blas_memory_free(buffer);
    return count;
  }

  std::mutex mutex_;
  int count_ = 0;
};

}  // namespace

double address_space_left() {
  const double all = limit_of(RLIMIT_AS);
  const double data = limit_of(RLIMIT_DATA);
  if (std::isinf(all) && std::isinf(data)) return std::numeric_limits<double>::infinity();
  // In pages: everything mapped; what is resident of it, shared, code, unused; data and stack.
  double pages[6] = {};
  std::ifstream sizes("/proc/self/statm");
  for (double& number : pages) sizes >> number;
  const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  return std::max(0.0, std::min(all - page * pages[0], data - page * pages[5]));
}

int threads_with_room(int threads) {
  if (!has_limit()) return threads;
  const double others = std::floor(address_space_left() / 2.0 / of_a_thread);
  const int with_room = others >= threads - 1 ? threads : 1 + static_cast<int>(others);
  static auto* const buffers = new Buffers;  // Never destroyed: threads may still compute while the process ends.
  const int served = buffers->reserve(with_room);
  if (served > 0) return served;
  throw DataError(
      "linear algebra needs 141 MiB of address space, but the limit of this process leaves less.\nRaise the limit: "
      "ulimit -v unlimited, ulimit -d unlimited.");
}

}  // namespace shrimp

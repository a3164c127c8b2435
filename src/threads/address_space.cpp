#include "threads/address_space.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <mutex>

#include "shrimp/errors.hpp"

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

void check_room_for_blas() {
  if (address_space_left() >= 1.1 * buffer_of_blas) return;
  throw DataError(
      "linear algebra needs 141 MiB of address space, and the limit of this process leaves less.\n"
      "Raise it: ulimit -v unlimited, ulimit -d unlimited.");
}

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
  // Limits are those that a program starts with; asked for in every loop, they would cost more than a small one does.
  static const bool has_limit = !std::isinf(limit_of(RLIMIT_AS)) || !std::isinf(limit_of(RLIMIT_DATA));
  if (threads <= 1 || !has_limit) return threads;
  const double others = std::floor(address_space_left() / 2.0 / of_a_thread);
  return others >= threads - 1 ? threads : 1 + static_cast<int>(others);
}

void require_room_for_blas() {
  // Once there, the buffer stays.
  static std::once_flag once;
  std::call_once(once, check_room_for_blas);
}

}  // namespace shrimp

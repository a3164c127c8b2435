#include "shrimp/matrix.hpp"

#ifdef __linux__
#include <sys/mman.h>

#include <cstdint>
#endif

namespace shrimp {

void ask_for_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef __linux__
  constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  // Only a wish: where the system does not know large pages, nothing is lost.
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace shrimp

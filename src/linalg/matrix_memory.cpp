#include "linalg/matrix_memory.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <utility>

#include "shrimp/matrix.hpp"

namespace shrimp {
namespace {

constexpr std::align_val_t alignment{64};

// The address sanitizer sees what lies beyond a block only where malloc made it. GCC and Clang tell of it differently.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer);
#else
constexpr bool sanitized = false;
#endif
constexpr std::size_t smallest_block = sanitized ? SIZE_MAX : std::size_t{256} << 10;

// Of a few sizes, so that a spare block fits: up to an eighth more, which no page stands behind until it is touched.
std::size_t block_size(std::size_t bytes) {
  if (bytes > SIZE_MAX / 2) throw std::bad_alloc();
  const std::size_t unit = std::bit_floor(bytes) / 8;
  return (bytes + unit - 1) / unit * unit;
}

// Spare ones are a chain, the last freed first; a link lies in the block itself, as freeing must not ask for memory.
class Blocks {
 public:
  // Never destroyed: threads may still compute while the process ends.
  static Blocks& instance() {
    static auto* const blocks = new Blocks;
    return *blocks;
  }

  void* take(std::size_t bytes) {
    if (void* const spare = take_spare(bytes)) return spare;
    void* block = map(bytes);
    if (block == nullptr) {
      unmap(all_spare());
      block = map(bytes);
    }
    if (block == nullptr) throw std::bad_alloc();
    const std::lock_guard lock(mutex_);
    use(bytes);
    return block;
  }

  void free(void* block, std::size_t bytes) noexcept {
    Spare* too_many = nullptr;
    {
      const std::lock_guard lock(mutex_);
      used_ -= bytes;
      spare_ = new (block) Spare{spare_, bytes};
      too_many = cut_off(static_cast<std::size_t>(most_spare_memory(static_cast<double>(most_used_))));
    }
    unmap(too_many);
  }

 private:
  struct Spare {
    Spare* next;
    std::size_t bytes;
  };

  // A child of a fork must not find the mutex locked by a thread that it does not have.
  Blocks() {
    pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                   [] { instance().mutex_.unlock(); });
  }

  static void* map(std::size_t bytes) {
    void* const block = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return block == MAP_FAILED ? nullptr : block;
  }

  static void unmap(Spare* first) noexcept {
    while (first != nullptr) {
      Spare* const next = first->next;
      ::munmap(first, first->bytes);
      first = next;
    }
  }

  void* take_spare(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    for (Spare** link = &spare_; *link != nullptr; link = &(*link)->next) {
      if ((*link)->bytes != bytes) continue;
      use(bytes);
      return std::exchange(*link, (*link)->next);
    }
    return nullptr;
  }

  Spare* all_spare() {
    const std::lock_guard lock(mutex_);
    return cut_off(0);
  }

  void use(std::size_t bytes) {
    used_ += bytes;
    most_used_ = std::max(most_used_, used_);
  }

  // Those freed longest ago that would, with the later ones, be more than `most` bytes.
  Spare* cut_off(std::size_t most) noexcept {
    Spare** link = &spare_;
    for (std::size_t bytes = 0; *link != nullptr; link = &(*link)->next) {
      bytes += (*link)->bytes;
      if (bytes > most) break;
    }
    return std::exchange(*link, nullptr);
  }

  std::mutex mutex_;
  Spare* spare_ = nullptr;
  std::size_t used_ = 0;       // By matrices, in bytes.
  std::size_t most_used_ = 0;  // So far.
};

}  // namespace

// With these the default method takes as long as by malloc, within a few percent; with fewer, ten percent longer and
// more.
double most_spare_memory(double most_used) {
  constexpr double share = 0.75;
  constexpr double most = 33554432.0;
  return std::min(most, share * most_used);
}

double* Matrix::allocate(std::size_t entries) {
  const std::size_t bytes = entries * sizeof(double);
  void* const memory =
      bytes < smallest_block ? ::operator new(bytes, alignment) : Blocks::instance().take(block_size(bytes));
  return static_cast<double*>(memory);
}

void Matrix::Free::operator()(double* first) const {
  const std::size_t bytes = entries * sizeof(double);
  if (bytes < smallest_block) {
    ::operator delete(first, alignment);
  } else {
    Blocks::instance().free(first, block_size(bytes));
  }
}

}  // namespace shrimp

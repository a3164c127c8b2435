// Memory that matrices take from the system and return to it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <new>
#include <thread>
#include <vector>

#include "shrimp/matrix.hpp"

extern "C" {
[[gnu::weak]] void __asan_init();
[[gnu::weak]] void __tsan_init();
}

namespace shrimp {
namespace matrix_memory_test {

// The sanitizers replace malloc, keep freed memory and end the process at absurd requests. The build may compile the
// library with a sanitizer and the tests without it, so that only the linked program shows which runtime it has.
const bool sanitized = &__asan_init != nullptr || &__tsan_init != nullptr;

constexpr std::size_t mib = std::size_t{1} << 20;

Matrix of_bytes(std::size_t bytes) { return Matrix(bytes / sizeof(double), 1); }

double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double mapped = 0.0;
  double resident = 0.0;
  file >> mapped >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

TEST(MatrixMemory, OfAnySizeIsAlignedAndCleared) {
  for (const std::size_t bytes : {8UL, 4096UL, mib / 4 - 8, mib / 4, mib / 4 + 8, 3 * mib + 8, 9 * mib}) {
    for (int again = 0; again < 2; ++again) {
      Matrix matrix = of_bytes(bytes);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(matrix.data()) % 64, 0U);
      EXPECT_EQ(std::ranges::count(matrix.col(0), 0.0), static_cast<std::ptrdiff_t>(matrix.rows()));
      std::ranges::fill(matrix.col(0), 1.0);
    }
  }
}

TEST(MatrixMemory, ThatIsFreedServesTheNextMatrixOfAboutThatSize) {
  if (sanitized) GTEST_SKIP() << "the sanitizer keeps what is freed";
  const double* first = of_bytes(8 * mib).data();  // It is not read.
  EXPECT_EQ(of_bytes(8 * mib - 4096).data(), first);
  EXPECT_NE(of_bytes(16 * mib).data(), first);
}

TEST(MatrixMemory, GoesBackToTheSystemButForALittle) {
  if (sanitized) GTEST_SKIP() << "the sanitizer keeps what is freed";
  const double before = resident_bytes();
  {
    std::vector<Matrix> many;
    for (int k = 0; k < 40; ++k) many.push_back(of_bytes(5 * mib));
    EXPECT_GT(resident_bytes() - before, 150.0 * mib);
  }
  EXPECT_LT(resident_bytes() - before, 35.0 * mib);
}

TEST(MatrixMemory, ThatThereIsNotIsRefused) {
  if (sanitized) GTEST_SKIP() << "the sanitizer ends the process";
  EXPECT_THROW((void)Matrix::uninitialized(std::size_t{1} << 40, 1 << 10), std::bad_alloc);
  EXPECT_THROW((void)Matrix::uninitialized((std::size_t{1} << 61) - 1, 1), std::bad_alloc);
  EXPECT_THROW((void)Matrix::uninitialized(std::size_t{1} << 62, 1 << 10), std::bad_alloc);
}

TEST(MatrixMemory, IsSharedByThreads) {
  std::vector<std::thread> threads;
  for (int t = 1; t <= 4; ++t) {
    threads.emplace_back([t] {
      for (int k = 0; k < 50; ++k) {
        Matrix matrix = of_bytes(mib / 2 + static_cast<std::size_t>(k % 3) * mib);
        std::ranges::fill(matrix.col(0), t);
        EXPECT_EQ(std::ranges::count(matrix.col(0), t), static_cast<std::ptrdiff_t>(matrix.rows()));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace matrix_memory_test
}  // namespace shrimp

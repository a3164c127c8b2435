// With whichever BLAS the tests are run; tests/cli/test_blas.py runs these with the pthreads build of OpenBLAS, too.
#include "threads/blas.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <atomic>
#include <latch>
#include <thread>

#include "shrimp/version.hpp"
#include "threads/threads.hpp"

// Of OpenBLAS, which the tests are linked with.
extern "C" void openblas_set_num_threads(int threads);

namespace shrimp {
namespace blas_test {

// What a program around ours has chosen for itself, and what was there before it.
class Chosen {
 public:
  explicit Chosen(int threads) : before_(blas_threads_now()) { choose(threads); }
  ~Chosen() { choose(before_); }
  Chosen(const Chosen&) = delete;
  Chosen& operator=(const Chosen&) = delete;

  static void choose(int threads) {
    omp_set_num_threads(threads);
    if (blas_threads() == BlasThreads::pthreads) openblas_set_num_threads(threads);
  }

 private:
  int before_;
};

// One that cannot have more than one thread.
bool is_serial() { return blas_threads() == BlasThreads::serial; }

TEST(Blas, RunsOnOneThreadInsideAScopeAndAsBeforeAfterIt) {
  if (is_serial()) GTEST_SKIP() << "the serial OpenBLAS has one thread";
  const Chosen chosen(2);
  ASSERT_EQ(blas_threads_now(), 2);
  {
    const ThreadScope scope(4);
    EXPECT_EQ(blas_threads_now(), 1);
    {
      const ThreadScope inner(2);
      EXPECT_EQ(blas_threads_now(), 1);
    }
    EXPECT_EQ(blas_threads_now(), 1);
  }
  EXPECT_EQ(blas_threads_now(), 2);
}

TEST(Blas, RunsOnOneThreadInEveryBody) {
  const Chosen chosen(2);
  std::atomic<int> others = 0;
  const auto look = [&](std::size_t) {
    if (blas_threads_now() != 1) ++others;
  };
  parallel_for(64, look);  // Outside of every scope.
  const ThreadScope scope(4);
  parallel_for(64, look);
  parallel_for(4, [&](std::size_t) { parallel_for(16, look); });
  EXPECT_EQ(others, 0);
}

TEST(Blas, StaysOnOneThreadUntilTheLastScopeOfAnyThreadEnds) {
  if (is_serial()) GTEST_SKIP() << "the serial OpenBLAS has one thread";
  const Chosen chosen(2);
  std::latch begun(1);
  std::latch other_ended(1);
  std::atomic<int> seen = 0;
  std::thread longer([&] {
    const ThreadScope scope(2);
    begun.count_down();
    other_ended.wait();
    seen = blas_threads_now();
  });
  begun.wait();
  { const ThreadScope shorter(2); }
  other_ended.count_down();
  longer.join();
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(blas_threads_now(), 2);
}

TEST(Blas, KeepsWhatTheCallerChoosesMeanwhile) {
  if (blas_threads() != BlasThreads::pthreads) GTEST_SKIP() << "this BLAS has a number of threads per caller";
  const Chosen chosen(2);
  {
    const ThreadScope scope(2);
    openblas_set_num_threads(3);
  }
  EXPECT_EQ(blas_threads_now(), 3);
}

// Two threads that call the serial OpenBLAS at once get wrong numbers.
TEST(Blas, IsCalledByOneThreadAloneWhereItIsSerial) {
  const ThreadScope scope(4);
  std::atomic<int> elsewhere = 0;
  const std::thread::id here = std::this_thread::get_id();
  parallel_for(64, [&](std::size_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (std::this_thread::get_id() != here) ++elsewhere;
  });
  EXPECT_EQ(elsewhere == 0, is_serial());
}

TEST(Blas, TellsItsNameAndKind) {
  const std::string text = blas_description();
  EXPECT_TRUE(text.starts_with("OpenBLAS 0.")) << text;
  const char* const kinds[] = {"openmp", "pthreads", "serial"};
  EXPECT_NE(text.find(kinds[static_cast<int>(blas_threads())]), std::string::npos) << text;
}

}  // namespace blas_test
}  // namespace shrimp

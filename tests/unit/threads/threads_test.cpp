#include "threads/threads.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <ctime>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "shrimp/errors.hpp"
#include "threads/stop.hpp"

namespace shrimp {
namespace threads_test {

std::size_t sum_in_parallel(std::size_t count) {
  std::vector<std::size_t> squares(count);
  parallel_for(count, [&](std::size_t k) { squares[k] = k * k; });
  std::size_t sum = 0;
  for (const std::size_t square : squares) sum += square;
  return sum;
}

constexpr std::size_t sum_of_squares(std::size_t n) { return (n - 1) * n * (2 * n - 1) / 6; }

TEST(ParallelFor, CallsEveryIndexOnce) {
  for (const int threads : {1, 2, 5}) {
    const ThreadScope scope(threads);
    for (const std::size_t count : {0U, 1U, 2U, 7U, 1000U}) {
      std::vector<std::atomic<int>> calls(count);
      parallel_for(count, [&](std::size_t k) { ++calls[k]; });
      for (const std::atomic<int>& own : calls) EXPECT_EQ(own, 1);
    }
  }
}

TEST(ParallelFor, RethrowsWhatABodyThrows) {
  const ThreadScope scope(3);
  EXPECT_THROW(parallel_for(100,
                            [](std::size_t k) {
                              if (k == 41) throw std::runtime_error("41");
                            }),
               std::runtime_error);
  EXPECT_EQ(sum_in_parallel(100), sum_of_squares(100));
}

TEST(ParallelFor, MayBeCalledInsideItself) {
  const ThreadScope scope(3);
  std::atomic<std::size_t> sum = 0;
  parallel_for(10, [&](std::size_t) { sum += sum_in_parallel(50); });
  EXPECT_EQ(sum, 10 * sum_of_squares(50));
}

TEST(ParallelFor, MayBeCalledByManyThreadsAtOnce) {
  std::atomic<int> right = 0;
  std::vector<std::thread> callers;
  for (int t = 0; t < 8; ++t) {
    callers.emplace_back([&] {
      const ThreadScope scope(4);
      for (int k = 0; k < 200; ++k) right += sum_in_parallel(300) == sum_of_squares(300) ? 1 : 0;
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(right, 8 * 200);
}

// As parts of a table that are fitted at once, each with loops of its own.
TEST(ParallelFor, LetsIdleThreadsHelpInsideABody) {
  const ThreadScope scope(4);
  std::atomic<int> inside = 0;
  std::atomic<int> most = 0;
  parallel_for(2, [&](std::size_t) {
    parallel_for(8, [&](std::size_t) {
      const int now = ++inside;
      for (int before = most; before < now && !most.compare_exchange_weak(before, now);) {
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      --inside;
    });
  });
  EXPECT_GT(most, 2);
  EXPECT_LE(most, 4);
}

TEST(ParallelFor, UsesNoMoreThreadsThanItsScopeHasAfterAWiderOne) {
  {
    const ThreadScope wide(6);
    sum_in_parallel(1000);
  }
  const ThreadScope scope(2);
  std::atomic<int> inside = 0;
  std::atomic<int> most = 0;
  parallel_for(2, [&](std::size_t) {
    parallel_for(6, [&](std::size_t) {
      const int now = ++inside;
      for (int before = most; before < now && !most.compare_exchange_weak(before, now);) {
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      --inside;
    });
  });
  EXPECT_LE(most, 2);
}

TEST(ParallelFor, NestsAsDeepAsOneLikes) {
  for (const int threads : {2, 3, 8}) {
    const ThreadScope scope(threads);
    for (int round = 0; round < 50; ++round) {
      std::atomic<std::size_t> sum = 0;
      parallel_for(3, [&](std::size_t) {
        parallel_for(4, [&](std::size_t) { parallel_for(5, [&](std::size_t) { sum += sum_in_parallel(20); }); });
      });
      EXPECT_EQ(sum, 60 * sum_of_squares(20));
    }
  }
}

// Who waits for others must not begin what needs the lock that it holds.
TEST(ParallelFor, MayRunUnderALockThatOtherBodiesWaitFor) {
  const ThreadScope scope(4);
  std::mutex mutex;
  std::size_t sum = 0;
  parallel_for(32, [&](std::size_t) {
    const std::lock_guard lock(mutex);
    sum += sum_in_parallel(64);
  });
  EXPECT_EQ(sum, 32 * sum_of_squares(64));
}

// A child has none of its parent's threads, and whatever lock one of them held stays locked.
TEST(ParallelFor, WorksInAForkedChild) {
  const ThreadScope scope(4);
  EXPECT_EQ(sum_in_parallel(1000), sum_of_squares(1000));
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(sum_in_parallel(1000) == sum_of_squares(1000) ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(sum_in_parallel(1000), sum_of_squares(1000));
}

// Processor time, not seconds: helpers that spin would take four cores' worth of it, for ever. Some BLAS keep threads
// of their own awake for a while after other tests' work, so one quiet moment out of many is enough.
TEST(ParallelFor, LetsThreadsSleepThatHaveNothingToDo) {
  const ThreadScope scope(5);
  sum_in_parallel(1000);
  const auto stays_quiet_for_a_moment = [] {
    const std::clock_t before = std::clock();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC < 0.02;
  };
  bool quiet = false;
  for (int tries = 0; tries < 100 && !quiet; ++tries) quiet = stays_quiet_for_a_moment();
  EXPECT_TRUE(quiet);
}

TEST(ParallelFor, EndsSoonAfterItIsToldToStop) {
  for (const int threads : {1, 4}) {
    std::atomic<bool> stop = false;
    std::atomic<int> begun = 0;
    const ThreadScope scope(threads);
    const StopScope stoppable(&stop);
    EXPECT_THROW(parallel_for(100'000,
                              [&](std::size_t) {
                                const ThreadScope inner(0);  // As functions have that may be called alone.
                                parallel_for(2, [&](std::size_t) { stop = ++begun >= 10; });
                              }),
                 Interrupted);
    EXPECT_LT(begun, 100);
  }
}

}  // namespace threads_test
}  // namespace shrimp

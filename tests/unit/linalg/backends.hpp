// The backends of the linear algebra, each of which has to pass the same tests: LAPACK and mathematics say what is
// right. One more backend is one more entry.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <ostream>
#include <vector>

#include "threads/threads.hpp"

namespace shrimp::test {

struct Backend {
  const char* name;
  void (*choose)();  ///< Calls of src/linalg go to it from then on.
};

inline std::ostream& operator<<(std::ostream& stream, const Backend& backend) { return stream << backend.name; }

/// The CPU is linked in and needs no choosing.
inline constexpr std::array backends{Backend{"Cpu", [] {}}};

/// On one thread, as BLAS is in a fit.
class BackendTest : public ::testing::TestWithParam<Backend> {
 protected:
  void SetUp() override { GetParam().choose(); }

  static void expect_same_bits_on_any_number_of_threads(const std::function<std::vector<double>()>& compute) {
    const std::vector<double> expected = compute();
    const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
    for (const int threads : {2, 3}) {
      const ThreadScope scope(threads);
      EXPECT_TRUE(std::ranges::equal(compute(), expected, {}, bits, bits)) << threads << " threads";
    }
  }

 private:
  ThreadScope one_thread_{1};
};

}  // namespace shrimp::test

/// Names its tests SUITE.TEST/BACKEND.
#define SHRIMP_TEST_EVERY_BACKEND(suite) \
  INSTANTIATE_TEST_SUITE_P(, suite, ::testing::ValuesIn(::shrimp::test::backends), ::testing::PrintToStringParamName())

#include "fit/dependence.hpp"

#include <numeric>

#include "support.hpp"

namespace shrimp {
namespace dependence_test {

using test::Random;

/// A Latin hypercube: every input has each of m levels once, in random order.
Rows latin_hypercube(std::size_t m, std::size_t inputs, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  Rows rows;
  rows.X = Matrix(m, inputs);
  rows.y.assign(m, 0.0);
  for (std::size_t j = 0; j < inputs; ++j) {
    for (std::size_t i = 0; i < m; ++i) {
      std::uint64_t k = engine() % (i + 1);
      rows.X(i, j) = rows.X(k, j);
      rows.X(k, j) = static_cast<double>(i);
    }
  }
  return rows;
}

std::vector<std::uint32_t> first_inputs(std::size_t count) {
  std::vector<std::uint32_t> inputs(count);
  std::iota(inputs.begin(), inputs.end(), 0U);
  return inputs;
}

// By mathematics: p-values of independent inputs are below .05 one time in twenty, or less often.
TEST(Independence, IsNotDeniedOfLatinHypercubes) {
  int below = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    below += *independence_p_value(latin_hypercube(80, 8, seed), first_inputs(8), 0) < 0.05 ? 1 : 0;
  }
  EXPECT_LE(below, 19);  // Three standard errors above ten.
}

TEST(Independence, IsDeniedOfALineAndOfAParabola) {
  for (const bool curved : {false, true}) {
    Rows rows = latin_hypercube(80, 8, 1);
    for (std::size_t i = 0; i < 80; ++i) {
      const double x = (rows.X(i, 0) - 39.5) / 40.0;
      rows.X(i, 5) = (curved ? x * x : x) + 0.01 * rows.X(i, 6);
    }
    EXPECT_LT(*independence_p_value(rows, first_inputs(6), 0), 1e-4) << curved;
    EXPECT_GT(*independence_p_value(rows, {1, 2, 3, 5}, 0), 1e-2) << curved;
  }
}

TEST(Independence, TakesTwoInputs) {
  EXPECT_FALSE(independence_p_value(latin_hypercube(80, 2, 1), {0}, 0).has_value());
}

}  // namespace dependence_test
}  // namespace shrimp

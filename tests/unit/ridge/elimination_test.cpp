#include "ridge/elimination.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "linalg/dense.hpp"
#include "linalg/matrices.hpp"
#include "ridge/elimination_path.hpp"

namespace shrimp {
namespace elimination_test {

using test::random_matrix;
using test::random_vector;

constexpr double lambda = 0.1;

// Columns of which many can stand for one another.
Matrix correlated_columns(std::size_t m, std::size_t n) {
  return multiply(random_matrix(m, n / 2, 1), random_matrix(n / 2, n, 2));
}

struct Equations {
  Matrix M;
  std::vector<double> b;

  Equations(const Matrix& A, const std::vector<double>& y, const std::vector<std::size_t>& columns) : M(0, 0) {
    const Matrix own = gather_columns(A, columns);
    M = multiply_transposed(own, own);
    for (std::size_t j = 0; j < M.cols(); ++j) M(j, j) += lambda;
    b = multiply_transposed(own, y);
  }

  [[nodiscard]] Cholesky factor() const { return Cholesky::factor(Matrix(M)).value(); }

  [[nodiscard]] std::vector<double> solve() const {
    std::vector<double> c = b;
    factor().solve(c);
    return c;
  }
};

// The least of ‖Ac − y‖² + λ‖c‖²; ‖y‖² is left out.
double objective(const Matrix& A, const std::vector<double>& y, const std::vector<std::size_t>& columns) {
  if (columns.empty()) return 0.0;
  const Equations equations(A, y, columns);
  const std::vector<double> c = equations.solve();
  double sum = 0.0;
  for (std::size_t j = 0; j < c.size(); ++j) sum -= c[j] * equations.b[j];
  return sum;
}

// Every column tried, the regression solved anew each time.
std::vector<std::size_t> without_the_cheapest(const Matrix& A, const std::vector<double>& y,
                                              const std::vector<std::size_t>& columns, std::size_t count) {
  std::vector<std::size_t> left = columns;
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<std::size_t> best;
    for (const std::size_t column : left) {
      std::vector<std::size_t> rest = left;
      std::erase(rest, column);
      if (best.empty() || objective(A, y, rest) < objective(A, y, best)) best = rest;
    }
    left = best;
  }
  return left;
}

std::vector<std::size_t> all_of(std::size_t n) {
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < n; ++j) columns.push_back(j);
  return columns;
}

std::vector<std::size_t> eliminate_once(const Equations& equations, const std::vector<std::size_t>& columns,
                                        const EliminationRule& rule) {
  return eliminate(inverse_blocks(equations.factor(), columns, rule), equations.solve(), columns, rule);
}

TEST(Elimination, DropsOneByOneTheColumnWhoseLossCostsLeast) {
  constexpr std::size_t n = 20;
  const Matrix A = correlated_columns(40, n);
  const std::vector<double> y = random_vector(40, 3);
  const std::vector<std::size_t> columns = all_of(n);
  const Equations equations(A, y, columns);
  const auto left = eliminate_once(equations, columns, {std::vector<bool>(n, false), 0.5});
  EXPECT_EQ(left, without_the_cheapest(A, y, columns, n / 2));
}

TEST(Elimination, DropsTheLastColumnAndNoneThatAlwaysStays) {
  const Matrix A = random_matrix(10, 3, 4);
  const std::vector<double> y = random_vector(10, 5);
  const std::vector<std::size_t> columns{2};
  const Equations equations(A, y, columns);
  EXPECT_TRUE(eliminate_once(equations, columns, {{true, true, false}, 0.2}).empty());
  EXPECT_EQ(eliminate_once(equations, columns, {{false, false, true}, 0.2}).size(), 1U);
}

// Two columns that say the same: magnitudes halve and both would go; only one is needed, and one stays.
TEST(Elimination, KeepsOneOfTwoColumnsThatSayTheSame) {
  Matrix A = random_matrix(60, 4, 6);
  std::ranges::copy(A.col(0), A.col(1).begin());
  std::vector<double> y(A.col(0).begin(), A.col(0).end());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += 0.7 * A(i, 2) + 0.6 * A(i, 3);
  const std::vector<std::size_t> columns = all_of(4);
  const Equations equations(A, y, columns);
  const auto left = eliminate_once(equations, columns, {std::vector<bool>(4, false), 0.5});
  ASSERT_EQ(left.size(), 2U);
  EXPECT_LE(left.front(), 1U);
  EXPECT_GE(left.back(), 2U);
}

// Pairs of columns that say the same, each pair a group, beside groups of noise.
TEST(Elimination, OfVeryManyColumnsKeepsOneOfThoseOfAGroupThatSayTheSame) {
  constexpr std::size_t pairs = 20;
  constexpr std::size_t n = 1600;
  Matrix A = random_matrix(2000, n, 7);
  std::vector<double> y(2000, 0.0);
  EliminationRule rule{std::vector<bool>(n, false), 0.5, std::vector<std::uint32_t>(n)};
  for (std::size_t k = 0; k < pairs; ++k) {
    std::ranges::copy(A.col(2 * k), A.col(2 * k + 1).begin());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += A(i, 2 * k);
  }
  for (std::size_t j = 0; j < n; ++j) rule.groups[j] = static_cast<std::uint32_t>(j / 2);
  const std::vector<std::size_t> columns = all_of(n);
  const Equations equations(A, y, columns);
  const auto left = eliminate_once(equations, columns, rule);
  EXPECT_EQ(left.size(), n / 2);
  for (std::size_t k = 0; k < pairs; ++k) {
    EXPECT_TRUE(std::ranges::binary_search(left, 2 * k) || std::ranges::binary_search(left, 2 * k + 1)) << k;
  }
}

TEST(Elimination, OfVeryManyColumnsDropsAsManyAsStepsOfTheRateWould) {
  const std::vector<std::size_t> columns = all_of(3000);
  EliminationRule rule{std::vector<bool>(3000, false), 0.2, std::vector<std::uint32_t>(3000)};
  for (std::size_t j = 0; j < 3000; ++j) rule.groups[j] = static_cast<std::uint32_t>(j);
  std::vector<InverseBlock> blocks;
  for (auto& block : blocks_of(columns, rule)) blocks.push_back({block, Matrix(1, 1)});
  for (InverseBlock& block : blocks) block.inverse(0, 0) = 1.0;
  EXPECT_EQ(eliminate(std::move(blocks), random_vector(3000, 8), columns, rule).size(), 1229U);  // 3000·0.8⁴
}

}  // namespace elimination_test
}  // namespace shrimp

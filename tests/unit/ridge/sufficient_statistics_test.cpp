// What is true of both kinds of summaries, against the rows themselves.
#include <numeric>

#include "linalg/dense.hpp"
#include "ridge/normal_equations.hpp"
#include "ridge/triangular_system.hpp"
#include "support.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace sufficient_statistics_test {

using test::random_matrix;
using test::random_vector;

struct Rows {
  Matrix A;
  std::vector<double> y;

  [[nodiscard]] double squared_error(std::span<const double> c) const {
    return std::pow(norm(test::difference(test::times(A, c), y)), 2.0);
  }
};

Rows make(std::size_t rows, std::size_t columns, std::uint64_t seed = 1) {
  return {random_matrix(rows, columns, seed), random_vector(rows, seed + 1)};
}

/// Many rows, as many as columns, fewer, one, and columns of which most depend on others.
std::vector<Rows> examples() {
  std::vector<Rows> all;
  for (const std::size_t rows : {60, 8, 5, 1}) all.push_back(make(rows, 8));
  all.push_back({test::random_matrix_of_rank(60, 8, 3, 5), random_vector(60, 6)});
  return all;
}

template <typename Summary>
class RowSummary : public ::testing::Test {
 protected:
  static Summary of(const Rows& rows) {
    Summary sums(rows.A.cols());
    sums.add(Matrix(rows.A), rows.y);
    return sums;
  }

  static Summary of(const Rows& rows, std::span<const std::size_t> which) {
    std::vector<double> y;
    for (const std::size_t i : which) y.push_back(rows.y[i]);
    return of({gather_rows(rows.A, which), y});
  }

  static void expect_stands_for(const Summary& sums, const Rows& rows) {
    EXPECT_EQ(sums.rows, rows.y.size());
    EXPECT_EQ(sums.columns(), rows.A.cols());
    for (const std::uint64_t seed : {11, 12, 13}) {
      const std::vector<double> c = random_vector(rows.A.cols(), seed);
      const double error = rows.squared_error(c);
      EXPECT_NEAR(sums.squared_error(c), error, 1e-13 * (error + std::pow(norm(rows.y), 2.0)));
    }
  }
};

using Kinds = ::testing::Types<TriangularSystem, NormalEquations>;
TYPED_TEST_SUITE(RowSummary, Kinds);

TYPED_TEST(RowSummary, HasTheErrorOfAllRowsForAnyCoefficients) {
  for (const Rows& rows : examples()) this->expect_stands_for(this->of(rows), rows);
}

TYPED_TEST(RowSummary, IsTheSameHoweverRowsAreSplitAndMerged) {
  for (const Rows& rows : examples()) {
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
      std::mt19937_64 random(seed);
      std::vector<std::vector<std::size_t>> parts(7);  // Some of them empty where rows are few.
      for (std::size_t i = 0; i < rows.y.size(); ++i) parts[random() % parts.size()].push_back(i);
      std::vector<TypeParam> sums;
      for (const auto& part : parts) sums.push_back(this->of(rows, part));
      while (sums.size() > 1) {  // Any two of them, until one is left.
        std::swap(sums[random() % sums.size()], sums.back());
        const TypeParam last = std::move(sums.back());
        sums.pop_back();
        sums[random() % sums.size()].merge(last);
      }
      this->expect_stands_for(sums.front(), rows);
      EXPECT_EQ(sums.front().weight, static_cast<double>(rows.y.size()));
    }
  }
}

TYPED_TEST(RowSummary, TakesRowsInBlocks) {
  const Rows rows = make(100, 8);
  for (const std::size_t block : {1, 3, 8, 64, 100}) {
    TypeParam sums(8);
    for (std::size_t first = 0; first < 100; first += block) {
      std::vector<std::size_t> which(std::min<std::size_t>(block, 100 - first));
      std::iota(which.begin(), which.end(), first);
      sums.add(gather_rows(rows.A, which), std::span(rows.y).subspan(first, which.size()));
    }
    this->expect_stands_for(sums, rows);
  }
}

TYPED_TEST(RowSummary, CountsAWeightAsThatManyRows) {
  const Rows rows = make(20, 4);
  Rows weighted{Matrix(rows.A), rows.y};
  std::vector<std::size_t> repeated;
  for (std::size_t i = 0; i < 20; ++i) {
    const std::size_t weight = i % 4;
    repeated.insert(repeated.end(), weight, i);
    for (std::size_t j = 0; j < 4; ++j) weighted.A(i, j) *= std::sqrt(static_cast<double>(weight));
    weighted.y[i] *= std::sqrt(static_cast<double>(weight));
  }
  TypeParam sums(4);
  sums.add(Matrix(weighted.A), weighted.y, 30.0);
  const TypeParam expected = this->of(rows, repeated);
  const std::vector<double> c = random_vector(4, 3);
  EXPECT_NEAR(sums.squared_error(c), expected.squared_error(c), 1e-13 * expected.squared_error(c));
  EXPECT_EQ(sums.weight, expected.weight);
  EXPECT_EQ(sums.rows, 20U);
}

TYPED_TEST(RowSummary, OfNoRowsChangesNothing) {
  const Rows rows = make(20, 4);
  const std::vector<double> c = random_vector(4, 3);
  TypeParam sums(4);
  EXPECT_EQ(sums.squared_error(c), 0.0);
  sums.merge(TypeParam(4));
  sums.add(Matrix(0, 4), {});
  EXPECT_EQ(sums.rows, 0U);
  sums.merge(this->of(rows));
  const double error = sums.squared_error(c);
  sums.merge(TypeParam(4));
  EXPECT_EQ(sums.squared_error(c), error);
  this->expect_stands_for(sums, rows);
}

TYPED_TEST(RowSummary, OfNoColumnsIsTheSquaresOfTheTarget) {
  const Rows rows{Matrix(20, 0), random_vector(20, 1)};
  TypeParam sums = this->of(rows);
  sums.merge(this->of(rows));
  EXPECT_NEAR(sums.squared_error({}), 2.0 * std::pow(norm(rows.y), 2.0), 1e-13);
  EXPECT_EQ(sums.rows, 40U);
}

TYPED_TEST(RowSummary, IsAValue) {
  const Rows rows = make(20, 4);
  const std::vector<double> c = random_vector(4, 3);
  TypeParam sums = this->of(rows);
  const double error = sums.squared_error(c);
  TypeParam copy = sums;
  copy.merge(sums);
  EXPECT_EQ(sums.squared_error(c), error);
  EXPECT_NEAR(copy.squared_error(c), 2.0 * error, 1e-12 * error);
  copy = sums;
  EXPECT_EQ(copy.squared_error(c), error);
  sums.merge(sums);
  EXPECT_NEAR(sums.squared_error(c), 2.0 * error, 1e-12 * error);
}

TYPED_TEST(RowSummary, RefusesRowsOfOtherSizes) {
  TypeParam sums(4);
  EXPECT_THROW(sums.add(Matrix(5, 3), random_vector(5, 1)), std::invalid_argument);
  EXPECT_THROW(sums.add(Matrix(5, 4), random_vector(4, 1)), std::invalid_argument);
  EXPECT_THROW(sums.merge(TypeParam(5)), std::invalid_argument);
  EXPECT_EQ(sums.rows, 0U);
}

TYPED_TEST(RowSummary, GivesTheSameBitsOnAnyNumberOfThreads) {
  const Rows rows = make(900, 250);
  const std::vector<double> c = random_vector(250, 3);
  std::vector<double> errors;
  for (const int threads : {1, 2, 3}) {
    const ThreadScope scope(threads);
    TypeParam sums = this->of(rows);
    sums.merge(this->of(rows));
    errors.push_back(sums.squared_error(c));
  }
  EXPECT_EQ(errors[1], errors[0]);
  EXPECT_EQ(errors[2], errors[0]);
}

}  // namespace sufficient_statistics_test
}  // namespace shrimp

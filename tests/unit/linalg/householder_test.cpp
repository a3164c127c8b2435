#include "linalg/householder.hpp"

#include "linalg/dense.hpp"
#include "support.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

using test::random_matrix;
using test::random_matrix_of_rank;
using test::random_vector;

/// Zeros below row j + excess of column j.
Matrix staircase(std::size_t rows, std::size_t cols, std::size_t excess, std::uint64_t seed) {
  Matrix A = random_matrix(rows, cols, seed);
  for (std::size_t j = 0; j < cols; ++j) {
    for (std::size_t i = j + excess + 1; i < rows; ++i) A(i, j) = 0.0;
  }
  return A;
}

void expect_product(const Matrix& A, const HouseholderQr& qr) {
  const Matrix R = qr.R();
  for (std::size_t j = 0; j < A.cols(); ++j) {
    std::vector<double> column(A.rows(), 0.0);
    std::ranges::copy(R.col(j), column.begin());
    qr.apply(column);
    test::expect_near(column, std::vector<double>(A.col(j).begin(), A.col(j).end()), 1e-12);
  }
}

TEST(HouseholderQr, FactorsDenseMatricesAndStaircases) {
  for (const std::size_t excess : {std::size_t{0}, std::size_t{5}, std::size_t{90}, std::size_t{400}}) {
    const Matrix A = staircase(400, 230, excess, 1 + excess);
    expect_product(A, HouseholderQr(Matrix(A)));
  }
  const Matrix wide = staircase(50, 130, 3, 7);
  expect_product(wide, HouseholderQr(Matrix(wide)));
}

TEST(HouseholderQr, TakesColumnsOfZeros) {
  Matrix A = staircase(200, 130, 10, 2);
  for (const std::size_t j : {0, 63, 64, 129}) std::ranges::fill(A.col(j), 0.0);
  expect_product(A, HouseholderQr(Matrix(A)));
}

/// Column k scaled by falling^k: an order that pivoting would choose.
Matrix falling_columns(Matrix A, double falling) {
  double scale = 1.0;
  for (std::size_t j = 0; j < A.cols(); ++j, scale *= falling) {
    for (double& value : A.col(j)) value *= scale;
  }
  return A;
}

TEST(RankRevealingQr, GivesLeastNormSolutionsAsLapackDoes) {
  for (const bool ranked : {false, true}) {
    for (const std::size_t rank : {std::size_t{1}, std::size_t{60}, std::size_t{117}, std::size_t{120}}) {
      const Matrix A = random_matrix_of_rank(150, 120, rank, rank);
      std::vector<double> b = random_vector(150, 3);
      const std::vector<double> expected = test::gelsy(A, b).coefficients;
      const RankRevealingQr qr(Matrix(A), 1e-12, ranked);
      ASSERT_EQ(qr.rank(), rank);
      qr.apply_transposed(std::span<double>(b));
      b.resize(rank);
      test::expect_near(qr.least_norm(b), expected, 1e-9 * test::norm(expected));
    }
  }
}

TEST(RankRevealingQr, KeepsTheOrderOfRankedColumnsUntilTheyComeNearTheTolerance) {
  const Matrix A = falling_columns(random_matrix(300, 200, 4), 0.85);  // Down to 1e-14.
  const RankRevealingQr anew(Matrix(A), 1e-12);
  const RankRevealingQr ranked(Matrix(A), 1e-12, true);
  EXPECT_NEAR(static_cast<double>(ranked.rank()), static_cast<double>(anew.rank()), 2.0);
  EXPECT_LT(ranked.rank(), 200);
  for (std::size_t k = 0; k < 96; ++k) EXPECT_EQ(ranked.pivots()[k], k);
  std::vector<std::size_t> all = ranked.pivots();
  std::ranges::sort(all);
  for (std::size_t k = 0; k < 200; ++k) EXPECT_EQ(all[k], k);
}

TEST(RankRevealingQr, FindsTheRankThoughDependentColumnsStandFirst) {
  // The second half equals the first, which only pivoting tells from columns that are left: |R_kk| falls at once.
  Matrix A = random_matrix(300, 160, 5);
  for (std::size_t j = 0; j < 80; ++j) std::ranges::copy(A.col(j), A.col(80 + (j + 7) % 80).begin());
  const RankRevealingQr qr(Matrix(A), 1e-12, true);
  EXPECT_EQ(qr.rank(), 80);
}

TEST(RankRevealingQr, RowsAreThoseOfTheTriangleInItsOwnOrder) {
  const Matrix A = staircase(140, 100, 30, 6);
  const RankRevealingQr qr(Matrix(A), 1e-14, true);
  const Matrix R = qr.rows(100);
  Matrix turned(A);
  qr.apply_transposed(turned);
  for (std::size_t k = 0; k < 100; ++k) {
    for (std::size_t i = 0; i < 100; ++i) EXPECT_NEAR(R(i, k), turned(i, qr.pivots()[k]), 1e-12);
  }
}

TEST(RankRevealingQr, GivesTheSameBitsOnAnyNumberOfThreads) {
  const Matrix A = falling_columns(staircase(500, 420, 60, 8), 0.93);
  std::vector<Matrix> rows;
  for (const int threads : {1, 2, 3}) {
    const ThreadScope scope(threads);
    rows.push_back(RankRevealingQr(Matrix(A), 1e-12, true).rows(420));
  }
  for (const Matrix& other : rows) EXPECT_TRUE(std::equal(other.data(), other.data() + 420 * 420, rows[0].data()));
}

}  // namespace
}  // namespace shrimp

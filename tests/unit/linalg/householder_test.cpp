#include "linalg/householder.hpp"

#include "backends.hpp"
#include "matrices.hpp"

namespace shrimp {
namespace householder_test {

using test::entries;
using test::expect_near;
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

using HouseholderQrTest = test::BackendTest;
SHRIMP_TEST_EVERY_BACKEND(HouseholderQrTest);

TEST_P(HouseholderQrTest, FactorsDenseMatricesAndStaircases) {
  for (const std::size_t excess : {std::size_t{0}, std::size_t{5}, std::size_t{90}, std::size_t{400}}) {
    const Matrix A = staircase(400, 230, excess, 1 + excess);
    expect_product(A, HouseholderQr(Matrix(A)));
  }
  const Matrix wide = staircase(50, 130, 3, 7);
  expect_product(wide, HouseholderQr(Matrix(wide)));
}

TEST_P(HouseholderQrTest, TakesColumnsOfZeros) {
  Matrix A = staircase(200, 130, 10, 2);
  for (const std::size_t j : {0, 63, 64, 129}) std::ranges::fill(A.col(j), 0.0);
  expect_product(A, HouseholderQr(Matrix(A)));
}

/// The triangle of LAPACK's dgeqrf.
Matrix lapack_triangle(const Matrix& A) {
  Matrix factors(A);
  std::vector<double> tau(std::min(A.rows(), A.cols()));
  const auto m = static_cast<lapack_int>(A.rows());
  EXPECT_EQ(LAPACKE_dgeqrf(LAPACK_COL_MAJOR, m, static_cast<lapack_int>(A.cols()), factors.data(), m, tau.data()), 0);
  Matrix R(tau.size(), A.cols());
  for (std::size_t j = 0; j < R.cols(); ++j) {
    std::copy_n(factors.col(j).begin(), std::min(j + 1, R.rows()), R.col(j).begin());
  }
  return R;
}

// Which is determined up to the signs of its rows.
TEST_P(HouseholderQrTest, HasTheTriangleThatLapackFinds) {
  for (const auto& [rows, cols] : {std::pair{1U, 1U}, {1U, 6U}, {6U, 1U}, {5U, 5U}, {90U, 70U}, {70U, 90U}}) {
    Matrix R = HouseholderQr(random_matrix(rows, cols, 3)).R();
    const Matrix expected = lapack_triangle(random_matrix(rows, cols, 3));
    for (std::size_t i = 0; i < R.rows(); ++i) {
      if ((R(i, i) < 0.0) == (expected(i, i) < 0.0)) continue;
      for (std::size_t j = 0; j < R.cols(); ++j) R(i, j) = -R(i, j);
    }
    expect_near(R, expected, 1e-13);
    for (std::size_t j = 0; j < R.cols(); ++j) {
      for (std::size_t i = j + 1; i < R.rows(); ++i) ASSERT_EQ(R(i, j), 0.0);
    }
  }
}

TEST_P(HouseholderQrTest, TurnsVectorsForthAndBack) {
  for (const auto& [rows, cols] : {std::pair{1U, 1U}, {1U, 6U}, {6U, 1U}, {90U, 70U}, {70U, 90U}}) {
    const Matrix A = random_matrix(rows, cols, 4);
    const HouseholderQr qr{Matrix(A)};
    const std::vector<double> b = random_vector(rows, 5);
    std::vector<double> turned = b;
    qr.apply_transposed(turned);
    EXPECT_NEAR(norm(turned), norm(b), 1e-13);
    std::vector<double> back = turned;
    qr.apply(back);
    expect_near(back, b, 1e-13);
    // Qᵀ A = R: the columns of A turn into those of the triangle.
    std::vector<double> column(A.col(cols - 1).begin(), A.col(cols - 1).end());
    qr.apply_transposed(column);
    const Matrix R = qr.R();
    std::vector<double> expected(R.col(cols - 1).begin(), R.col(cols - 1).end());
    expected.resize(rows, 0.0);
    expect_near(column, expected, 1e-13);
  }
}

TEST_P(HouseholderQrTest, KeepsSmallDirectionsOfIllConditionedMatrices) {
  const std::vector<double> sigma = test::falling_values(70, 1e-14);
  const Matrix A = test::with_singular_values(200, 70, sigma, 6);
  const HouseholderQr qr{Matrix(A)};
  expect_product(A, qr);
  Matrix Q(200, 70);
  for (std::size_t j = 0; j < 70; ++j) {
    Q(j, j) = 1.0;
    qr.apply(Q.col(j));
  }
  test::expect_orthonormal_columns(Q, 1e-13);
}

TEST_P(HouseholderQrTest, GivesTheSameBitsOnAnyNumberOfThreads) {
  const Matrix A = staircase(300, 450, 60, 8);
  expect_same_bits_on_any_number_of_threads([&] { return entries(HouseholderQr(Matrix(A)).R()); });
}

/// 1/(‖R‖₁ ‖R⁻¹‖₁), by LAPACK's inverse of a triangle that is zero below the diagonal.
double exact_rcond(const Matrix& R) {
  Matrix inverse(R);
  const auto n = static_cast<lapack_int>(R.rows());
  EXPECT_EQ(LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'U', 'N', n, inverse.data(), n), 0);
  return 1.0 / (test::one_norm(R) * test::one_norm(inverse));
}

void expect_estimate(double estimate, double exact) {
  EXPECT_GT(estimate, exact * (1.0 - 1e-10));  // The norm of the inverse is bounded from below.
  EXPECT_LT(estimate, exact * 3.0);
}

using TriangleTest = test::BackendTest;
SHRIMP_TEST_EVERY_BACKEND(TriangleTest);

TEST_P(TriangleTest, ConditionNumberIsEstimated) {
  for (const double least : {1.0, 1e-5, 1e-12}) {
    const Matrix R = lapack_triangle(test::with_singular_values(60, 60, test::falling_values(60, least), 1));
    expect_estimate(triangle_rcond(test::upper_triangle(R)), exact_rcond(R));
  }
  EXPECT_EQ(triangle_rcond(test::diagonal_matrix(std::vector{-3.0})), 1.0);
}

TEST_P(TriangleTest, ConditionNumberOfASingularOneIsZero) {
  for (const std::size_t place : {0U, 3U, 9U}) {
    Matrix R = lapack_triangle(random_matrix(10, 10, 2));
    R(place, place) = 0.0;
    EXPECT_EQ(triangle_rcond(R), 0.0);
  }
  EXPECT_EQ(triangle_rcond(Matrix(1, 1)), 0.0);
}

TEST_P(TriangleTest, SolvesWithItselfAndItsTranspose) {
  for (const std::size_t n : {1U, 2U, 80U}) {
    const Matrix R = lapack_triangle(test::with_singular_values(n, n, test::falling_values(n, 1e-2), n));
    const std::vector<double> b = random_vector(n, 3);
    std::vector<double> x = b;
    solve_triangle(test::upper_triangle(R), x, false);
    expect_near(test::times(R, x), b, 1e-12);
    x = b;
    solve_triangle(test::upper_triangle(R), x, true);
    expect_near(test::times(test::transposed(R), x), b, 1e-12);
  }
}

/// Column k scaled by falling^k: an order that pivoting would choose.
Matrix falling_columns(Matrix A, double falling) {
  double scale = 1.0;
  for (std::size_t j = 0; j < A.cols(); ++j, scale *= falling) {
    for (double& value : A.col(j)) value *= scale;
  }
  return A;
}

using RankRevealingQrTest = test::BackendTest;
SHRIMP_TEST_EVERY_BACKEND(RankRevealingQrTest);

TEST_P(RankRevealingQrTest, GivesLeastNormSolutionsAsLapackDoes) {
  for (const bool ranked : {false, true}) {
    for (const std::size_t rank : {std::size_t{1}, std::size_t{60}, std::size_t{117}, std::size_t{120}}) {
      const Matrix A = random_matrix_of_rank(150, 120, rank, rank);
      std::vector<double> b = random_vector(150, 3);
      const std::vector<double> expected = test::gelsy(A, b).coefficients;
      const RankRevealingQr qr(Matrix(A), 1e-12, ranked);
      ASSERT_EQ(qr.rank(), rank);
      qr.apply_transposed(std::span<double>(b));
      b.resize(rank);
      test::expect_near(qr.least_norm(b), expected, 1e-9 * norm(expected));
    }
  }
}

TEST_P(RankRevealingQrTest, KeepsTheOrderOfRankedColumnsUntilTheyComeNearTheTolerance) {
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

TEST_P(RankRevealingQrTest, FindsTheRankThoughDependentColumnsStandFirst) {
  // The second half equals the first, which only pivoting tells from columns that are left: |R_kk| falls at once.
  Matrix A = random_matrix(300, 160, 5);
  for (std::size_t j = 0; j < 80; ++j) std::ranges::copy(A.col(j), A.col(80 + (j + 7) % 80).begin());
  for (const bool ranked : {false, true}) EXPECT_EQ(RankRevealingQr(Matrix(A), 1e-12, ranked).rank(), 80);
}

TEST_P(RankRevealingQrTest, RowsAreThoseOfTheTriangleInItsOwnOrder) {
  const Matrix A = staircase(140, 100, 30, 6);
  const RankRevealingQr qr(Matrix(A), 1e-14, true);
  const Matrix R = qr.rows(100);
  Matrix turned(A);
  qr.apply_transposed(turned);
  for (std::size_t k = 0; k < 100; ++k) {
    for (std::size_t i = 0; i < 100; ++i) EXPECT_NEAR(R(i, k), turned(i, qr.pivots()[k]), 1e-12);
  }
}

// Qᵀ A Π = R, for whole matrices and for vectors; |R_kk| is what `diagonal` says.
TEST_P(RankRevealingQrTest, FactorsMatricesOfAnyShape) {
  for (const auto& [rows, cols] : {std::pair{1U, 1U}, {1U, 6U}, {6U, 1U}, {120U, 70U}, {70U, 300U}}) {
    for (const bool ranked : {false, true}) {
      const Matrix A = random_matrix(rows, cols, 7);
      const RankRevealingQr qr(Matrix(A), 1e-12, ranked);
      EXPECT_EQ(qr.rank(), std::min(rows, cols));
      const Matrix R = qr.rows(qr.rank());
      Matrix turned = test::columns_of(A, qr.pivots());
      std::vector<double> first(turned.col(0).begin(), turned.col(0).end());
      qr.apply_transposed(turned);
      qr.apply_transposed(std::span<double>(first));
      expect_near(first, turned.col(0), 1e-14);
      for (std::size_t k = 0; k < cols; ++k) {
        for (std::size_t i = 0; i < rows; ++i) ASSERT_NEAR(turned(i, k), i < R.rows() ? R(i, k) : 0.0, 1e-12);
      }
      for (std::size_t k = 0; k < qr.rank(); ++k) EXPECT_EQ(qr.diagonal(k), std::abs(R(k, k)));
    }
  }
}

// |R_kk| follows σ_k; no theorem says how closely.
TEST_P(RankRevealingQrTest, RevealsTheSingularValuesOfIllConditionedMatrices) {
  const std::vector<double> sigma = test::falling_values(150, 1e-15);
  const RankRevealingQr qr(test::with_singular_values(200, 150, sigma, 8), 1e-10);
  for (std::size_t k = 0; k < qr.rank(); ++k) {
    EXPECT_LT(qr.diagonal(k), 10.0 * sigma[k]);
    EXPECT_GT(qr.diagonal(k), 0.1 * sigma[k]);
  }
  EXPECT_NEAR(static_cast<double>(qr.rank()), 100.0, 10.0);
}

TEST_P(RankRevealingQrTest, EstimatesTheConditionNumberUpToItsRank) {
  for (const std::size_t rank : {std::size_t{1}, std::size_t{40}, std::size_t{90}}) {
    const RankRevealingQr qr(random_matrix_of_rank(100, 90, rank, rank), 1e-10);
    ASSERT_EQ(qr.rank(), rank);
    const Matrix R = qr.rows(rank);
    const double exact = exact_rcond(Matrix(MatrixView{R.data(), rank, rank, rank}));
    expect_estimate(qr.rcond(), exact);
    EXPECT_EQ(qr.rcond(), qr.rcond());
  }
}

TEST_P(RankRevealingQrTest, OfZerosHasRankZero) {
  for (const bool ranked : {false, true}) {
    const RankRevealingQr qr(Matrix(5, 70), 1e-12, ranked);
    EXPECT_EQ(qr.rank(), 0U);
    EXPECT_EQ(qr.least_norm({}), std::vector<double>(70, 0.0));
    EXPECT_EQ(entries(qr.rows(5)), std::vector<double>(350, 0.0));
  }
}

TEST_P(RankRevealingQrTest, GivesTheSameBitsOnAnyNumberOfThreads) {
  const Matrix A = falling_columns(staircase(500, 420, 60, 8), 0.93);
  expect_same_bits_on_any_number_of_threads([&] { return entries(RankRevealingQr(Matrix(A), 1e-12, true).rows(420)); });
  const Matrix deficient = random_matrix_of_rank(400, 300, 200, 9);
  expect_same_bits_on_any_number_of_threads([&] {
    const RankRevealingQr qr(Matrix(deficient), 1e-12);
    Matrix turned(deficient);
    qr.apply_transposed(turned);
    return qr.least_norm(turned.col(0).first(qr.rank()));
  });
}

}  // namespace householder_test
}  // namespace shrimp

#include "linalg/updatable_qr.hpp"

#include "backends.hpp"
#include "matrices.hpp"

namespace shrimp {
namespace updatable_qr_test {

using test::random_matrix;
using test::random_vector;

constexpr double tolerance = 1e-10;

/// The least-squares solution and both triangular solves against LAPACK on the columns themselves.
void expect_factors(const UpdatableQr& qr, const Matrix& A) {
  ASSERT_EQ(qr.cols(), A.cols());
  const std::vector<double> b = random_vector(A.rows(), 99);
  test::expect_near(qr.solve(qr.project(b)), test::gelsy(A, b).coefficients, 1e-11);
  const std::vector<double> s = random_vector(A.cols(), 98);
  const std::vector<double> v = qr.combine(qr.solve_transposed(s));
  for (std::size_t k = 0; k < A.cols(); ++k) {
    double product = 0.0;
    for (std::size_t i = 0; i < A.rows(); ++i) product += A(i, k) * v[i];
    EXPECT_NEAR(product, s[k], 1e-11);
  }
}

using UpdatableQrTest = test::BackendTest;
SHRIMP_TEST_EVERY_BACKEND(UpdatableQrTest);

TEST_P(UpdatableQrTest, SolvesAsLapackDoesWhileColumnsComeAndGo) {
  const Matrix A = random_matrix(30, 60, 1);
  UpdatableQr qr(30);
  std::vector<std::size_t> columns;
  test::Random random(2);
  for (std::size_t step = 0; step < 200; ++step) {
    const double choice = random();
    if (columns.size() > 20 || (columns.size() > 1 && choice < -0.2)) {
      const auto place = static_cast<std::size_t>((random() + 1.0) / 2.0 * static_cast<double>(columns.size()));
      qr.remove(place);
      columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(place));
    } else {
      const std::size_t column = step % 60;
      if (std::ranges::find(columns, column) != columns.end()) continue;
      ASSERT_TRUE(qr.append(A.col(column), tolerance));
      columns.push_back(column);
    }
    if (step % 10 == 0 && !columns.empty()) expect_factors(qr, test::columns_of(A, columns));
  }
  expect_factors(qr, test::columns_of(A, columns));
}

TEST_P(UpdatableQrTest, RefusesWhatItAlreadySpans) {
  const Matrix A = random_matrix(5, 5, 3);
  UpdatableQr qr(5);
  for (std::size_t k = 0; k < 3; ++k) ASSERT_TRUE(qr.append(A.col(k), tolerance));
  EXPECT_FALSE(qr.append(A.col(1), tolerance));
  EXPECT_FALSE(qr.append(std::vector<double>(5, 0.0), tolerance));
  EXPECT_EQ(qr.cols(), 3U);
  for (std::size_t k = 3; k < 5; ++k) ASSERT_TRUE(qr.append(A.col(k), tolerance));
  EXPECT_FALSE(qr.append(random_vector(5, 4), tolerance));  // As many as there are rows.
  expect_factors(qr, A);
}

TEST_P(UpdatableQrTest, OfNoColumnsProjectsToNothing) {
  UpdatableQr qr(4);
  EXPECT_TRUE(qr.project(random_vector(4, 1)).empty());
  EXPECT_EQ(qr.combine({}), std::vector<double>(4, 0.0));
  const std::vector<double> column = random_vector(4, 2);
  ASSERT_TRUE(qr.append(column, tolerance));
  qr.remove(0);
  EXPECT_EQ(qr.cols(), 0U);
  EXPECT_EQ(norm(qr.combine({})), 0.0);
}

// Q z of unit vectors z: the columns of Q.
Matrix orthogonal_factor(const UpdatableQr& qr, std::size_t rows) {
  Matrix Q(rows, qr.cols());
  for (std::size_t k = 0; k < qr.cols(); ++k) {
    std::vector<double> unit(qr.cols(), 0.0);
    unit[k] = 1.0;
    std::ranges::copy(qr.combine(unit), Q.col(k).begin());
  }
  return Q;
}

TEST_P(UpdatableQrTest, StaysOrthogonalToRoundingOnColumnsThatAlmostDepend) {
  Matrix A = random_matrix(40, 24, 5);
  for (std::size_t j = 1; j < 24; ++j) {
    for (std::size_t i = 0; i < 40; ++i) A(i, j) = A(i, 0) + 1e-7 * A(i, j);
  }
  UpdatableQr qr(40);
  for (std::size_t j = 0; j < 24; ++j) ASSERT_TRUE(qr.append(A.col(j), tolerance));
  test::expect_orthonormal_columns(orthogonal_factor(qr, 40), 1e-14);
  for (const std::size_t place : {0U, 10U, 21U}) qr.remove(place);
  const Matrix Q = orthogonal_factor(qr, 40);
  test::expect_orthonormal_columns(Q, 1e-13);
  // The columns left are in the span of Q.
  const std::vector<double> last(A.col(22).begin(), A.col(22).end());
  test::expect_near(qr.combine(qr.project(last)), last, 1e-13);
}

TEST_P(UpdatableQrTest, TakesAColumnForWhatIsNewInIt) {
  UpdatableQr qr(3);
  ASSERT_TRUE(qr.append(std::vector{2.0, 0.0, 0.0}, tolerance));
  const std::vector<double> before = qr.solve(std::vector{1.0});
  EXPECT_FALSE(qr.append(std::vector{5.0, 4e-3, 0.0}, 1e-3));  // However long: what counts is the share.
  EXPECT_FALSE(qr.append(std::vector{1.0, test::not_a_number, 0.0}, tolerance));
  EXPECT_EQ(qr.cols(), 1U);
  EXPECT_EQ(qr.solve(std::vector{1.0}), before);
  EXPECT_TRUE(qr.append(std::vector{5.0, 6e-3, 0.0}, 1e-3));
  EXPECT_TRUE(qr.append(std::vector{0.0, 0.0, 1e-9}, 1e-3));
  EXPECT_EQ(qr.cols(), 3U);
}

TEST_P(UpdatableQrTest, OfOneRowTakesOneColumn) {
  UpdatableQr qr(1);
  ASSERT_TRUE(qr.append(std::vector{-4.0}, tolerance));
  EXPECT_FALSE(qr.append(std::vector{1.0}, tolerance));
  EXPECT_EQ(qr.solve(qr.project(std::vector{2.0})), std::vector{-0.5});
  UpdatableQr none(0);
  EXPECT_FALSE(none.append({}, tolerance));
  EXPECT_TRUE(none.solve({}).empty());
  EXPECT_TRUE(none.solve_transposed({}).empty());
}

}  // namespace updatable_qr_test
}  // namespace shrimp

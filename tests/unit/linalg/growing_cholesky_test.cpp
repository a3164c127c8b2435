#include "linalg/growing_cholesky.hpp"

#include "backends.hpp"
#include "matrices.hpp"

namespace shrimp {
namespace growing_cholesky_test {

using test::dot;
using test::random_matrix;
using test::random_vector;

void append(GrowingCholesky& factor, const Matrix& A, std::vector<std::size_t>& columns, std::size_t column) {
  columns.push_back(column);
  std::vector<double> row;
  for (const std::size_t other : columns) row.push_back(dot(A.col(other), A.col(column)));
  factor.append(row);
}

// x = G⁻¹ b, so that G x = b.
void expect_solves(const GrowingCholesky& factor, const Matrix& A, const std::vector<std::size_t>& columns) {
  ASSERT_EQ(factor.size(), columns.size());
  const std::vector<double> b = random_vector(columns.size(), 3);
  std::vector<double> x = b;
  factor.solve(x);
  const std::vector<double> image = test::times(test::columns_of(A, columns), x);
  for (std::size_t k = 0; k < columns.size(); ++k) EXPECT_NEAR(dot(A.col(columns[k]), image), b[k], 1e-9);
}

using GrowingCholeskyTest = test::BackendTest;
SHRIMP_TEST_EVERY_BACKEND(GrowingCholeskyTest);

TEST_P(GrowingCholeskyTest, FollowsColumnsThatComeAndGo) {
  const Matrix A = random_matrix(80, 60, 1);
  GrowingCholesky factor;
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < 60; ++j) append(factor, A, columns, j);
  expect_solves(factor, A, columns);
  for (const std::size_t position : {59U, 0U, 30U, 12U, 55U, 0U}) {
    factor.remove(position);
    columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(position));
    expect_solves(factor, A, columns);
  }
  for (const std::size_t column : {0U, 59U}) append(factor, A, columns, column);
  expect_solves(factor, A, columns);
  while (!columns.empty()) {
    factor.remove(columns.size() / 2);
    columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(columns.size() / 2));
    expect_solves(factor, A, columns);
  }
}

TEST_P(GrowingCholeskyTest, SolvesAsLapackDoesWheneverItGrows) {
  const Matrix A = test::with_singular_values(90, 70, test::falling_values(70, 1e-2), 5);
  const Matrix G = test::product(test::transposed(A), A);
  GrowingCholesky factor;
  std::vector<std::size_t> columns;
  for (std::size_t n = 1; n <= 70; ++n) {
    append(factor, A, columns, n - 1);
    if (n > 2 && n % 32 > 1) continue;  // Where there is room for 32 and for 64, and beyond.
    std::vector<double> x = random_vector(n, n);
    std::vector<double> expected = x;
    factor.solve(x);
    Matrix part(MatrixView{G.data(), n, n, 70});
    const auto size = static_cast<lapack_int>(n);
    ASSERT_EQ(LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', size, 1, part.data(), size, expected.data(), size), 0);
    test::expect_near(x, expected, 1e-10 * norm(expected));
  }
}

TEST_P(GrowingCholeskyTest, OfNoColumnsSolvesNothing) {
  GrowingCholesky factor;
  EXPECT_EQ(factor.size(), 0U);
  std::vector<double> nothing;
  factor.solve(nothing);
  factor.append(std::vector{4.0});
  std::vector<double> one = {2.0};
  factor.solve(one);
  EXPECT_EQ(one[0], 0.5);
  factor.remove(0);
  EXPECT_EQ(factor.size(), 0U);
}

TEST_P(GrowingCholeskyTest, TakesEqualColumns) {
  const Matrix A = random_matrix(10, 3, 2);
  GrowingCholesky factor;
  std::vector<std::size_t> columns;
  for (const std::size_t column : {0U, 1U, 0U, 2U}) append(factor, A, columns, column);
  std::vector<double> x = random_vector(4, 4);
  factor.solve(x);
  for (const double entry : x) EXPECT_TRUE(std::isfinite(entry));
  factor.remove(2);
  columns.erase(columns.begin() + 2);
  expect_solves(factor, A, columns);
}

// Of equations that have solutions, it finds one; which one is not determined.
TEST_P(GrowingCholeskyTest, FitsWithDependentColumnsAsWithout) {
  const Matrix A = random_matrix(10, 3, 2);
  const std::vector<double> y = random_vector(10, 5);
  GrowingCholesky factor;
  std::vector<std::size_t> columns;
  for (const std::size_t column : {0U, 1U, 0U, 2U, 1U}) append(factor, A, columns, column);
  std::vector<double> x;
  for (const std::size_t column : columns) x.push_back(dot(A.col(column), y));
  factor.solve(x);
  test::expect_near(test::times(test::columns_of(A, columns), x), test::times(A, test::gelsy(A, y).coefficients),
                    1e-11);
}

}  // namespace growing_cholesky_test
}  // namespace shrimp

#include "linalg/growing_cholesky.hpp"

#include "support.hpp"

namespace shrimp {
namespace {

using test::random_matrix;
using test::random_vector;

double product(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void append(GrowingCholesky& factor, const Matrix& A, std::vector<std::size_t>& columns, std::size_t column) {
  columns.push_back(column);
  std::vector<double> row;
  for (const std::size_t other : columns) row.push_back(product(A.col(other), A.col(column)));
  factor.append(row);
}

// x = G⁻¹ b, so that G x = b.
void expect_solves(const GrowingCholesky& factor, const Matrix& A, const std::vector<std::size_t>& columns) {
  ASSERT_EQ(factor.size(), columns.size());
  const std::vector<double> b = random_vector(columns.size(), 3);
  std::vector<double> x = b;
  factor.solve(x);
  const std::vector<double> image = test::times(test::columns_of(A, columns), x);
  for (std::size_t k = 0; k < columns.size(); ++k) EXPECT_NEAR(product(A.col(columns[k]), image), b[k], 1e-9);
}

TEST(GrowingCholesky, FollowsColumnsThatComeAndGo) {
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

TEST(GrowingCholesky, TakesEqualColumns) {
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

}  // namespace
}  // namespace shrimp

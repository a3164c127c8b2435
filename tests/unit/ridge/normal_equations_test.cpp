#include "ridge/normal_equations.hpp"

#include <numeric>

#include "linalg/dense.hpp"
#include "linalg/householder.hpp"
#include "support.hpp"

namespace shrimp {
namespace normal_equations_test {

using test::random_matrix;
using test::random_vector;

NormalEquations of(const Matrix& A, std::span<const double> y) {
  NormalEquations sums(A.cols());
  sums.add(A, y);
  return sums;
}

double product(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void expect_sums_of(const NormalEquations& sums, const Matrix& A, std::span<const double> y, double tolerance) {
  EXPECT_EQ(sums.rows, A.rows());
  EXPECT_NEAR(sums.target.squares, product(y, y), tolerance);
  for (std::size_t j = 0; j < A.cols(); ++j) {
    EXPECT_NEAR(sums.target.products[j], product(A.col(j), y), tolerance);
    for (std::size_t i = j; i < A.cols(); ++i) EXPECT_NEAR(sums.G(i, j), product(A.col(i), A.col(j)), tolerance);
  }
}

TEST(NormalEquations, HoldsTheProductsOfColumnsAndTarget) {
  for (const std::size_t rows : {1, 5, 300}) {
    const Matrix A = random_matrix(rows, 12, 1);
    const std::vector<double> y = random_vector(rows, 2);
    expect_sums_of(of(A, y), A, y, 1e-12);
  }
}

TEST(NormalEquations, TakesRowsAsTheyLieInMemory) {
  const Matrix A = random_matrix(300, 12, 1);
  const std::vector<double> y = random_vector(300, 2);
  NormalEquations sums(12);
  sums.add_transposed(transpose(A), y, 300.0);
  expect_sums_of(sums, A, y, 1e-12);
  EXPECT_EQ(sums.weight, 300.0);
  EXPECT_THROW(sums.add_transposed(A, y, 300.0), std::invalid_argument);
}

TEST(NormalEquations, GivesBackTheRestWhereAPartIsTakenOut) {
  const Matrix A = random_matrix(300, 12, 1);
  const std::vector<double> y = random_vector(300, 2);
  const NormalEquations all = of(A, y);
  for (const std::size_t fold : {0, 1, 2}) {
    std::vector<std::size_t> held;
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < 300; ++i) (i % 3 == fold ? held : kept).push_back(i);
    std::vector<double> held_y;
    std::vector<double> kept_y;
    for (const std::size_t i : held) held_y.push_back(y[i]);
    for (const std::size_t i : kept) kept_y.push_back(y[i]);
    const NormalEquations rest = all.without(of(gather_rows(A, held), held_y));
    EXPECT_EQ(rest.weight, 200.0);
    const Matrix expected = gather_rows(A, kept);
    expect_sums_of(rest, expected, kept_y, 1e-12);
    const auto triangle = triangular_system(rest);
    ASSERT_TRUE(triangle);
    std::vector<double> c = triangle->b;
    solve_triangle(triangle->R, c, false);
    test::expect_near(c, test::gelsy(expected, kept_y).coefficients, 1e-12);
  }
}

TEST(NormalEquations, LeavesNothingWhereAllIsTakenOut) {
  const Matrix A = random_matrix(30, 4, 1);
  const std::vector<double> y = random_vector(30, 2);
  const NormalEquations none = of(A, y).without(of(A, y));
  EXPECT_EQ(none.rows, 0U);
  EXPECT_EQ(none.weight, 0.0);
  EXPECT_EQ(none.squared_error(random_vector(4, 3)), 0.0);
}

TEST(NormalEquations, RefusesToTakeOutWhatCannotBeInIt) {
  const NormalEquations sums = of(random_matrix(10, 4, 1), random_vector(10, 2));
  EXPECT_THROW((void)sums.without(of(random_matrix(11, 4, 1), random_vector(11, 2))), std::invalid_argument);
  EXPECT_THROW((void)sums.without(NormalEquations(3)), std::invalid_argument);
}

TEST(NormalEquations, BecomesTheTriangleOfTheSameRows) {
  const Matrix A = random_matrix(300, 12, 1);
  const std::vector<double> y = random_vector(300, 2);
  const auto triangle = triangular_system(of(A, y));
  ASSERT_TRUE(triangle);
  EXPECT_EQ(triangle->rows, 300U);
  EXPECT_EQ(triangle->weight, 300.0);
  for (std::size_t j = 0; j < 12; ++j) {
    for (std::size_t i = j + 1; i < 12; ++i) EXPECT_EQ(triangle->R(i, j), 0.0);
  }
  for (const std::uint64_t seed : {3, 4}) {
    const std::vector<double> c = random_vector(12, seed);
    const double error = std::pow(norm(test::difference(test::times(A, c), y)), 2.0);
    EXPECT_NEAR(triangle->squared_error(c), error, 1e-12 * error);
  }
  EXPECT_NEAR(std::sqrt(triangle->rest), test::gelsy(A, y).residual, 1e-12);
}

TEST(NormalEquations, HasNoTriangleWhereColumnsDependOnEachOther) {
  Matrix A(2, 3);
  for (std::size_t j = 0; j < 3; ++j) A(0, j) = A(1, j) = 1.0;
  EXPECT_FALSE(triangular_system(of(A, std::vector<double>{1.0, 2.0})));
  EXPECT_FALSE(triangular_system(NormalEquations(3)));
  EXPECT_TRUE(triangular_system(NormalEquations(0)));
}

TEST(TargetSums, AreWhatASecondPassNeedsToCorrectAFit) {
  const Matrix A = random_matrix(300, 12, 1);
  const std::vector<double> y = random_vector(300, 2);
  const auto triangle = triangular_system(of(A, y));
  ASSERT_TRUE(triangle);
  const test::LeastSquares expected = test::gelsy(A, y);
  std::vector<double> c = expected.coefficients;
  for (double& value : c) value += 0.1;
  TargetSums left(12);
  left.add(A, test::difference(y, test::times(A, c)));
  std::vector<double> step = left.products;
  solve_triangle(triangle->R, step, true);
  solve_triangle(triangle->R, step, false);
  add_scaled(c, 1.0, step);
  test::expect_near(c, expected.coefficients, 1e-13);
  EXPECT_NEAR(left.squares - product(step, left.products), std::pow(expected.residual, 2.0), 1e-12);
}

}  // namespace normal_equations_test
}  // namespace shrimp

#include "solvers/minimum_norm.hpp"

#include "support.hpp"

namespace shrimp {
namespace minimum_norm_test {

using test::difference;
using test::gelsy;
using test::random_matrix;
using test::random_matrix_of_rank;
using test::random_vector;
using test::times;

struct Shape {
  std::size_t rows;
  std::size_t cols;
};

constexpr Shape shapes[] = {{20, 60}, {60, 20}, {30, 30}, {1, 10}, {10, 1}, {1, 1}, {40, 41}, {200, 7}};

void expect_agrees_with_gelsy(const Matrix& A, const std::vector<double>& y) {
  const MinimumNormSolution ours = solve_minimum_norm(Matrix(A), y);
  const test::LeastSquares theirs = gelsy(A, y);
  EXPECT_EQ(ours.rank, theirs.rank);
  EXPECT_NEAR(norm(difference(times(A, ours.coefficients), y)), theirs.residual, 1e-11 * norm(y));
  EXPECT_NEAR(norm(ours.coefficients), norm(theirs.coefficients), 1e-9 * norm(theirs.coefficients));
  test::expect_near(ours.coefficients, theirs.coefficients, 1e-9 * norm(theirs.coefficients));
}

TEST(MinimumNorm, AgreesWithLapackOnWideTallAndSquareMatrices) {
  for (const auto [rows, cols] : shapes) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(cols));
    expect_agrees_with_gelsy(random_matrix(rows, cols, rows + cols), random_vector(rows, 2));
  }
}

TEST(MinimumNorm, FactorsServeOneTargetAfterTheOther) {
  for (const auto [rows, cols] : shapes) {
    const Matrix A = random_matrix(rows, cols, rows + cols);
    const MinimumNormFactors factors{Matrix(A)};
    for (const std::uint64_t seed : {2, 3}) {
      const std::vector<double> y = random_vector(rows, seed);
      EXPECT_EQ(factors.solve(y).coefficients, solve_minimum_norm(Matrix(A), y).coefficients);
    }
  }
}

TEST(MinimumNorm, AgreesWithLapackOnRankDeficientMatrices) {
  for (const auto [rows, cols] : {Shape{20, 60}, Shape{60, 20}, Shape{30, 30}}) {
    for (const std::size_t rank : {1U, 5U, 19U}) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(cols) + " of rank " + std::to_string(rank));
      const Matrix A = random_matrix_of_rank(rows, cols, rank, rows + rank);
      EXPECT_EQ(solve_minimum_norm(Matrix(A), random_vector(rows, 4)).rank, rank);
      expect_agrees_with_gelsy(A, random_vector(rows, 4));
    }
  }
}

TEST(MinimumNorm, SharesACoefficientEquallyBetweenEqualColumns) {
  Matrix A(2, 3);
  A(0, 0) = A(0, 1) = 1.0;
  A(1, 2) = 2.0;
  const MinimumNormSolution solution = solve_minimum_norm(std::move(A), std::vector<double>{3.0, 8.0});
  EXPECT_EQ(solution.rank, 2U);
  test::expect_near(solution.coefficients, std::vector<double>{1.5, 1.5, 4.0}, 1e-14);
}

// min ‖c‖ with ⟨a, c⟩ = y is a·y/‖a‖².
TEST(MinimumNorm, OfOneEquationIsTheProjectionOntoItsPlane) {
  Matrix A(1, 4);
  for (std::size_t j = 0; j < 4; ++j) A(0, j) = static_cast<double>(j + 1);
  const MinimumNormSolution solution = solve_minimum_norm(std::move(A), std::vector<double>{60.0});
  test::expect_near(solution.coefficients, std::vector<double>{2.0, 4.0, 6.0, 8.0}, 1e-13);
}

TEST(MinimumNorm, OfATallSystemIsOrdinaryLeastSquares) {
  Matrix A(4, 2);  // The line through (0,1), (1,3), (2,4), (3,4): 1.5 + x.
  for (std::size_t i = 0; i < 4; ++i) {
    A(i, 0) = 1.0;
    A(i, 1) = static_cast<double>(i);
  }
  const MinimumNormSolution solution = solve_minimum_norm(std::move(A), std::vector<double>{1.0, 3.0, 4.0, 4.0});
  test::expect_near(solution.coefficients, std::vector<double>{1.5, 1.0}, 1e-13);
}

TEST(MinimumNorm, OfNothingIsNothing) {
  const MinimumNormSolution zero_matrix = solve_minimum_norm(Matrix(3, 5), std::vector<double>{1.0, 2.0, 3.0});
  EXPECT_EQ(zero_matrix.rank, 0U);
  EXPECT_EQ(zero_matrix.coefficients, std::vector<double>(5, 0.0));
  const MinimumNormSolution zero_target = solve_minimum_norm(random_matrix(3, 5, 1), std::vector<double>(3, 0.0));
  EXPECT_EQ(norm(zero_target.coefficients), 0.0);
}

TEST(MinimumNorm, LeavesNoPartOfTheSolutionInTheNullSpace) {
  const Matrix A = random_matrix_of_rank(15, 40, 8, 3);
  const std::vector<double> c = solve_minimum_norm(Matrix(A), random_vector(15, 5)).coefficients;
  // c lies in the row space: it is a combination of the rows of A, without residual.
  Matrix transposed(40, 15);
  for (std::size_t i = 0; i < 15; ++i) {
    for (std::size_t j = 0; j < 40; ++j) transposed(j, i) = A(i, j);
  }
  EXPECT_LT(gelsy(transposed, c).residual, 1e-12 * norm(c));
}

// diag(1, 1e-3, 1e-6): each tolerance keeps the directions above it.
TEST(MinimumNorm, CutsOffDirectionsBelowTheTolerance) {
  const std::vector<double> y(3, 1.0);
  const std::pair<double, std::size_t> cases[] = {{0.0, 3}, {1e-5, 2}, {1e-2, 1}};
  for (const auto& [tolerance, rank] : cases) {
    Matrix A(3, 3);
    A(0, 0) = 1.0;
    A(1, 1) = 1e-3;
    A(2, 2) = 1e-6;
    const MinimumNormSolution solution = solve_minimum_norm(std::move(A), y, tolerance);
    EXPECT_EQ(solution.rank, rank);
    EXPECT_NEAR(solution.coefficients[0], 1.0, 1e-12);
    EXPECT_NEAR(solution.coefficients[1], rank > 1 ? 1e3 : 0.0, 1e-9);
    EXPECT_NEAR(solution.coefficients[2], rank > 2 ? 1e6 : 0.0, 1e-6);
  }
}

TEST(MinimumNorm, DefaultToleranceIsTheLargerSideTimesEpsilon) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  EXPECT_EQ(default_rank_tolerance(10, 300), 300 * eps);
  EXPECT_EQ(default_rank_tolerance(300, 10), 300 * eps);
}

TEST(MinimumNorm, SingularValuesAreThoseOfTheMatrix) {
  for (const auto [rows, cols] : shapes) {
    const Matrix A = random_matrix(rows, cols, rows * cols);
    const std::size_t count = std::min(rows, cols);
    std::vector<double> expected(count);
    Matrix copy(A);
    ASSERT_EQ(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', static_cast<lapack_int>(rows), static_cast<lapack_int>(cols),
                             copy.data(), static_cast<lapack_int>(rows), expected.data(), nullptr, 1, nullptr, 1),
              0);
    const MinimumNormSolution solution = solve_minimum_norm(Matrix(A), random_vector(rows, 1), 0.0, true);
    test::expect_near(solution.singular_values, expected, 1e-13 * expected.front());
    EXPECT_TRUE(solve_minimum_norm(Matrix(A), random_vector(rows, 1)).singular_values.empty());
  }
}

TEST(MinimumNorm, ScalesWithItsData) {
  const Matrix A = random_matrix(10, 25, 8);
  const std::vector<double> y = random_vector(10, 9);
  const std::vector<double> c = solve_minimum_norm(Matrix(A), y).coefficients;
  Matrix small(A);
  for (double* entry = small.data(); entry != small.data() + 250; ++entry) *entry *= 0x1p-300;
  const MinimumNormSolution scaled = solve_minimum_norm(std::move(small), y);
  EXPECT_EQ(scaled.rank, 10U);
  for (std::size_t j = 0; j < 25; ++j) EXPECT_NEAR(scaled.coefficients[j] * 0x1p-300, c[j], 1e-12);
}

}  // namespace minimum_norm_test
}  // namespace shrimp

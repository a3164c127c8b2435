#include "solvers/kernel_ridge.hpp"

#include "linalg/devices.hpp"
#include "support.hpp"

namespace shrimp {
namespace kernel_ridge_test {

using test::difference;
using test::gelsy;
using test::random_matrix;
using test::random_vector;
using test::times;

Matrix shifted(const Matrix& K, double lambda) {
  Matrix result(K);
  for (std::size_t i = 0; i < K.rows(); ++i) result(i, i) += lambda;
  return result;
}

Matrix gaussian_kernel(MatrixView X) {
  return kernel_matrix(X, std::vector<double>(X.cols, 0.5), static_cast<int>(X.cols));
}

// Every row of X twice.
Matrix doubled_rows(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  const Matrix half = random_matrix(rows, cols, seed);
  Matrix X(2 * rows, cols);
  for (std::size_t j = 0; j < cols; ++j) {
    for (std::size_t i = 0; i < 2 * rows; ++i) X(i, j) = half(i % rows, j);
  }
  return X;
}

TEST(KernelRidge, AgreesWithLapack) {
  for (const std::size_t rows : {1U, 2U, 50U, 300U}) {
    const Matrix K = gaussian_kernel(random_matrix(rows, 3, rows));
    const std::vector<double> y = random_vector(rows, 2);
    const KernelRidge ridge(Matrix(K), y);
    for (const double lambda : {1e-3, 0.1, 1.0, 1e6}) {
      const KernelRidgeSolution solution = ridge.solve(lambda);
      const test::LeastSquares expected = gelsy(shifted(K, lambda), y);
      test::expect_near(solution.alpha, expected.coefficients, 1e-9 * norm(expected.coefficients));
      EXPECT_EQ(solution.rank, rows);
      EXPECT_FALSE(solution.used_least_norm);
    }
  }
}

// K = [2 1; 1 2], λ = 1, y = (1, 0): the inverse of [3 1; 1 3] is [3 −1; −1 3]/8.
TEST(KernelRidge, SolvesASystemDoneByHand) {
  Matrix K(2, 2);
  K(0, 0) = K(1, 1) = 2.0;
  K(1, 0) = 1.0;
  K(0, 1) = -77.0;  // Only the lower triangle counts.
  const std::vector<double> y = {1.0, 0.0};
  test::expect_near(KernelRidge(std::move(K), y).solve(1.0).alpha, std::vector<double>{0.375, -0.125}, 1e-15);
}

TEST(KernelRidge, InterpolatesWithoutARidge) {
  Matrix X(6, 1);
  for (std::size_t i = 0; i < 6; ++i) X(i, 0) = static_cast<double>(i);
  const Matrix K = gaussian_kernel(X);
  const std::vector<double> y = random_vector(6, 3);
  const KernelRidgeSolution solution = KernelRidge(Matrix(K), y).solve(0.0);
  EXPECT_FALSE(solution.used_least_norm);
  test::expect_near(times(K, solution.alpha), y, 1e-13);
}

TEST(KernelRidge, OfEqualRowsWithoutARidgeIsTheLeastNormSolution) {
  for (const std::size_t rows : {3U, 8U, 40U}) {
    const Matrix X = doubled_rows(rows, 8, 4);
    const Matrix K = gaussian_kernel(X);
    const std::vector<double> y = random_vector(2 * rows, 5);
    const KernelRidgeSolution solution = KernelRidge(Matrix(K), y).solve(0.0);
    const test::LeastSquares expected = gelsy(K, y);
    EXPECT_TRUE(solution.used_least_norm);
    EXPECT_EQ(solution.rank, rows);
    EXPECT_EQ(solution.rank, expected.rank);
    test::expect_near(solution.alpha, expected.coefficients, 1e-9 * norm(expected.coefficients));
    EXPECT_NEAR(norm(difference(times(K, solution.alpha), y)), expected.residual, 1e-10);
  }
}

TEST(KernelRidge, OfEqualRowsWithARidgeSharesTheCoefficient) {
  const Matrix X = doubled_rows(10, 2, 6);
  std::vector<double> y = random_vector(10, 7);
  y.insert(y.end(), y.begin(), y.begin() + 10);
  const KernelRidgeSolution solution = KernelRidge(gaussian_kernel(X), y).solve(0.01);
  EXPECT_FALSE(solution.used_least_norm);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(solution.alpha[i], solution.alpha[i + 10], 1e-11);
}

// A wide Gaussian kernel has eigenvalues down to rounding: whatever λ, the solution stays bounded and fits.
TEST(KernelRidge, OfTinyLambdasStaysSane) {
  const Matrix X = random_matrix(120, 2, 8);
  const Matrix K = kernel_matrix(X, std::vector<double>(2, 0.05), 2);
  std::vector<double> y;
  for (std::size_t i = 0; i < 120; ++i) y.push_back(std::sin(X(i, 0)) + X(i, 1));
  const KernelRidge ridge(Matrix(K), y);
  for (const double lambda : {0.0, 1e-300, 1e-18, 1e-15, 1e-13, 1e-10, 1e-6}) {
    const KernelRidgeSolution solution = ridge.solve(lambda);
    EXPECT_EQ(solution.used_least_norm, solution.rank < 120U);
    EXPECT_LT(norm(difference(times(K, solution.alpha), y)), 1e-3 * norm(y)) << lambda;
  }
  EXPECT_TRUE(ridge.solve(0.0).used_least_norm);
  EXPECT_FALSE(ridge.solve(1e-6).used_least_norm);
}

// (W^½ K W^½ + λI) β = W^½ y, α = W^½ β is (K + λ W⁻¹) α = y.
TEST(KernelRidge, TakesRowWeights) {
  const Matrix K = gaussian_kernel(random_matrix(30, 2, 9));
  const std::vector<double> y = random_vector(30, 10);
  std::vector<double> roots;
  for (const double value : random_vector(30, 11)) roots.push_back(1.5 + value);
  Matrix system(K);
  for (std::size_t i = 0; i < 30; ++i) system(i, i) += 0.3 / (roots[i] * roots[i]);
  const test::LeastSquares expected = gelsy(system, y);
  test::expect_near(KernelRidge(Matrix(K), y, roots).solve(0.3).alpha, expected.coefficients,
                    1e-11 * norm(expected.coefficients));
}

TEST(KernelRidge, LeavesOutRowsOfNoWeight) {
  const Matrix X = random_matrix(20, 2, 12);
  const std::vector<double> y = random_vector(20, 13);
  std::vector<double> roots(20, 1.0);
  roots[19] = 0.0;
  const KernelRidgeSolution with = KernelRidge(gaussian_kernel(X), y, roots).solve(0.1);
  const Matrix fewer(MatrixView{X.data(), 19, 2, 20});
  const KernelRidgeSolution without = KernelRidge(gaussian_kernel(fewer), std::span(y).first(19)).solve(0.1);
  test::expect_near(std::span(with.alpha).first(19), without.alpha, 1e-12);
  EXPECT_EQ(with.alpha[19], 0.0);
}

TEST(KernelRidge, OfNoRowsIsEmpty) { EXPECT_TRUE(KernelRidge(Matrix(0, 0), {}).solve(1.0).alpha.empty()); }

TEST(KernelRidge, RefusesLambdasThatAreNoNumbersFromZero) {
  const KernelRidge ridge(shifted(Matrix(3, 3), 1.0), random_vector(3, 1));
  for (const double lambda : {-1e-9, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW((void)ridge.solve(lambda), std::invalid_argument);
  }
}

TEST(KernelRidge, RefusesPartsThatDoNotBelongTogether) {
  const std::vector<double> y(3, 1.0);
  EXPECT_THROW(KernelRidge(Matrix(3, 2), y), std::invalid_argument);
  EXPECT_THROW(KernelRidge(Matrix(2, 2), y), std::invalid_argument);
  EXPECT_THROW(KernelRidge(Matrix(3, 3), y, std::vector<double>{1.0}), std::invalid_argument);
  EXPECT_THROW(KernelRidge(Matrix(3, 3), y, std::vector<double>{1.0, -1.0, 1.0}), std::invalid_argument);
}

class KernelRidgeOnDevices : public test::DeviceTest {};

TEST_P(KernelRidgeOnDevices, IsThatOfTheProcessorAlsoWhereMemoryRunsOut) {
  const std::size_t rows = 520;
  const Matrix K = gaussian_kernel(random_matrix(rows, 4, 31));
  const std::vector<double> y = random_vector(rows, 32);
  std::vector<double> roots = random_vector(rows, 33);
  for (double& root : roots) root = 1.0 + 0.5 * root;
  const KernelRidge here(Matrix(K), y, roots);
  for (const std::size_t bytes : {0ul, 3000000ul, 1000ul}) {
    const KernelRidge there(Matrix(K), y, roots, scarce(bytes));
    for (const double lambda : {1e-3, 10.0}) {
      const KernelRidgeSolution expected = here.solve(lambda);
      const KernelRidgeSolution found = there.solve(lambda);
      const double size = norm(times(K, expected.alpha));
      EXPECT_LT(norm(difference(times(K, found.alpha), times(K, expected.alpha))), 1e-9 * size);
      EXPECT_EQ(found.rank, expected.rank);
    }
  }
}

// The processor decides where rounding would: the answers are the same to the bit.
TEST_P(KernelRidgeOnDevices, LeavesSingularMatricesToTheProcessor) {
  const Matrix K = gaussian_kernel(doubled_rows(260, 2, 34));
  const std::vector<double> y = random_vector(520, 35);
  const KernelRidgeSolution found = KernelRidge(Matrix(K), y, {}, shared_device()).solve(1e-14);
  EXPECT_TRUE(found.used_least_norm);
  EXPECT_EQ(found.alpha, KernelRidge(Matrix(K), y).solve(1e-14).alpha);
}

SHRIMP_TEST_EVERY_DEVICE(KernelRidgeOnDevices);

}  // namespace kernel_ridge_test
}  // namespace shrimp

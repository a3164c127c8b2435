#include "linalg/tridiagonal.hpp"

#include <numbers>

#include "backends.hpp"
#include "matrices.hpp"

namespace shrimp {
namespace tridiagonal_test {

using test::dot;
using test::expect_near;
using test::random_vector;

using TridiagonalTest = test::BackendTest;
SHRIMP_TEST_EVERY_BACKEND(TridiagonalTest);

TEST_P(TridiagonalTest, FindsTheEigenvaluesSmallestFirst) {
  const std::vector<std::vector<double>> spectra = {
      {2.0}, {-3.0, 4.0}, {0.0, 0.0, 0.0, 1.0}, {-2.0, -1e-9, 0.5, 0.5, 0.5, 7.0}};
  for (const std::vector<double>& eigenvalues : spectra) {
    std::vector<double> b(eigenvalues.size());
    const Matrix K = test::with_eigenvalues(eigenvalues, 1);
    expect_near(tridiagonalize(test::lower_triangle(K), b).eigenvalues, eigenvalues, 1e-13);
  }
}

TEST_P(TridiagonalTest, LeavesATridiagonalMatrixItsEigenvalues) {
  constexpr std::size_t n = 50;
  Matrix K(n, n);  // −1, 2, −1: eigenvalues 2 − 2 cos(kπ/(n + 1)).
  std::vector<double> expected;
  for (std::size_t k = 0; k < n; ++k) {
    K(k, k) = 2.0;
    if (k + 1 < n) K(k + 1, k) = -1.0;
    expected.push_back(2.0 - 2.0 * std::cos(static_cast<double>(k + 1) * std::numbers::pi / (n + 1)));
  }
  std::vector<double> b(n);
  expect_near(tridiagonalize(std::move(K), b).eigenvalues, expected, 1e-13);
}

// T and z = Qᵀ b are K and b in other coordinates: moments bᵀ Kᵖ b and lengths are theirs.
TEST_P(TridiagonalTest, TurnsTheMatrixAndTheVectorAlike) {
  for (const std::size_t n : {1U, 2U, 3U, 40U}) {
    const Matrix K = test::with_eigenvalues(random_vector(n, 1), 2);
    const std::vector<double> b = random_vector(n, 3);
    std::vector<double> z = b;
    const Tridiagonal T = tridiagonalize(test::lower_triangle(K), z);
    ASSERT_EQ(T.diagonal.size(), n);
    ASSERT_EQ(T.off_diagonal.size(), n - 1);
    Matrix dense = test::diagonal_matrix(T.diagonal);
    for (std::size_t k = 0; k + 1 < n; ++k) dense(k, k + 1) = dense(k + 1, k) = T.off_diagonal[k];
    std::vector<double> image_of_b = b;
    std::vector<double> image_of_z = z;
    for (int power = 0; power < 4; ++power) {
      EXPECT_NEAR(dot(z, image_of_z), dot(b, image_of_b), 1e-12) << n << " " << power;
      image_of_b = test::times(K, image_of_b);
      image_of_z = test::times(dense, image_of_z);
    }
  }
}

/// (K + λI)⁻¹ b, by LAPACK.
std::vector<double> solve_dense(const Matrix& K, double lambda, std::span<const double> b) {
  Matrix shifted(K);
  for (std::size_t k = 0; k < K.rows(); ++k) shifted(k, k) += lambda;
  std::vector<double> x(b.begin(), b.end());
  const auto n = static_cast<lapack_int>(K.rows());
  EXPECT_EQ(LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', n, 1, shifted.data(), n, x.data(), n), 0);
  return x;
}

TEST_P(TridiagonalTest, SolvesWithAnyShiftAsLapackDoes) {
  std::vector<double> deficient(30, 0.0);
  std::ranges::copy(test::falling_values(12, 1e-4), deficient.begin());
  const std::vector<std::vector<double>> spectra = {{2.0}, {1.0, 0.0}, test::falling_values(30, 1e-6), deficient};
  for (const std::vector<double>& eigenvalues : spectra) {
    const std::size_t n = eigenvalues.size();
    const Matrix K = test::with_eigenvalues(eigenvalues, 4);
    const std::vector<double> b = random_vector(n, 5);
    std::vector<double> z = b;
    const Tridiagonal T = tridiagonalize(Matrix(K), z);
    for (const double lambda : {1e-6, 1e-2, 1.0, 1e9}) {
      const std::vector<double> x = solve_dense(K, lambda, b);
      const std::vector<double> turned = T.solve_shifted(lambda, z);
      EXPECT_NEAR(norm(turned) / norm(x), 1.0, 1e-8) << lambda;
      EXPECT_NEAR(dot(turned, z) / dot(x, b), 1.0, 1e-8) << lambda;
    }
  }
}

TEST_P(TridiagonalTest, SolvesItsOwnEquations) {
  const Tridiagonal T{.diagonal = {2.0, 3.0, 1.0, 5.0}, .off_diagonal = {-1.0, 0.5, 0.0}, .eigenvalues = {}};
  const std::vector<double> z = random_vector(4, 6);
  const std::vector<double> x = T.solve_shifted(0.25, z);
  for (std::size_t k = 0; k < 4; ++k) {
    double image = (T.diagonal[k] + 0.25) * x[k];
    if (k > 0) image += T.off_diagonal[k - 1] * x[k - 1];
    if (k < 3) image += T.off_diagonal[k] * x[k + 1];
    EXPECT_NEAR(image, z[k], 1e-15);
  }
}

}  // namespace tridiagonal_test
}  // namespace shrimp

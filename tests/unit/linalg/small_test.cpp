#include "linalg/small.hpp"

#include "backends.hpp"
#include "linalg/dense.hpp"
#include "matrices.hpp"

namespace shrimp {
namespace small_test {

using test::expect_near;
using test::expect_orthonormal_columns;
using test::falling_values;
using test::product;
using test::random_matrix;
using test::transposed;
using test::with_singular_values;

using SmallTest = test::BackendTest;
SHRIMP_TEST_EVERY_BACKEND(SmallTest);

TEST_P(SmallTest, PivotedTriangleHasTheProductsOfTheColumns) {
  const Matrix S = test::random_matrix_of_rank(90, 30, 12, 4);
  const PivotedTriangle found = pivoted_triangle(Matrix(S), 1e-10);
  ASSERT_EQ(found.columns.size(), 12);
  const Matrix expected = multiply_transposed(S, MatrixView(S));
  const Matrix products = multiply_transposed(found.R, MatrixView(found.R));
  for (std::size_t k = 0; k < 900; ++k) EXPECT_NEAR(products.data()[k], expected.data()[k], 1e-10);
  for (std::size_t k = 0; k < 12; ++k) {
    for (std::size_t i = k + 1; i < 12; ++i) EXPECT_EQ(found.R(i, found.columns[k]), 0.0);
  }
}

TEST_P(SmallTest, PivotedTriangleOfFewRowsOrColumnsIsComplete) {
  for (const auto& [rows, cols] : {std::pair{1U, 1U}, {1U, 5U}, {5U, 1U}, {4U, 9U}, {5U, 0U}}) {
    const Matrix S = random_matrix(rows, cols, 1);
    const PivotedTriangle found = pivoted_triangle(Matrix(S), 0.0);
    EXPECT_EQ(found.columns.size(), std::min(rows, cols));
    expect_near(product(transposed(found.R), found.R), product(transposed(S), S), 1e-13);
  }
}

TEST_P(SmallTest, PivotedTriangleLeavesOutWhatIsBelowTheCut) {
  Matrix S = test::orthonormal_columns(8, 5, 1);  // Columns of lengths 1, 0.1, …, in another order.
  const std::vector<double> lengths = {1e-3, 1.0, 1e-4, 1e-1, 1e-2};
  for (std::size_t j = 0; j < 5; ++j) {
    for (double& value : S.col(j)) value *= lengths[j];
  }
  EXPECT_EQ(pivoted_triangle(Matrix(S), 0.99e-2).columns, (std::vector<std::size_t>{1, 3, 4}));
  EXPECT_EQ(pivoted_triangle(Matrix(S), 1.01e-2).columns, (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(pivoted_triangle(Matrix(S), 2.0).R.rows(), 0U);
  EXPECT_TRUE(pivoted_triangle(Matrix(3, 4), 0.0).columns.empty());
}

TEST_P(SmallTest, InterpolatesAllColumnsFromAFew) {
  for (const auto& [rows, cols] : {std::pair{1U, 1U}, {60U, 25U}, {9U, 40U}}) {
    const std::size_t rank = std::min({rows, cols, 7U});
    const Matrix S = test::random_matrix_of_rank(rows, cols, rank, 2);
    const Interpolation found = interpolate_columns(Matrix(S), 1e-10, rank);
    ASSERT_TRUE(found.found);
    ASSERT_EQ(found.columns.size(), rank);
    expect_near(product(test::columns_of(S, found.columns), found.weights), S, 1e-12);
    expect_near(test::columns_of(found.weights, found.columns), test::diagonal_matrix(std::vector<double>(rank, 1.0)),
                0.0);
  }
}

TEST_P(SmallTest, InterpolatesUpToTheTolerance) {
  const Matrix S = with_singular_values(50, 30, falling_values(30, 1e-12), 3);
  const Interpolation found = interpolate_columns(Matrix(S), 1e-6, 30);
  ASSERT_TRUE(found.found);
  EXPECT_LT(found.columns.size(), 20U);
  expect_near(product(test::columns_of(S, found.columns), found.weights), S, 1e-5);
}

TEST_P(SmallTest, FindsNoInterpolationWhereTooManyColumnsAreNeeded) {
  const Matrix S = random_matrix(20, 10, 4);
  EXPECT_FALSE(interpolate_columns(Matrix(S), 1e-10, 9).found);
  EXPECT_TRUE(interpolate_columns(Matrix(S), 1e-10, 10).found);
}

TEST_P(SmallTest, InterpolatesColumnsOfZerosFromNone) {
  const Interpolation found = interpolate_columns(Matrix(6, 3), 1e-10, 0);
  EXPECT_TRUE(found.found);
  EXPECT_TRUE(found.columns.empty());
  EXPECT_EQ(found.weights.rows(), 0U);
  EXPECT_EQ(found.weights.cols(), 3U);
}

TEST_P(SmallTest, OrthonormalizesRows) {
  for (const auto& [rows, cols] : {std::pair{1U, 1U}, {1U, 6U}, {5U, 5U}, {8U, 40U}}) {
    const Matrix W = with_singular_values(rows, cols, falling_values(rows, 1e-5), 5);
    const OrthonormalRows found = orthonormalize_rows(W);
    expect_orthonormal_columns(transposed(found.D), 1e-14);
    expect_near(product(found.L, found.D), W, 1e-14);
  }
}

void expect_svd(const Matrix& A, std::span<const double> sigma) {
  const ThinSvd svd = thin_svd(Matrix(A));
  expect_near(svd.sigma, sigma, 1e-13);
  expect_orthonormal_columns(svd.U, 1e-13);
  expect_orthonormal_columns(transposed(svd.Vt), 1e-13);
  expect_near(product(svd.U, product(test::diagonal_matrix(svd.sigma), svd.Vt)), A, 1e-13);
}

TEST_P(SmallTest, FindsTheSingularValueDecompositionOfTallMatrices) {
  const std::vector<double> ill_conditioned = falling_values(12, 1e-14);
  const std::vector<double> deficient = {2.0, 1.0, 1.0, 0.0, 0.0};
  for (const std::size_t more_rows : {0U, 1U, 90U}) {
    expect_svd(with_singular_values(12 + more_rows, 12, ill_conditioned, 6), ill_conditioned);
    expect_svd(with_singular_values(5 + more_rows, 5, deficient, 7), deficient);
    expect_svd(with_singular_values(1 + more_rows, 1, std::vector{3.0}, 8), std::vector{3.0});
  }
  expect_svd(Matrix(4, 2), std::vector<double>(2, 0.0));
}

TEST_P(SmallTest, FindsTheEigenvectorsOfTheLowerTriangle) {
  const std::vector<std::vector<double>> spectra = {{}, {-2.0}, {-1.0, 0.0, 0.0, 1e-8, 3.0, 3.0}};
  for (const std::vector<double>& eigenvalues : spectra) {
    const Matrix G = eigenvalues.empty() ? Matrix() : test::with_eigenvalues(eigenvalues, 9);
    const auto [values, Q] = symmetric_eigen(test::lower_triangle(G));
    expect_near(values, eigenvalues, 1e-14);
    expect_orthonormal_columns(Q, 1e-14);
    expect_near(product(Q, product(test::diagonal_matrix(values), transposed(Q))), G, 1e-14);
  }
}

TEST_P(SmallTest, RootsHaveTheGramMatrix) {
  for (const auto& [rows, cols] : {std::pair{1U, 1U}, {4U, 9U}, {9U, 4U}, {3U, 0U}, {0U, 3U}}) {
    const Matrix D = random_matrix(rows, cols, 10);
    const Matrix X = gram_root(D);
    expect_near(product(X, transposed(X)), product(D, transposed(D)), 1e-13);
  }
}

}  // namespace small_test
}  // namespace shrimp

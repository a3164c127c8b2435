#include "linalg/dense.hpp"

#include "backends.hpp"
#include "matrices.hpp"

namespace shrimp {
namespace dense_test {

using test::entries;
using test::expect_near;
using test::random_matrix;
using test::random_vector;
using test::Window;

struct Shape {
  std::size_t rows;
  std::size_t cols;
};

// Also more columns and more rows than one thread takes at once.
constexpr Shape shapes[] = {{1, 1}, {1, 7}, {7, 1}, {6, 4}, {4, 6}, {3, 400}, {400, 3}, {0, 3}, {3, 0}, {0, 0}};

using Indices = std::vector<std::size_t>;

using DenseTest = test::BackendTest;
SHRIMP_TEST_EVERY_BACKEND(DenseTest);

TEST_P(DenseTest, MultipliesVectorsByAMatrixAndItsTranspose) {
  for (const auto& [rows, cols] : shapes) {
    const Matrix A = random_matrix(rows, cols, 1);
    const std::vector<double> x = random_vector(cols, 2);
    const std::vector<double> z = random_vector(rows, 3);
    expect_near(multiply(Window(A), x), test::times(A, x), 1e-13);
    expect_near(multiply_transposed(Window(A), z), test::times(test::transposed(A), z), 1e-13);
  }
}

TEST_P(DenseTest, MultipliesMatrices) {
  for (const auto& [rows, cols] : shapes) {
    for (const std::size_t depth : {0U, 1U, 5U}) {
      const Matrix A = random_matrix(rows, depth, 1);
      const Matrix B = random_matrix(depth, cols, 2);
      const Matrix expected = test::product(A, B);
      expect_near(multiply(Window(A), Window(B)), expected, 1e-13);
      expect_near(multiply_transposed(Window(test::transposed(A)), Window(B)), expected, 1e-13);
    }
  }
}

/// The lower triangle of G + change, and what is above the diagonal of G.
Matrix with_lower_triangle_changed(const Matrix& G, double alpha, const Matrix& change) {
  Matrix result(G);
  for (std::size_t j = 0; j < G.cols(); ++j) {
    for (std::size_t i = j; i < G.rows(); ++i) result(i, j) += alpha * change(i, j);
  }
  return result;
}

void expect_same_above_the_diagonal(const Matrix& actual, const Matrix& expected) {
  for (std::size_t j = 0; j < expected.cols(); ++j) {
    for (std::size_t i = 0; i < j; ++i) ASSERT_EQ(actual(i, j), expected(i, j));
  }
}

TEST_P(DenseTest, AddsGramMatricesInTheLowerTriangleAlone) {
  for (const auto& [rows, cols] : shapes) {
    const Matrix A = random_matrix(rows, cols, 1);
    const Matrix before = random_matrix(rows, rows, 2);
    Matrix G(before);
    add_gram(G, -0.5, Window(A));
    expect_near(G, with_lower_triangle_changed(before, -0.5, test::product(A, test::transposed(A))), 1e-13);
    expect_same_above_the_diagonal(G, before);
  }
}

TEST_P(DenseTest, AddsGramMatricesOfColumnsInTheLowerTriangleAlone) {
  for (const auto& [rows, cols] : shapes) {
    const Matrix A = random_matrix(rows, cols, 1);
    const Matrix before = random_matrix(cols, cols, 2);
    Matrix G(before);
    add_gram_of_columns(G, Window(A));
    expect_near(G, with_lower_triangle_changed(before, 1.0, test::product(test::transposed(A), A)), 1e-13);
    expect_same_above_the_diagonal(G, before);
  }
}

// Y = Z R + B C for the result Z.
TEST_P(DenseTest, OrthogonalizesWithWhatTheTriangleSays) {
  for (const std::size_t cols : {1U, 4U, 5U, 11U}) {
    for (const std::size_t shared : {0U, 1U, 3U}) {
      const Matrix B = random_matrix(20, shared, 1);
      const Matrix C = random_matrix(shared, cols, 2);
      Matrix R(cols, cols);
      for (std::size_t j = 0; j < cols; ++j) {
        std::ranges::copy(random_vector(j, j), R.col(j).begin());
        R(j, j) = 2.0;
      }
      const Matrix Y = random_matrix(20, cols, 3);
      Matrix Z(Y);
      orthogonalize(Z, Window(B), C, test::upper_triangle(R));
      Matrix again = test::product(Z, R);
      const Matrix taken = test::product(B, C);
      for (std::size_t k = 0; k < 20 * cols; ++k) again.data()[k] += taken.data()[k];
      expect_near(again, Y, 1e-12);
    }
  }
}

TEST_P(DenseTest, CombinesColumnsAndProjectsOntoThemWhereTheyAre) {
  const Matrix A = random_matrix(9, 30, 1);
  const std::vector<double> z = random_vector(9, 2);
  Indices many(100);
  for (std::size_t k = 0; k < many.size(); ++k) many[k] = 7 * k % 30;
  for (const Indices& columns : {Indices{}, Indices{29}, Indices{5, 0, 5}, many}) {
    const std::vector<double> c = random_vector(columns.size(), 3);
    const Matrix part = test::columns_of(A, columns);
    expect_near(combine_columns(Window(A), columns, c), test::times(part, c), 1e-13);
    const std::vector<double> products = test::times(test::transposed(part), z);
    expect_near(project_columns(Window(A), columns, z), products, 1e-13);
    std::vector<double> moved = c;
    const std::vector<double> sum = project_and_combine(Window(A), columns, z, moved);
    for (std::size_t k = 0; k < moved.size(); ++k) EXPECT_NEAR(moved[k], c[k] + products[k], 1e-13);
    expect_near(sum, test::times(part, moved), 1e-12);
  }
  EXPECT_TRUE(combine_columns(Matrix(0, 2), Indices{1}, std::vector<double>{1.0}).empty());
}

TEST_P(DenseTest, CopiesAndTransposesEveryEntry) {
  for (const auto& [rows, cols] : shapes) {
    const Matrix A = random_matrix(rows, cols, 1);
    expect_near(copy_in_parallel(Window(A)), A, 0.0);
    expect_near(transpose(Window(A)), test::transposed(A), 0.0);
  }
}

TEST_P(DenseTest, GathersColumnsAndRowsInTheOrderGiven) {
  const Matrix A = random_matrix(6, 5, 1);
  for (const Indices& which : {Indices{}, Indices{4}, Indices{3, 0, 3, 1}}) {
    const Matrix columns = test::columns_of(A, which);
    expect_near(gather_columns(Window(A), which), columns, 0.0);
    expect_near(gather_rows(Window(test::transposed(A)), which), test::transposed(columns), 0.0);
  }
}

TEST_P(DenseTest, ScalesRowsByTheirFactors) {
  for (const auto& [rows, cols] : shapes) {
    const Matrix A = random_matrix(rows, cols, 1);
    const std::vector<double> factors = random_vector(rows, 2);
    Matrix scaled(A);
    scale_rows(scaled, factors);
    for (std::size_t j = 0; j < cols; ++j) {
      for (std::size_t i = 0; i < rows; ++i) EXPECT_EQ(scaled(i, j), factors[i] * A(i, j));
    }
  }
}

TEST_P(DenseTest, AddsVectorsAndTakesSquaredNorms) {
  std::vector<double> y = {1.0, -2.0, 0.5};
  add_scaled(y, -2.0, std::vector<double>{0.25, 3.0, 0.0});
  EXPECT_EQ(y, (std::vector<double>{0.5, -8.0, 0.5}));
  add_scaled(y, 1.0, y);
  EXPECT_EQ(y, (std::vector<double>{1.0, -16.0, 1.0}));
  EXPECT_EQ(squared_norm(y), 258.0);
  std::vector<double> none;
  add_scaled(none, 1.0, none);
  EXPECT_EQ(squared_norm(none), 0.0);
}

/// The least-norm solution without singular values up to tolerance·σ_max, by LAPACK's SVD.
std::vector<double> least_norm_by_svd(const Matrix& T, std::span<const double> b, double tolerance) {
  Matrix A(T);
  std::vector<double> x(b.begin(), b.end());
  std::vector<double> sigma(b.size());
  const auto n = static_cast<lapack_int>(b.size());
  lapack_int rank = 0;
  EXPECT_EQ(LAPACKE_dgelsd(LAPACK_COL_MAJOR, n, n, 1, A.data(), n, x.data(), n, sigma.data(), tolerance, &rank), 0);
  return x;
}

TEST_P(DenseTest, SolvesSquareSystemsByTheShortestVectorUpToTheirRank) {
  struct Case {
    std::vector<double> sigma;
    std::size_t rank;
  };
  for (const auto& [sigma, rank] : {Case{{2.0}, 1}, Case{{3.0, 2.0, 1.0, 0.5}, 4}, Case{{1.0, 0.5, 1e-15}, 2},
                                    Case{{1.0, 1e-3, 1e-5}, 3}, Case{{1.0, 1e-3, 1e-12}, 2}}) {
    for (const std::size_t zeros : {0U, 2U}) {
      const std::size_t n = sigma.size() + zeros;
      const Matrix T = test::with_singular_values(n, n, sigma, n);
      std::vector<double> x = random_vector(n, 1);
      const std::vector<double> expected = least_norm_by_svd(T, x, 1e-10);
      EXPECT_EQ(solve_square_least_norm(Matrix(T), x, 1e-10), rank);
      expect_near(x, expected, 1e-9 * norm(expected));
    }
  }
  std::vector<double> one = {3.0};
  EXPECT_EQ(solve_square_least_norm(test::diagonal_matrix(std::vector<double>{-2.0}), one, 1e-10), 1U);
  EXPECT_EQ(one[0], -1.5);
  std::vector<double> zero = random_vector(3, 1);
  EXPECT_EQ(solve_square_least_norm(Matrix(3, 3), zero, 1e-10), 0U);
  EXPECT_EQ(zero, std::vector<double>(3, 0.0));
}

TEST_P(DenseTest, FindsTheSingularValuesLargestFirst) {
  const std::vector<double> sigma = {5.0, 3.0, 3.0, 1e-3, 1e-9};
  for (const auto& [rows, cols] : {Shape{5, 5}, Shape{40, 5}, Shape{5, 40}}) {
    expect_near(singular_values(test::with_singular_values(rows, cols, sigma, rows)), sigma, 1e-13);
  }
  expect_near(singular_values(random_matrix(1, 1, 1)), std::vector{std::abs(random_vector(1, 1)[0])}, 1e-16);
  EXPECT_EQ(singular_values(Matrix(4, 3)), std::vector<double>(3, 0.0));
  EXPECT_TRUE(singular_values(Matrix(4, 0)).empty());
  EXPECT_TRUE(singular_values(Matrix(0, 4)).empty());
}

TEST_P(DenseTest, GivesTheSameBitsOnAnyNumberOfThreads) {
  const Matrix tall = random_matrix(500, 40, 1);
  const Matrix wide = random_matrix(40, 500, 2);
  const std::vector<double> z = random_vector(500, 3);
  Indices columns(500);
  for (std::size_t k = 0; k < 500; ++k) columns[k] = 499 - k;
  const auto expect_same = [](const auto& compute) {
    expect_same_bits_on_any_number_of_threads([&] { return entries(compute()); });
  };
  expect_same([&] { return multiply(tall, wide); });
  expect_same([&] { return multiply_transposed(wide, wide); });
  expect_same([&] { return copy_in_parallel(wide); });
  expect_same([&] { return gather_columns(wide, columns); });
  expect_same([&] { return transpose(wide); });
  expect_same([&] {
    Matrix scaled(tall);
    scale_rows(scaled, z);
    return scaled;
  });
  expect_same([&] {
    Matrix G(500, 500);
    add_gram(G, 2.0, tall);
    add_gram_of_columns(G, wide);
    return G;
  });
  const Matrix square = random_matrix(500, 500, 4);
  expect_same_bits_on_any_number_of_threads([&] { return combine_columns(square, columns, z); });
  expect_same_bits_on_any_number_of_threads([&] { return project_columns(square, columns, z); });
  expect_same_bits_on_any_number_of_threads([&] { return multiply(square, z); });
  expect_same_bits_on_any_number_of_threads([&] { return multiply_transposed(square, z); });
}

}  // namespace dense_test
}  // namespace shrimp

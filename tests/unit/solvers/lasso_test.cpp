#include "solvers/lasso.hpp"

#include <atomic>
#include <bit>

#include "solvers/l1.hpp"
#include "support.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace lasso_test {

using test::difference;
using test::random_matrix;
using test::random_vector;
using test::times;

constexpr LassoSolver solvers[] = {LassoSolver::coordinate_descent, LassoSolver::proximal_gradient};

LassoOptions tight(LassoSolver solver, double tolerance = 1e-12) {
  return {.solver = solver, .tolerance = tolerance, .max_iterations = 200000};
}

std::vector<double> transposed_times(MatrixView A, std::span<const double> z) {
  std::vector<double> products(A.cols, 0.0);
  for (std::size_t j = 0; j < A.cols; ++j) {
    for (std::size_t i = 0; i < A.rows; ++i) products[j] += A(i, j) * z[i];
  }
  return products;
}

std::vector<double> dense(const LassoSolution& solution, std::size_t columns) {
  std::vector<double> c(columns, 0.0);
  for (std::size_t k = 0; k < solution.columns.size(); ++k) c[solution.columns[k]] = solution.coefficients[k];
  return c;
}

double objective_at(MatrixView A, std::span<const double> y, std::span<const double> c, double lambda, double weight) {
  return std::pow(norm(difference(times(A, c), y)), 2) / (2.0 * weight) + lambda * l1_norm(c);
}

// The objective less the dual value of the residual, shrunk until it is feasible.
double gap_at(MatrixView A, std::span<const double> y, std::span<const double> c, double lambda, double weight) {
  const std::vector<double> residual = difference(y, times(A, c));
  const double largest = largest_magnitude(transposed_times(A, residual)) / weight;
  const double scale = largest > lambda ? lambda / largest : 1.0;
  double product = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) product += scale * residual[i] * y[i];
  const double dual = (product - std::pow(scale * norm(residual), 2) / 2.0) / weight;
  return objective_at(A, y, c, lambda, weight) - dual;
}

// |a_jᵀr| ≤ nλ, with equality and the sign of c_j where c_j ≠ 0.
void expect_optimal(MatrixView A, std::span<const double> y, const LassoSolution& solution, double slack) {
  const auto weight = static_cast<double>(A.rows);
  const std::vector<double> c = dense(solution, A.cols);
  const std::vector<double> correlations = transposed_times(A, difference(y, times(A, c)));
  for (std::size_t j = 0; j < A.cols; ++j) {
    const double scaled = correlations[j] / weight;
    EXPECT_LE(std::abs(scaled), solution.lambda + slack) << "column " << j;
    if (c[j] != 0.0) {
      EXPECT_NEAR(scaled, std::copysign(solution.lambda, c[j]), slack) << "column " << j;
    }
  }
}

// cos and sin of random frequencies of two inputs each: most columns are nearly dependent.
Matrix coherent_dictionary(std::size_t rows, std::size_t inputs, std::size_t features, std::uint64_t seed) {
  const Matrix X = random_matrix(rows, inputs, seed);
  test::Random random(seed + 1);
  Matrix A(rows, 2 * features);
  for (std::size_t k = 0; k < features; ++k) {
    const std::size_t a = k % inputs;
    const std::size_t b = (k / inputs + a + 1) % inputs;
    const double frequency_a = 2.0 * random();
    const double frequency_b = 2.0 * random();
    for (std::size_t i = 0; i < rows; ++i) {
      const double phase = frequency_a * X(i, a) + frequency_b * X(i, b);
      A(i, k) = std::cos(phase);
      A(i, features + k) = std::sin(phase);
    }
  }
  return A;
}

struct Problem {
  Matrix A;
  std::vector<double> y;
};

Problem make_problem(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Problem problem{random_matrix(rows, cols, seed), random_vector(rows, seed + 1)};
  for (std::size_t i = 0; i < rows; ++i) problem.y[i] += 2.0 * problem.A(i, 0) - problem.A(i, cols / 2);
  return problem;
}

Problem coherent_problem(std::size_t rows, std::size_t features, std::uint64_t seed) {
  Problem problem{coherent_dictionary(rows, 5, features, seed), random_vector(rows, seed + 1)};
  for (std::size_t i = 0; i < rows; ++i) {
    problem.y[i] = 0.1 * problem.y[i] + problem.A(i, 3) * problem.A(i, features + 3) + problem.A(i, 7);
  }
  return problem;
}

TEST(Lasso, MeetsTheOptimalityConditionsOnWideAndTallMatrices) {
  for (const LassoSolver solver : solvers) {
    for (const auto& [rows, cols] : {std::pair{30, 80}, std::pair{80, 30}, std::pair{40, 40}, std::pair{1, 9}}) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(cols));
      const Problem problem = make_problem(rows, cols, rows + cols);
      LassoPath path(problem.A, problem.y, tight(solver));
      for (const double lambda : lambda_grid(lasso_lambda_max(problem.A, problem.y), 0.01, 8)) {
        const LassoSolution solution = path.solve(lambda);
        EXPECT_TRUE(solution.converged);
        EXPECT_TRUE(std::ranges::is_sorted(solution.columns));
        expect_optimal(problem.A, problem.y, solution, 1e-5 * lambda + 1e-6);
      }
    }
  }
}

TEST(Lasso, ReportsItsObjectiveAndABoundOfItsError) {
  for (const LassoSolver solver : solvers) {
    for (const double weight : {0.0, 7.5}) {
      const Problem problem = make_problem(30, 60, 3);
      const double n = weight > 0.0 ? weight : 30.0;
      LassoOptions options = tight(solver, 1e-4);
      options.total_weight = weight;
      const double lambda = 0.1 * lasso_lambda_max(problem.A, problem.y, weight);
      const LassoSolution solution = LassoPath(problem.A, problem.y, options).solve(lambda);
      const std::vector<double> c = dense(solution, 60);
      EXPECT_NEAR(solution.objective, objective_at(problem.A, problem.y, c, lambda, n), 1e-12 * solution.objective);
      EXPECT_LE(solution.gap, options.tolerance * std::pow(norm(problem.y), 2) / n);
      // The certificate is the best multiple of the residual: no worse than the plain one.
      EXPECT_LE(solution.gap, gap_at(problem.A, problem.y, c, lambda, n) + 1e-14);
      options.tolerance = 1e-13;
      const LassoSolution best = LassoPath(problem.A, problem.y, options).solve(lambda);
      EXPECT_LE(solution.objective - best.objective, solution.gap + 1e-14);
    }
  }
}

// For AᵀA = nI the solution is each correlation, soft-thresholded by itself.
TEST(Lasso, OfOrthogonalColumnsIsSoftThresholding) {
  constexpr std::size_t size = 16;
  Matrix A(size, size);
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t i = 0; i < size; ++i) A(i, j) = std::popcount(i & j) % 2 == 0 ? 1.0 : -1.0;
  }
  const std::vector<double> y = random_vector(size, 5);
  std::vector<double> expected = transposed_times(A, y);
  for (double& entry : expected) entry = soft_threshold(entry / size, 0.1);
  for (const LassoSolver solver : solvers) {
    test::expect_near(dense(LassoPath(A, y, tight(solver, 1e-15)).solve(0.1), size), expected, 1e-7);
  }
  test::expect_near(dense(LassoPath(A, y, tight(LassoSolver::coordinate_descent, 1e-15)).solve(0.1), size), expected,
                    1e-14);
}

TEST(Lasso, IsZeroFromTheLargestLambdaUpwards) {
  for (const LassoSolver solver : solvers) {
    const Problem problem = make_problem(20, 50, 4);
    const double lambda_max = lasso_lambda_max(problem.A, problem.y);
    LassoPath path(problem.A, problem.y, tight(solver));
    EXPECT_FALSE(path.solve(0.99 * lambda_max).columns.empty());
    for (const double lambda : {lambda_max, 2.0 * lambda_max, 1e6}) {
      const LassoSolution solution = path.solve(lambda);
      EXPECT_TRUE(solution.columns.empty());
      EXPECT_TRUE(solution.converged);
      EXPECT_NEAR(solution.gap, 0.0, 1e-20);
    }
  }
}

TEST(Lasso, FindsTheSameFromWarmAndColdStarts) {
  for (const LassoSolver solver : solvers) {
    const Problem problem = make_problem(40, 100, 6);
    LassoPath warm(problem.A, problem.y, tight(solver));
    for (const double lambda : lambda_grid(lasso_lambda_max(problem.A, problem.y), 0.02, 10)) {
      const LassoSolution along = warm.solve(lambda);
      const LassoSolution cold = LassoPath(problem.A, problem.y, tight(solver)).solve(lambda);
      EXPECT_NEAR(along.objective, cold.objective, 1e-11 * norm(problem.y));
      test::expect_near(dense(along, 100), dense(cold, 100), 1e-4);
    }
    // Upwards, too: nothing depends on the order.
    const double lambda = 0.5 * lasso_lambda_max(problem.A, problem.y);
    EXPECT_NEAR(warm.solve(lambda).objective, LassoPath(problem.A, problem.y, tight(solver)).solve(lambda).objective,
                1e-11 * norm(problem.y));
  }
}

TEST(Lasso, IsTheSameByProductsAloneAsFromTheStoredMatrix) {
  const Problem problem = make_problem(30, 70, 8);
  const DenseOperator A(problem.A);
  EXPECT_DOUBLE_EQ(lasso_lambda_max(A, problem.y), lasso_lambda_max(problem.A, problem.y));
  LassoPath by_products(A, problem.y, tight(LassoSolver::proximal_gradient));
  LassoPath by_columns(problem.A, problem.y, tight(LassoSolver::coordinate_descent));
  for (const double lambda : lambda_grid(lasso_lambda_max(A, problem.y), 0.01, 6)) {
    EXPECT_NEAR(by_products.solve(lambda).objective, by_columns.solve(lambda).objective, 1e-11);
  }
}

TEST(Lasso, ConvergesOnACoherentDictionary) {
  const Problem problem = coherent_problem(60, 300, 9);
  LassoPath descent(problem.A, problem.y, tight(LassoSolver::coordinate_descent));
  LassoPath gradient(problem.A, problem.y, tight(LassoSolver::proximal_gradient, 1e-7));
  for (const double lambda : lambda_grid(lasso_lambda_max(problem.A, problem.y), 0.01, 10)) {
    const LassoSolution solution = descent.solve(lambda);
    EXPECT_TRUE(solution.converged);
    EXPECT_LT(solution.iterations, 2000U);
    expect_optimal(problem.A, problem.y, solution, 1e-5 * lambda);
    const LassoSolution other = gradient.solve(lambda);
    EXPECT_TRUE(other.converged);
    EXPECT_LE(std::abs(other.objective - solution.objective), other.gap + solution.gap);
  }
}

TEST(Lasso, LeavesZeroColumnsAlone) {
  for (const LassoSolver solver : solvers) {
    Problem problem = make_problem(20, 30, 10);
    for (const std::size_t j : {0U, 7U, 29U}) std::ranges::fill(problem.A.col(j), 0.0);
    const LassoSolution solution =
        LassoPath(problem.A, problem.y, tight(solver)).solve(0.05 * lasso_lambda_max(problem.A, problem.y));
    EXPECT_TRUE(solution.converged);
    for (const std::size_t j : {0U, 7U, 29U}) EXPECT_FALSE(std::ranges::binary_search(solution.columns, j));
    const Matrix zero(20, 30);
    EXPECT_EQ(lasso_lambda_max(zero, problem.y), 0.0);
    const LassoSolution nothing = LassoPath(zero, problem.y, tight(solver)).solve(0.1);
    EXPECT_TRUE(nothing.columns.empty());
    EXPECT_TRUE(nothing.converged);
  }
}

TEST(Lasso, GivesEqualColumnsTheWeightOfOne) {
  for (const LassoSolver solver : solvers) {
    const Problem problem = make_problem(25, 40, 11);
    Matrix twice(25, 80);
    for (std::size_t j = 0; j < 80; ++j) std::ranges::copy(problem.A.col(j % 40), twice.col(j).begin());
    LassoPath single(problem.A, problem.y, tight(solver));
    LassoPath path(twice, problem.y, tight(solver));
    for (const double lambda : lambda_grid(lasso_lambda_max(problem.A, problem.y), 0.05, 6)) {
      const LassoSolution solution = path.solve(lambda);
      EXPECT_TRUE(solution.converged);
      EXPECT_NEAR(solution.objective, single.solve(lambda).objective, 1e-11);
    }
  }
}

TEST(Lasso, OfNothingIsNothing) {
  for (const LassoSolver solver : solvers) {
    const LassoSolution no_columns = LassoPath(Matrix(3, 0), std::vector<double>(3, 1.0), tight(solver)).solve(0.1);
    EXPECT_TRUE(no_columns.columns.empty());
    EXPECT_DOUBLE_EQ(no_columns.objective, 0.5);
    EXPECT_TRUE(no_columns.converged);
    const LassoSolution zero_target =
        LassoPath(random_matrix(3, 5, 1), std::vector<double>(3, 0.0), tight(solver)).solve(0.1);
    EXPECT_TRUE(zero_target.columns.empty());
    EXPECT_TRUE(zero_target.converged);
  }
}

TEST(Lasso, WithoutPenaltyIsLeastSquares) {
  const Problem tall = make_problem(40, 10, 12);
  const LassoSolution fit = LassoPath(tall.A, tall.y, tight(LassoSolver::coordinate_descent)).solve(0.0);
  EXPECT_FALSE(fit.converged);  // The residual is not small, and nothing else would prove it.
  test::expect_near(dense(fit, 10), test::gelsy(tall.A, tall.y).coefficients, 1e-9);
  const Problem wide = make_problem(10, 40, 13);
  const LassoSolution exact = LassoPath(wide.A, wide.y, tight(LassoSolver::coordinate_descent)).solve(0.0);
  EXPECT_TRUE(exact.converged);
  EXPECT_LT(exact.objective, 1e-12);
}

TEST(Lasso, StopsAtTheLargestNumberOfIterations) {
  for (const LassoSolver solver : solvers) {
    const Problem problem = coherent_problem(40, 100, 14);
    LassoOptions options = tight(solver, 1e-14);
    options.max_iterations = 2;
    const LassoSolution solution =
        LassoPath(problem.A, problem.y, options).solve(1e-4 * lasso_lambda_max(problem.A, problem.y));
    EXPECT_FALSE(solution.converged);
    EXPECT_GT(solution.gap, 0.0);
  }
}

TEST(Lasso, DoesNotDependOnTheNumberOfThreads) {
  const Problem problem = coherent_problem(50, 400, 15);
  for (const LassoSolver solver : solvers) {
    std::vector<LassoSolution> solutions;
    for (const int threads : {1, 3}) {
      const ThreadScope scope(threads);
      LassoPath path(problem.A, problem.y, tight(solver, 1e-4));
      for (const double lambda : lambda_grid(lasso_lambda_max(problem.A, problem.y), 0.05, 5)) {
        solutions.push_back(path.solve(lambda));
      }
    }
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_EQ(solutions[k].columns, solutions[k + 5].columns);
      EXPECT_EQ(solutions[k].coefficients, solutions[k + 5].coefficients);
    }
  }
}

TEST(Lasso, RefusesBadInput) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Problem problem = make_problem(10, 20, 16);
  const auto construct = [&](std::span<const double> y, const LassoOptions& options) {
    const LassoPath path(problem.A, y, options);
  };
  EXPECT_THROW(construct(random_vector(9, 1), {}), std::invalid_argument);
  for (const double bad : {nan, infinity}) {
    std::vector<double> y = problem.y;
    y[3] = bad;
    EXPECT_THROW(construct(y, {}), std::invalid_argument);
  }
  for (const double bad : {0.0, -1.0, nan}) {
    EXPECT_THROW(construct(problem.y, {.tolerance = bad}), std::invalid_argument);
  }
  EXPECT_THROW(construct(problem.y, {.total_weight = -1.0}), std::invalid_argument);
  for (const double bad : {nan, infinity}) {
    Matrix A(problem.A);
    A(2, 5) = bad;
    for (const LassoSolver solver : solvers)
      EXPECT_THROW(LassoPath(A, problem.y, tight(solver)), std::invalid_argument);
  }
  EXPECT_THROW(LassoPath(DenseOperator(problem.A), problem.y, LassoOptions{}), std::invalid_argument);
  for (const LassoSolver solver : solvers) {
    LassoPath path(problem.A, problem.y, tight(solver));
    for (const double lambda : {-1e-3, nan, infinity}) EXPECT_THROW(path.solve(lambda), std::invalid_argument);
  }
  EXPECT_THROW(lambda_grid(-1.0, 0.1, 3), std::invalid_argument);
  for (const double ratio : {0.0, -1.0, 1.5, nan}) EXPECT_THROW(lambda_grid(1.0, ratio, 3), std::invalid_argument);
}

TEST(Lasso, IsInterruptedByItsStopFlag) {
  for (const LassoSolver solver : solvers) {
    const Problem problem = make_problem(20, 40, 17);
    std::atomic<bool> stop = false;
    LassoOptions options = tight(solver);
    options.stop = &stop;
    LassoPath path(problem.A, problem.y, options);
    const double lambda = 0.1 * lasso_lambda_max(problem.A, problem.y);
    stop = true;
    EXPECT_THROW(path.solve(lambda), Interrupted);
    stop = false;  // The path can be used again.
    EXPECT_TRUE(path.solve(lambda).converged);
  }
}

TEST(LambdaGrid, FallsGeometricallyFromTheLargest) {
  test::expect_near(lambda_grid(8.0, 0.125, 4), std::vector<double>{8.0, 4.0, 2.0, 1.0}, 1e-14);
  EXPECT_EQ(lambda_grid(8.0, 0.5, 1), std::vector<double>{8.0});
  EXPECT_TRUE(lambda_grid(8.0, 0.5, 0).empty());
}

}  // namespace lasso_test
}  // namespace shrimp

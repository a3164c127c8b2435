#include "solvers/basis_pursuit.hpp"

#include <numbers>

#include "support.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace basis_pursuit_test {

using test::difference;
using test::random_matrix;
using test::random_vector;
using test::times;

std::vector<double> times_transposed(MatrixView A, std::span<const double> z) {
  std::vector<double> product(A.cols, 0.0);
  for (std::size_t j = 0; j < A.cols; ++j) {
    for (std::size_t i = 0; i < A.rows; ++i) product[j] += A(i, j) * z[i];
  }
  return product;
}

double sum_of_magnitudes(std::span<const double> x) {
  double sum = 0.0;
  for (const double value : x) sum += std::abs(value);
  return sum;
}

double largest(std::span<const double> x) {
  double value = 0.0;
  for (const double entry : x) value = std::max(value, std::abs(entry));
  return value;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Normal entries by the Box–Muller method.
Matrix gaussian_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  test::Random random(seed);
  Matrix A(rows, cols);
  for (double* entry = A.data(); entry != A.data() + rows * cols; ++entry) {
    const double radius = std::sqrt(-2.0 * std::log((random() + 1.0) / 2.0));
    *entry = radius * std::cos(std::numbers::pi * random()) / std::sqrt(static_cast<double>(rows));
  }
  return A;
}

std::vector<double> sparse_vector(std::size_t size, std::size_t nonzeros, std::uint64_t seed) {
  const std::vector<double> values = random_vector(nonzeros, seed);
  std::vector<double> c(size, 0.0);
  for (std::size_t k = 0; k < nonzeros; ++k) c[k * size / nonzeros] = values[k] + std::copysign(0.2, values[k]);
  return c;
}

/// cos and sin of two inputs at random frequencies: columns that nearly depend on each other.
Matrix coherent_dictionary(std::size_t rows, std::size_t frequencies, std::uint64_t seed) {
  const Matrix X = random_matrix(rows, 2, seed);
  const Matrix W = random_matrix(frequencies, 2, seed + 1);
  Matrix A(rows, 2 * frequencies);
  for (std::size_t j = 0; j < frequencies; ++j) {
    for (std::size_t i = 0; i < rows; ++i) {
      const double phase = 3.0 * (X(i, 0) * W(j, 0) + X(i, 1) * W(j, 1));
      A(i, j) = std::cos(phase);
      A(i, frequencies + j) = std::sin(phase);
    }
  }
  return A;
}

// With r = y − A c and λ = ‖Aᵀr‖_∞: u = r/λ is feasible for the dual, so that its value bounds every feasible ‖c‖₁.
void expect_optimal(MatrixView A, std::span<const double> y, double sigma, std::span<const double> c,
                    double tolerance) {
  const std::vector<double> r = difference(y, times(A, c));
  EXPECT_NEAR(norm(r), sigma, tolerance * norm(y));
  const std::vector<double> products = times_transposed(A, r);
  const double lambda = largest(products);
  const double l1 = sum_of_magnitudes(c);
  EXPECT_NEAR(l1, (dot(y, r) - sigma * norm(r)) / lambda, tolerance * std::max(1.0, l1));
  for (std::size_t j = 0; j < c.size(); ++j) {
    if (std::abs(c[j]) < 1e-3 * largest(c)) continue;
    EXPECT_NEAR(products[j], std::copysign(lambda, c[j]), std::sqrt(tolerance) * lambda) << "column " << j;
  }
}

// For σ = 0 a certificate cannot come from r = 0: u solves A_Sᵀu = sign(c_S) in the least-norm sense, by LAPACK.
void expect_optimal_interpolation(const Matrix& A, std::span<const double> y, std::span<const double> c,
                                  double tolerance) {
  EXPECT_LE(norm(difference(times(A, c), y)), tolerance * norm(y));
  std::vector<std::size_t> support;
  for (std::size_t j = 0; j < c.size(); ++j) {
    if (std::abs(c[j]) > 1e-7 * largest(c)) support.push_back(j);
  }
  ASSERT_LE(support.size(), A.rows());
  Matrix transposed(support.size(), A.rows());
  std::vector<double> signs;
  for (std::size_t k = 0; k < support.size(); ++k) {
    for (std::size_t i = 0; i < A.rows(); ++i) transposed(k, i) = A(i, support[k]);
    signs.push_back(std::copysign(1.0, c[support[k]]));
  }
  std::vector<double> u = test::gelsy(transposed, signs).coefficients;
  const double size = largest(times_transposed(A, u));
  const double l1 = sum_of_magnitudes(c);
  EXPECT_NEAR(dot(y, u) / std::max(1.0, size), l1, tolerance * std::max(1.0, l1));
}

BasisPursuitOptions tight() {
  BasisPursuitOptions options;
  options.tolerance = 1e-9;
  return options;
}

BasisPursuitOptions first_order(double tolerance) {
  BasisPursuitOptions options;
  options.tolerance = tolerance;
  options.follow_path = false;
  return options;
}

TEST(BasisPursuit, RecoversSparseVectorsExactly) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Matrix A = gaussian_matrix(60, 200, seed);
    const std::vector<double> truth = sparse_vector(200, 12, seed + 10);
    const BasisPursuitSolution solution = solve_basis_pursuit(DenseOperator(A), times(A, truth), 0.0, tight());
    EXPECT_TRUE(solution.converged);
    test::expect_near(solution.coefficients, truth, 1e-7);
  }
}

TEST(BasisPursuit, RecoversSparseVectorsByFirstOrderIterationsAlone) {
  const Matrix A = gaussian_matrix(60, 200, 4);
  const std::vector<double> truth = sparse_vector(200, 8, 14);
  const BasisPursuitSolution solution = solve_basis_pursuit(DenseOperator(A), times(A, truth), 0.0, first_order(1e-8));
  EXPECT_EQ(solution.columns, 0U);
  EXPECT_LT(solution.iterations, 1000U);
  EXPECT_LT(std::abs(solution.duality_gap), 1e-4);
  test::expect_near(solution.coefficients, truth, 1e-6);
}

// Their balls pass the solution and never shrink: interpolation is soon reached, its least norm is not, and that is
// said.
TEST(BasisPursuit, PassesTheLeastNormByFirstOrderIterationsOnCoherentDictionaries) {
  const Matrix A = coherent_dictionary(60, 300, 8);
  std::vector<double> y(60);
  for (std::size_t i = 0; i < 60; ++i) y[i] = A(i, 3) - 0.5 * A(i, 400) * A(i, 20);
  BasisPursuitOptions options = first_order(1e-4);
  options.max_iterations = 600;
  const BasisPursuitSolution solution = solve_basis_pursuit(DenseOperator(A), y, 0.0, options);
  const BasisPursuitSolution better = solve_basis_pursuit(DenseOperator(A), y, 0.0);
  EXPECT_FALSE(solution.converged);
  EXPECT_LT(solution.violation, 0.02 * norm(y));
  EXPECT_GT(solution.l1_norm, 1.01 * better.l1_norm);
  EXPECT_GT(solution.duality_gap, 0.01);
}

TEST(BasisPursuit, InterpolatesDenseDataWithALeastL1Norm) {
  for (const std::uint64_t seed : {1U, 2U}) {
    const Matrix A = gaussian_matrix(30, 90, seed);
    const std::vector<double> y = random_vector(30, seed + 7);
    const BasisPursuitSolution solution = solve_basis_pursuit(DenseOperator(A), y, 0.0, tight());
    EXPECT_TRUE(solution.converged);
    expect_optimal_interpolation(A, y, solution.coefficients, 1e-8);
  }
}

TEST(BasisPursuit, SatisfiesTheOptimalityConditionsForPositiveSigma) {
  const Matrix A = gaussian_matrix(40, 120, 5);
  const std::vector<double> y = random_vector(40, 6);
  for (const double part : {0.9, 0.3, 0.05, 1e-3}) {
    SCOPED_TRACE(part);
    const BasisPursuitSolution solution = solve_basis_pursuit(DenseOperator(A), y, part * norm(y), tight());
    EXPECT_TRUE(solution.converged);
    expect_optimal(A, y, part * norm(y), solution.coefficients, 1e-8);
  }
}

// Its bound is the best of all iterations, which the last residual need not give.
TEST(BasisPursuit, SatisfiesTheOptimalityConditionsByFirstOrderIterationsAlone) {
  const Matrix A = gaussian_matrix(40, 120, 5);
  const std::vector<double> y = random_vector(40, 6);
  for (const double part : {0.9, 0.3, 0.1}) {
    SCOPED_TRACE(part);
    const BasisPursuitSolution solution = solve_basis_pursuit(DenseOperator(A), y, part * norm(y), first_order(1e-7));
    const BasisPursuitSolution exact = solve_basis_pursuit(DenseOperator(A), y, part * norm(y), tight());
    EXPECT_TRUE(solution.converged);
    expect_optimal(A, y, part * norm(y), solution.coefficients, 1e-4);
    EXPECT_NEAR(solution.l1_norm, exact.l1_norm, 1e-5 * exact.l1_norm);
  }
}

TEST(BasisPursuit, ReachesTightGapsOnCoherentDictionaries) {
  const Matrix A = coherent_dictionary(100, 300, 8);
  std::vector<double> y = random_vector(100, 9);
  for (std::size_t i = 0; i < 100; ++i) y[i] = 0.01 * y[i] + A(i, 3) - 0.5 * A(i, 400) * A(i, 20);
  for (const double part : {0.3, 0.02, 7e-3}) {
    SCOPED_TRACE(part);
    const BasisPursuitSolution solution = solve_basis_pursuit(DenseOperator(A), y, part * norm(y), tight());
    EXPECT_TRUE(solution.converged);
    expect_optimal(A, y, part * norm(y), solution.coefficients, 1e-8);
  }
}

TEST(BasisPursuit, ReportsWhatItReached) {
  const Matrix A = gaussian_matrix(50, 100, 3);
  const std::vector<double> y = random_vector(50, 4);
  const double sigma = 0.1 * norm(y);
  const BasisPursuitSolution solution = solve_basis_pursuit(DenseOperator(A), y, sigma, tight());
  const std::vector<double> r = difference(y, times(A, solution.coefficients));
  EXPECT_NEAR(solution.residual_norm, norm(r), 1e-12);
  EXPECT_NEAR(solution.l1_norm, sum_of_magnitudes(solution.coefficients), 1e-10);
  EXPECT_EQ(solution.violation, std::max(0.0, solution.residual_norm - sigma));
  const double dual = (dot(y, r) - sigma * norm(r)) / largest(times_transposed(A, r));
  EXPECT_NEAR(solution.duality_gap, (solution.l1_norm - dual) / std::max(1.0, solution.l1_norm), 1e-9);
  EXPECT_GT(solution.iterations, 0U);
  EXPECT_GT(solution.products, 0U);
}

TEST(BasisPursuit, OfOneEquationTakesItsLargestColumn) {
  Matrix A(1, 3);
  A(0, 0) = 1.0;
  A(0, 1) = -4.0;
  A(0, 2) = 2.0;
  const std::vector<double> y{6.0};
  const auto solve = [&](double sigma) {
    return solve_basis_pursuit(DenseOperator(A), y, sigma, tight()).coefficients;
  };
  test::expect_near(solve(0.0), std::vector<double>{0.0, -1.5, 0.0}, 1e-9);
  test::expect_near(solve(2.0), std::vector<double>{0.0, -1.0, 0.0}, 1e-9);
}

// Without interaction between columns the solution is y, soft thresholded.
TEST(BasisPursuit, OnTheIdentityIsSoftThresholding) {
  Matrix A(4, 4);
  for (std::size_t i = 0; i < 4; ++i) A(i, i) = 1.0;
  const std::vector<double> y{3.0, -2.0, 0.5, 0.0};
  const double sigma = std::sqrt(1.0 + 1.0 + 0.25);
  const BasisPursuitSolution solution = solve_basis_pursuit(DenseOperator(A), y, sigma, tight());
  test::expect_near(solution.coefficients, std::vector<double>{2.0, -1.0, 0.0, 0.0}, 1e-8);
}

TEST(BasisPursuit, BearsColumnsThatAreEqualOppositeOrZero) {
  const Matrix distinct = gaussian_matrix(20, 40, 11);
  Matrix A(20, 130);
  for (std::size_t j = 0; j < 40; ++j) {
    for (std::size_t i = 0; i < 20; ++i) {
      A(i, j) = A(i, 40 + j) = distinct(i, j);
      A(i, 80 + j) = -distinct(i, j);
    }
  }
  const std::vector<double> y = random_vector(20, 12);
  for (const double sigma : {0.0, 0.2 * norm(y)}) {
    const BasisPursuitSolution once = solve_basis_pursuit(DenseOperator(distinct), y, sigma, tight());
    const BasisPursuitSolution repeated = solve_basis_pursuit(DenseOperator(A), y, sigma, tight());
    EXPECT_TRUE(repeated.converged);
    EXPECT_NEAR(repeated.l1_norm, once.l1_norm, 1e-7);
  }
}

TEST(BasisPursuit, IsZeroAtOnceWhereSigmaReachesY) {
  const Matrix A = gaussian_matrix(10, 30, 1);
  const std::vector<double> y = random_vector(10, 2);
  for (const double sigma : {norm(y), 2.0 * norm(y)}) {
    const BasisPursuitSolution solution = solve_basis_pursuit(DenseOperator(A), y, sigma);
    EXPECT_TRUE(solution.converged);
    EXPECT_EQ(solution.coefficients, std::vector<double>(30, 0.0));
    EXPECT_EQ(solution.products, 0U);
    EXPECT_EQ(solution.residual_norm, norm(y));
    EXPECT_EQ(solution.violation, 0.0);
  }
  EXPECT_TRUE(solve_basis_pursuit(DenseOperator(A), std::vector<double>(10, 0.0), 0.0).converged);
}

TEST(BasisPursuit, EndsWithTheLeastResidualWhereNoneIsSmallEnough) {
  const Matrix A = gaussian_matrix(60, 10, 3);
  const std::vector<double> y = random_vector(60, 4);
  const double least = test::gelsy(A, y).residual;
  for (const bool path : {true, false}) {
    for (const double sigma : {0.0, 0.9 * least}) {
      BasisPursuitOptions options = path ? tight() : first_order(1e-9);
      const BasisPursuitSolution solution = solve_basis_pursuit(DenseOperator(A), y, sigma, options);
      EXPECT_FALSE(solution.converged);
      EXPECT_NEAR(solution.residual_norm, least, 1e-8 * norm(y));
      EXPECT_NEAR(solution.violation, least - sigma, 1e-8 * norm(y));
      EXPECT_LT(solution.iterations, options.max_iterations);
    }
  }
}

TEST(BasisPursuit, EndsWhereNoColumnHasAnythingOfY) {
  Matrix A(3, 2);
  A(0, 0) = A(1, 1) = 1.0;
  const BasisPursuitSolution solution = solve_basis_pursuit(DenseOperator(A), std::vector<double>{0.0, 0.0, 2.0}, 1.0);
  EXPECT_FALSE(solution.converged);
  EXPECT_EQ(solution.residual_norm, 2.0);
  EXPECT_EQ(solution.violation, 1.0);
  const BasisPursuitSolution none = solve_basis_pursuit(DenseOperator(Matrix(3, 0)), std::vector<double>(3, 1.0), 0.0);
  EXPECT_FALSE(none.converged);
  EXPECT_TRUE(none.coefficients.empty());
}

TEST(BasisPursuit, SolvesATallSystemDownToItsLeastResidual) {
  const Matrix A = gaussian_matrix(60, 10, 3);
  const std::vector<double> y = random_vector(60, 4);
  const double sigma = 1.01 * test::gelsy(A, y).residual;
  const BasisPursuitSolution solution = solve_basis_pursuit(DenseOperator(A), y, sigma, tight());
  EXPECT_TRUE(solution.converged);
  expect_optimal(A, y, sigma, solution.coefficients, 1e-8);
}

TEST(BasisPursuit, StopsAfterTheIterationsItMayTake) {
  const Matrix A = coherent_dictionary(80, 200, 5);
  const std::vector<double> y = random_vector(80, 6);
  BasisPursuitOptions options = tight();
  options.max_iterations = 30;
  const BasisPursuitSolution solution = solve_basis_pursuit(DenseOperator(A), y, 0.0, options);
  EXPECT_FALSE(solution.converged);
  EXPECT_EQ(solution.iterations, 30U);
  EXPECT_LE(solution.residual_norm, norm(y));
}

/// Products alone, as an operator that never stores A has them.
class ProductsOnly : public LinearOperator {
 public:
  explicit ProductsOnly(MatrixView A) : A_(A) {}
  [[nodiscard]] std::size_t rows() const override { return A_.rows; }
  [[nodiscard]] std::size_t cols() const override { return A_.cols; }
  [[nodiscard]] std::vector<double> multiply(std::span<const double> x) const override { return times(A_, x); }
  [[nodiscard]] std::vector<double> multiply_transposed(std::span<const double> z) const override {
    return times_transposed(A_, z);
  }

 private:
  MatrixView A_;
};

TEST(BasisPursuit, GivesTheSameFromProductsAlone) {
  const Matrix A = coherent_dictionary(40, 60, 7);
  const std::vector<double> y = random_vector(40, 8);
  for (const double part : {0.9, 0.6}) {
    const BasisPursuitSolution stored = solve_basis_pursuit(DenseOperator(A), y, part * norm(y), tight());
    const BasisPursuitSolution products = solve_basis_pursuit(ProductsOnly(A), y, part * norm(y), tight());
    EXPECT_TRUE(products.converged);
    EXPECT_NEAR(products.l1_norm, stored.l1_norm, 1e-8 * stored.l1_norm);
    test::expect_near(products.coefficients, stored.coefficients, 1e-6 * stored.l1_norm);
  }
}

TEST(BasisPursuit, DoesNotDependOnTheNumberOfThreads) {
  const Matrix A = coherent_dictionary(60, 1000, 9);
  const std::vector<double> y = random_vector(60, 10);
  const auto solve = [&](int threads) {
    const ThreadScope scope(threads);
    return solve_basis_pursuit(DenseOperator(A), y, 0.7 * norm(y), tight()).coefficients;
  };
  const std::vector<double> one = solve(1);
  EXPECT_EQ(solve(2), one);
  EXPECT_EQ(solve(3), one);
}

TEST(BasisPursuit, RefusesWhatIsNoProblem) {
  const Matrix A = gaussian_matrix(5, 10, 1);
  const std::vector<double> y(5, 1.0);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double sigma : {-1.0, -1e-300, nan, infinity}) {
    EXPECT_THROW(solve_basis_pursuit(DenseOperator(A), y, sigma), std::invalid_argument);
  }
  EXPECT_THROW(solve_basis_pursuit(DenseOperator(A), std::vector<double>(4, 1.0), 0.0), std::invalid_argument);
  EXPECT_THROW(solve_basis_pursuit(DenseOperator(A), std::vector<double>{1, 1, nan, 1, 1}, 0.0), std::invalid_argument);
  EXPECT_THROW(solve_basis_pursuit(DenseOperator(A), std::vector<double>{1, 1, infinity, 1, 1}, 0.0),
               std::invalid_argument);
  Matrix broken(A);
  broken(2, 3) = nan;
  EXPECT_THROW(solve_basis_pursuit(DenseOperator(broken), y, 0.0), std::invalid_argument);
}

/// Asks for the end at its n-th product.
class StopsAtProduct : public ProductsOnly {
 public:
  StopsAtProduct(MatrixView A, std::atomic<bool>& stop, std::size_t at) : ProductsOnly(A), stop_(stop), left_(at) {}
  [[nodiscard]] std::vector<double> multiply_transposed(std::span<const double> z) const override {
    if (--left_ == 0) stop_ = true;
    return ProductsOnly::multiply_transposed(z);
  }

 private:
  std::atomic<bool>& stop_;
  mutable std::size_t left_;
};

TEST(BasisPursuit, StopsWhenAsked) {
  const Matrix A = coherent_dictionary(60, 200, 11);
  const std::vector<double> y = random_vector(60, 12);
  for (const std::size_t product : {1U, 2U, 10U, 23U}) {
    std::atomic<bool> stop = false;
    BasisPursuitOptions options = tight();
    options.stop = &stop;
    EXPECT_THROW(solve_basis_pursuit(StopsAtProduct(A, stop, product), y, 0.0, options), Interrupted);
  }
  std::atomic<bool> stop = true;
  BasisPursuitOptions options;
  options.stop = &stop;
  EXPECT_THROW(solve_basis_pursuit(DenseOperator(A), y, 0.0, options), Interrupted);
}

TEST(BasisPursuit, ScalesWithItsData) {
  const Matrix A = gaussian_matrix(20, 50, 13);
  const std::vector<double> y = random_vector(20, 14);
  const BasisPursuitSolution plain = solve_basis_pursuit(DenseOperator(A), y, 0.1 * norm(y), tight());
  Matrix small(A);
  for (double* entry = small.data(); entry != small.data() + 1000; ++entry) *entry *= 0x1p-200;
  const BasisPursuitSolution scaled = solve_basis_pursuit(DenseOperator(small), y, 0.1 * norm(y), tight());
  EXPECT_TRUE(scaled.converged);
  EXPECT_NEAR(scaled.l1_norm * 0x1p-200, plain.l1_norm, 1e-8 * plain.l1_norm);
}

}  // namespace basis_pursuit_test
}  // namespace shrimp

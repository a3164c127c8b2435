#include "ridge/solve.hpp"

#include <limits>

#include "linalg/dense.hpp"
#include "linalg/householder.hpp"
#include "linalg/matrices.hpp"
#include "ridge/intercept.hpp"
#include "ridge/lambda_search.hpp"

namespace shrimp {
namespace ridge_solve_test {

using test::random_matrix;
using test::random_vector;

std::vector<double> residual_of(const Matrix& A, std::vector<double> y, const RidgeFit& fit, double intercept) {
  add_scaled(y, -1.0, combine_columns(A, fit.columns, fit.coefficients));
  for (double& value : y) value -= intercept;
  return y;
}

// The gradient of ‖y − intercept − A c‖² + λ‖c‖² is zero at the minimum.
TEST(CentredEquations, FitSomeColumnsWithoutAPenaltyOnTheIntercept) {
  Matrix A = random_matrix(40, 6, 1);
  for (double& value : A.col(2)) value += 3.0;
  std::vector<double> y = random_vector(40, 2);
  for (double& value : y) value += 5.0;
  Matrix with_intercept(40, 7);
  std::ranges::fill(with_intercept.col(0), 1.0);
  for (std::size_t j = 0; j < 6; ++j) std::ranges::copy(A.col(j), with_intercept.col(1 + j).begin());
  NormalEquations equations(7);
  equations.add(with_intercept, y);
  const CentredEquations centred(equations);
  RidgeFit fit;
  fit.columns = {0, 2, 5};
  fit.lambda = 0.7;
  ASSERT_TRUE(centred.fit(fit));
  const std::vector<double> r = residual_of(A, y, fit, centred.intercept(fit));
  EXPECT_NEAR(multiply_transposed(with_intercept, r)[0], 0.0, 1e-11);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(multiply_transposed(A, r)[fit.columns[k]], fit.lambda * fit.coefficients[k], 1e-11);
  }
}

TEST(RaiseLambda, RaisesItUntilTheEquationsArePositiveDefinite) {
  Matrix G(2, 2);
  G(0, 0) = G(1, 1) = 1.0;
  G(1, 0) = 1.0 + 3e-6;
  double lambda = 1e-9;
  const auto L = raise_lambda(lambda, [&](double raised) { return factor_ridge(Matrix(G), raised); });
  EXPECT_TRUE(L);
  EXPECT_NEAR(lambda, 1e-5, 1e-10);
}

TEST(RaiseLambda, RefusesEquationsThatAreNotFinite) {
  Matrix G(1, 1);
  G(0, 0) = std::numeric_limits<double>::quiet_NaN();
  double lambda = 1.0;
  EXPECT_THROW(raise_lambda(lambda, [&](double raised) { return factor_ridge(Matrix(G), raised); }), std::logic_error);
}

TEST(AugmentedTriangle, HasTheSolutionOfThePenalisedNormalEquations) {
  const Matrix R = random_matrix(9, 4, 3);
  const std::vector<double> b = random_vector(9, 4);
  AugmentedTriangle triangle(Matrix(R), b, 0.3);
  solve_triangle(triangle.T, triangle.b, false);
  NormalEquations equations(4);
  equations.add(R, b);
  test::expect_near(triangle.b, solve_ridge(equations, 0.3), 1e-12);
}

std::optional<TriedLambda> squared_distance(double lambda, double decade) {
  return TriedLambda{lambda, std::pow(std::log10(lambda) - decade, 2)};
}

TEST(SearchLambda, FindsTheMinimumOnEitherSideWithinAStep) {
  for (const double decade : {-4.2, -0.1, 3.3}) {
    TriedLambda best = *squared_distance(1.0, decade);
    search_lambda(best, [&](double lambda) { return squared_distance(lambda, decade); });
    EXPECT_NEAR(std::log10(best.lambda), decade, 0.25 + 1e-12) << decade;
  }
}

TEST(SearchLambda, StaysWithinBounds) {
  TriedLambda best = *squared_distance(1.0, 5.0);
  search_lambda(best, [&](double lambda) { return lambda > 100.0 ? std::nullopt : squared_distance(lambda, 5.0); });
  EXPECT_NEAR(best.lambda, std::pow(10.0, 1.5), 1e-9);
}

}  // namespace ridge_solve_test
}  // namespace shrimp

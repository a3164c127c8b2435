#include "intervals/posterior.hpp"

#include <numeric>

#include "intervals/calibration.hpp"
#include "linalg/dense.hpp"
#include "support.hpp"

namespace shrimp {
namespace posterior_test {

constexpr double ridge = 0.7;

// Lines along the inputs, so that columns are the inputs themselves.
Dictionary lines(std::size_t inputs) {
  Dictionary dictionary;
  for (std::uint32_t j = 0; j < inputs; ++j) {
    const double one = 1.0;
    dictionary.weights.append({&j, 1}, {&one, 1});
    dictionary.rows.push_back(j);
    dictionary.functions.push_back(Function::identity);
  }
  return dictionary;
}

std::vector<double> scales_of(std::size_t columns) {
  std::vector<double> scales;
  for (std::size_t k = 0; k < columns; ++k) scales.push_back(0.5 + 0.01 * static_cast<double>(k));
  return scales;
}

std::vector<double> take_out_means(Matrix& A) {
  std::vector<double> means;
  for (std::size_t k = 0; k < A.cols(); ++k) {
    means.push_back(std::accumulate(A.col(k).begin(), A.col(k).end(), 0.0) / static_cast<double>(A.rows()));
    for (double& value : A.col(k)) value -= means.back();
  }
  return means;
}

Posterior posterior_of(const Matrix& X) {
  ColumnPrior prior(lines(X.cols()), X.cols(), scales_of(X.cols()));
  Matrix A(X);
  prior.whiten(A);
  std::vector<double> means = take_out_means(A);
  Matrix G(A.cols(), A.cols());
  add_gram_of_columns(G, A);
  return *Posterior::of(prior, G, means, static_cast<double>(X.rows()), ridge);
}

// 1/m + aᵀ (AᵀA + λ S⁻²)⁻¹ a for rows a less the columns' means: the posterior of Bayesian linear regression as
// textbooks have it (C. M. Bishop, Pattern Recognition and Machine Learning, 3.54), solved by LAPACK.
std::vector<double> textbook_variances(const Matrix& X, const Matrix& at) {
  Matrix A(X);
  const std::vector<double> means = take_out_means(A);
  const std::vector<double> scales = scales_of(X.cols());
  Matrix M(X.cols(), X.cols());
  for (std::size_t j = 0; j < X.cols(); ++j) {
    for (std::size_t i = 0; i < X.cols(); ++i) {
      M(i, j) = std::inner_product(A.col(i).begin(), A.col(i).end(), A.col(j).begin(), 0.0);
    }
    M(j, j) += ridge / (scales[j] * scales[j]);
  }
  std::vector<double> variances;
  for (std::size_t i = 0; i < at.rows(); ++i) {
    std::vector<double> a;
    for (std::size_t k = 0; k < at.cols(); ++k) a.push_back(at(i, k) - means[k]);
    const std::vector<double> solved = test::gelsy(M, a).coefficients;
    variances.push_back(1.0 / static_cast<double>(X.rows()) +
                        std::inner_product(a.begin(), a.end(), solved.begin(), 0.0));
  }
  return variances;
}

std::vector<double> variances_of_factor(const Matrix& F, const Matrix& at) {
  std::vector<double> variances(at.rows(), 0.0);
  for (std::size_t i = 0; i < at.rows(); ++i) {
    for (std::size_t j = 0; j < F.cols(); ++j) {
      double sum = F(0, j);
      for (std::size_t k = 0; k < at.cols(); ++k) sum += F(1 + k, j) * at(i, k);
      variances[i] += sum * sum;
    }
  }
  return variances;
}

TEST(Posterior, IsThatOfBayesianLinearRegression) {
  const Matrix X = test::random_matrix(40, 6, 1);
  const Matrix at = test::random_matrix(9, 6, 2);
  const std::vector<double> expected = textbook_variances(X, at);
  const Posterior posterior = posterior_of(X);
  test::expect_near(posterior.variances(Matrix(at)), expected, 1e-12);
  test::expect_near(variances_of_factor(posterior.factor(64), at), expected, 1e-12);
}

TEST(Posterior, CountsFreeCoefficientsByTheTraceOfTheFit) {
  const Matrix X = test::random_matrix(40, 6, 1);
  const std::vector<double> leverages = textbook_variances(X, X);
  const double trace = std::accumulate(leverages.begin(), leverages.end(), 0.0);
  EXPECT_NEAR(posterior_of(X).degrees_of_freedom(), trace - 1.0, 1e-10);
}

TEST(Posterior, OfManyColumnsIsKeptByFewDirectionsWithoutBias) {
  const Matrix X = test::random_matrix(300, 150, 3);
  const Matrix at = test::random_matrix(200, 150, 4);
  const Posterior posterior = posterior_of(X);
  const Matrix F = posterior.factor(64);
  ASSERT_EQ(F.rows(), 151U);
  ASSERT_EQ(F.cols(), 65U);
  const std::vector<double> exact = posterior.variances(Matrix(at));
  const std::vector<double> kept = variances_of_factor(F, at);
  double mean = 0.0;
  double square = 0.0;
  for (std::size_t i = 0; i < at.rows(); ++i) {
    mean += kept[i] / exact[i] / static_cast<double>(at.rows());
    square += std::pow(kept[i] / exact[i] - 1.0, 2) / static_cast<double>(at.rows());
  }
  EXPECT_NEAR(mean, 1.0, 0.05);
  EXPECT_LT(std::sqrt(square), std::sqrt(2.0 / 64.0));
}

TEST(Posterior, OfDependentColumnsWithoutARidgeIsNone) {
  Matrix G(2, 2);
  G(0, 0) = G(1, 1) = G(1, 0) = 1.0;
  EXPECT_FALSE(Posterior::of(std::nullopt, G, {}, 10.0, 0.0));
  G(1, 0) = 0.5;
  EXPECT_TRUE(Posterior::of(std::nullopt, G, {}, 10.0, 0.0));
}

// Of n exchangeable scores a new one is below the k-th smallest with probability k/(n + 1).
TEST(Calibration, TakesTheKthOfNScoresForTheLevelKOfNAndOne) {
  std::vector<double> scores(19);
  std::iota(scores.begin(), scores.end(), 1.0);
  Uncertainty uncertainty;
  calibrate(uncertainty, scores, {});
  for (const double level : {0.05, 0.5, 0.9, 0.95}) EXPECT_NEAR(quantile_of(uncertainty, level), 20.0 * level, 1e-12);
  EXPECT_NEAR(quantile_of(uncertainty, 0.93), 18.6, 1e-12);
  EXPECT_EQ(uncertainty.levels.back(), 0.95);
  EXPECT_EQ(quantile_of(uncertainty, 0.99), 19.0);
}

TEST(Calibration, PassesOverRowsOfNoWeight) {
  Uncertainty uncertainty;
  calibrate(uncertainty, {1.0, 2.0, 3.0, 1000.0}, {1.0, 1.0, 1.0, 0.0});
  EXPECT_EQ(uncertainty.quantiles.back(), 3.0);
}

}  // namespace posterior_test
}  // namespace shrimp

#include <gtest/gtest.h>

#include <complex>

#include "shrimp/theory.hpp"
#include "support.hpp"

namespace shrimp {
namespace coherence_test {

using namespace test;

FeatureWeights normal_weights(std::size_t N, std::size_t d, int q, double sigma, std::uint64_t seed) {
  FeatureOptions options;
  options.orders = {q};
  options.features = N;
  options.sigma2 = sigma * sigma;
  options.seed = seed;
  return draw_weights(d, options);
}

TEST(MutualCoherence, IsTheLargestCosineBetweenTwoColumns) {
  Matrix A(2, 3);
  A(0, 0) = 3.0;
  A(1, 1) = -2.0;
  A(0, 2) = 1.0;
  A(1, 2) = 2.0;
  const Coherence coherence = mutual_coherence(A);
  EXPECT_NEAR(coherence.value, 2.0 / std::sqrt(5.0), 1e-15);
  EXPECT_EQ(coherence.first, 1U);
  EXPECT_EQ(coherence.second, 2U);
}

TEST(MutualCoherence, AgreesWithEveryPairOneByOneAcrossTiles) {
  const Matrix A = random_matrix(7, 600, 3);
  Coherence expected{-1.0};
  for (std::size_t k = 0; k < A.cols(); ++k) {
    for (std::size_t j = 0; j < k; ++j) {
      double product = 0.0;
      for (std::size_t i = 0; i < A.rows(); ++i) product += A(i, j) * A(i, k);
      const double value = std::abs(product) / (norm(A.col(j)) * norm(A.col(k)));
      if (value > expected.value) expected = {value, j, k};
    }
  }
  for (const int threads : {1, 2, 3}) {
    const Coherence coherence = mutual_coherence(A, threads);
    EXPECT_NEAR(coherence.value, expected.value, 1e-14);
    EXPECT_EQ(coherence.first, expected.first);
    EXPECT_EQ(coherence.second, expected.second);
  }
  EXPECT_EQ(mutual_coherence(A, 1).value, mutual_coherence(A, 2).value);
}

TEST(MutualCoherence, OfTheComplexDictionaryAgreesWithComplexArithmetic) {
  const FeatureWeights W = normal_weights(300, 4, 2, 1.0, 5);
  const Matrix X = normal_rows(9, 4, 1.0, 6);
  double expected = 0.0;
  const Matrix A = evaluate(make_dictionary(W, Basis::fourier), X);
  const std::size_t N = W.size();
  for (std::size_t k = 0; k < N; ++k) {
    for (std::size_t j = 0; j < k; ++j) {
      std::complex<double> product = 0.0;
      for (std::size_t i = 0; i < 9; ++i) {
        product += std::complex(A(i, j), A(i, N + j)) * std::conj(std::complex(A(i, k), A(i, N + k)));
      }
      expected = std::max(expected, std::abs(product) / 9.0);
    }
  }
  EXPECT_NEAR(mutual_coherence(W, X).value, expected, 1e-13);
}

TEST(MutualCoherence, IsAtLeastWelchsBound) {
  const Matrix A = random_matrix(20, 100, 1);
  EXPECT_GE(mutual_coherence(A).value, std::sqrt((100.0 - 20.0) / (20.0 * 99.0)));
}

TEST(MutualCoherence, IsNotThrownOffByTheSizeOfTheNumbers) {
  Matrix A(2, 2);
  A(0, 0) = A(1, 0) = 1e200;
  A(0, 1) = 1e-200;
  EXPECT_NEAR(mutual_coherence(A).value, std::sqrt(0.5), 1e-15);
}

TEST(MutualCoherence, RefusesColumnsWithoutADirection) {
  Matrix A = random_matrix(3, 3, 1);
  std::ranges::fill(A.col(1), 0.0);
  expect_parts(message_of<DataError>([&] { (void)mutual_coherence(A); }), {"column 2", "zero"});
  A(0, 1) = std::nan("");
  expect_parts(message_of<DataError>([&] { (void)mutual_coherence(A); }), {"column 2", "not finite"});
  expect_parts(message_of<OptionError>([] { (void)mutual_coherence(Matrix(3, 1)); }), {"only one"});
}

TEST(LimitCoherence, IsSetByTheNearestPairOfWeights) {
  FeatureWeights W;
  W.append(std::vector<std::uint32_t>{0, 2}, std::vector<double>{1.0, 2.0});
  W.append(std::vector<std::uint32_t>{1}, std::vector<double>{-1.0});
  W.append(std::vector<std::uint32_t>{0, 1}, std::vector<double>{0.5, -1.0});
  // Squared distances: 1 + 1 + 4, 0.25 + 1 + 4 and 0.25.
  const Coherence limit = limit_coherence(W, 2.0);
  EXPECT_NEAR(limit.value, std::exp(-0.5), 1e-15);
  EXPECT_EQ(limit.first, 1U);
  EXPECT_EQ(limit.second, 2U);
}

// Given the weights, Hoeffding's inequality holds: this is the sound part of the theorem's coherence argument.
TEST(LimitCoherence, IsWhereTheCoherenceOfManySamplesEndsUp) {
  constexpr std::size_t N = 60;
  constexpr std::size_t m = 4000;
  constexpr double delta = 0.05;
  const double deviation = 2.0 * std::sqrt(std::log(N * N / delta) / m);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const FeatureWeights W = normal_weights(N, 10, 2, 1.0, seed);
    const double limit = limit_coherence(W, 1.0).value;
    const double measured = mutual_coherence(W, normal_rows(m, 10, 1.0, seed)).value;
    EXPECT_LE(measured, limit + deviation);
    EXPECT_GE(measured, limit - deviation);
  }
}

double guaranteed(std::size_t d, std::size_t N, double gamma, double m) {
  GeneralizationOptions options;
  options.d = d;
  options.gamma = gamma;
  options.N = static_cast<double>(N);
  options.m = m;
  return generalization_bound(options).value("coherence_bound");
}

TEST(TheoremsCoherenceBound, HoldsWhereInputsAreManyAndNoTwoWeightsMeet) {
  for (const std::size_t d : {200U, 400U}) {
    const FeatureWeights W = normal_weights(200, d, static_cast<int>(d), 1.0, 1);
    const double gamma = std::sqrt(1.5 / static_cast<double>(d));
    EXPECT_LE(mutual_coherence(W, normal_rows(1200, d, gamma, 2)).value, guaranteed(d, 200, gamma, 1200));
  }
}

// The proof takes the mean over weights for what every pair shows, but a dictionary keeps its weights: in few
// dimensions two of them are near each other, and no number of samples tells them apart.
TEST(TheoremsCoherenceBound, FailsWhereInputsAreFew) {
  const FeatureWeights W = normal_weights(200, 2, 2, 1.0, 1);
  EXPECT_LT(guaranteed(2, 200, 2.0, 5000), 0.3);
  EXPECT_GT(mutual_coherence(W, normal_rows(5000, 2, 2.0, 2)).value, 0.95);
}

}  // namespace coherence_test
}  // namespace shrimp

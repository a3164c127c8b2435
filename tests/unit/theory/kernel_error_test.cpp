#include <gtest/gtest.h>

#include "features/supports.hpp"
#include "shrimp/theory.hpp"
#include "support.hpp"

namespace shrimp {
namespace kernel_error_test {

using namespace test;

KernelErrorOptions small_example() {
  KernelErrorOptions options;
  options.N = 20000;
  options.d = 4;
  options.q = 2;
  options.sigma = 0.5;
  options.diameter = 3.0;
  options.epsilon = 0.2;
  return options;
}

TEST(KernelErrorBound, HasTheValuesWorkedOutByHand) {
  const ErrorBound result = kernel_error_bound(small_example());
  EXPECT_NEAR(result.value("failure_whole") / 9.614124850651196e-11, 1.0, 1e-10);
  EXPECT_NEAR(result.value("failure_each"), 41.53584552529196, 1e-9);
  EXPECT_NEAR(result.value("failure_published") / 4.8070624253255975e-11, 1.0, 1e-10);
  EXPECT_DOUBLE_EQ(result.value("N_required"), 7959.0);
  EXPECT_TRUE(result.holds());
}

TEST(KernelErrorBound, AffordsTheErrorAtWhichTheProbabilityIsDelta) {
  KernelErrorOptions options = small_example();
  options.epsilon.reset();
  options.N = 7959;
  const ErrorBound result = kernel_error_bound(options);
  EXPECT_NEAR(result.bound, 0.2, 1e-4);
  EXPECT_NEAR(result.value("failure"), 0.05, 1e-9);
  EXPECT_TRUE(result.holds());
}

TEST(KernelErrorBound, SaysHowManyFeaturesItWants) {
  KernelErrorOptions options = small_example();
  options.N = 100;
  const ErrorBound result = kernel_error_bound(options);
  EXPECT_FALSE(result.holds());
  expect_parts(result.unmet(), {"number of features", "N ≥ 7959"});
  options.epsilon = 3.0;
  expect_parts(kernel_error_bound(options).unmet(), {"error within reach", "σ_p·diam"});
}

TEST(KernelErrorBound, RefusesValuesThatMakeNoSense) {
  const auto message = [](auto change) {
    KernelErrorOptions options = small_example();
    change(options);
    return message_of<OptionError>([&] { (void)kernel_error_bound(options); });
  };
  expect_parts(message([](auto& o) { o.q = 5; }), {"q 5"});
  expect_parts(message([](auto& o) { o.diameter = 0.0; }), {"diameter 0"});
  expect_parts(message([](auto& o) { o.N = 0.0; }), {"N 0"});
  expect_parts(message([](auto& o) { o.m = 1; }), {"m 1"});
}

TEST(OrderQKernel, IsTheMeanOverAllSupports) {
  const std::vector<double> x = random_vector(6, 1);
  const std::vector<double> y = random_vector(6, 2);
  for (std::size_t q = 1; q <= 6; ++q) {
    double sum = 0.0;
    const auto supports = all_supports(6, q);
    for (const auto& support : supports) {
      double square = 0.0;
      for (const std::uint32_t j : support) square += std::pow(x[j] - y[j], 2);
      sum += std::exp(-0.5 * 1.7 * 1.7 * square);
    }
    EXPECT_NEAR(order_q_kernel(x, y, q, 1.7), sum / static_cast<double>(supports.size()), 1e-14);
  }
}

TEST(KernelError, IsTheLargestOverPairsOfRows) {
  FeatureWeights W;
  W.append(std::vector<std::uint32_t>{0}, std::vector<double>{1.0});
  W.append(std::vector<std::uint32_t>{1}, std::vector<double>{2.0});
  Matrix X(3, 2);
  X(1, 0) = 0.5;
  X(2, 1) = -1.0;
  const auto error = [&](double u, double v) {
    return std::abs((std::cos(u) + std::cos(2.0 * v)) / 2.0 - (std::exp(-u * u / 2.0) + std::exp(-v * v / 2.0)) / 2.0);
  };
  const std::vector<double> errors = {error(0.5, 0.0), error(0.0, 1.0), error(0.5, 1.0)};
  const KernelError measured = kernel_error(W, X, 1, 1.0);
  EXPECT_NEAR(measured.largest, std::ranges::max(errors), 1e-14);
  EXPECT_NEAR(measured.root_mean_square, norm(errors) / std::sqrt(3.0), 1e-14);
  EXPECT_NEAR(measured.diameter, std::sqrt(1.25), 1e-14);
  EXPECT_EQ(measured.second, 2U);
}

TEST(KernelErrorBound, HoldsForDrawnDictionaries) {
  constexpr std::size_t d = 5;
  constexpr std::size_t m = 100;
  for (const std::size_t q : {1U, 2U, 5U}) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      FeatureOptions features;
      features.orders = {static_cast<int>(q)};
      features.features = 1000;
      features.seed = seed;
      const FeatureWeights W = draw_weights(d, features);
      const double sigma = 1.0 / std::sqrt(static_cast<double>(q));
      const KernelError measured = kernel_error(W, normal_rows(m, d, 1.0, seed), q, sigma);
      KernelErrorOptions options;
      options.N = static_cast<double>(W.size());
      options.d = d;
      options.q = q;
      options.sigma = sigma;
      options.diameter = measured.diameter;
      options.m = m;
      const ErrorBound bound = kernel_error_bound(options);
      ASSERT_TRUE(bound.holds()) << bound.unmet();
      EXPECT_LE(measured.largest, bound.bound);
      EXPECT_LE(measured.largest, bound.value("epsilon_on_rows"));
      EXPECT_GT(measured.largest, 0.2 * bound.value("epsilon_on_rows"));
    }
  }
}

TEST(KernelError, DoesNotDependOnTheNumberOfThreads) {
  FeatureOptions features;
  features.features = 600;
  const FeatureWeights W = draw_weights(4, features);
  const Matrix X = normal_rows(50, 4, 1.0, 1);
  EXPECT_EQ(kernel_error(W, X, 2, 0.7, 1).largest, kernel_error(W, X, 2, 0.7, 2).largest);
  EXPECT_EQ(kernel_error(W, X, 2, 0.7, 1).root_mean_square, kernel_error(W, X, 2, 0.7, 3).root_mean_square);
}

}  // namespace kernel_error_test
}  // namespace shrimp

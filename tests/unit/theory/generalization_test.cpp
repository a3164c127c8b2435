#include <gtest/gtest.h>

#include "complex_basis_pursuit.hpp"
#include "shrimp/theory.hpp"
#include "support.hpp"

namespace shrimp {
namespace generalization_test {

using namespace test;

FeatureWeights dense_normal_weights(std::size_t N, std::size_t d, double sigma, std::uint64_t seed) {
  FeatureOptions options;
  options.orders = {static_cast<int>(d)};
  options.features = N;
  options.sigma2 = sigma * sigma;
  options.seed = seed;
  return draw_weights(d, options);
}

GeneralizationOptions small_example() {
  GeneralizationOptions options;
  options.d = 2;
  options.sigma = 2.0;
  options.nu = 0.1;
  options.norm = 3.0;
  options.epsilon = 0.5;
  options.N = 20000;
  options.m = 10000;
  return options;
}

const TheoryCondition& condition(const TheoryResult& result, const std::string& name) {
  return *std::ranges::find(result.conditions, name, &TheoryCondition::name);
}

TEST(GeneralizationBound, HasTheValuesWorkedOutByHand) {
  const ErrorBound result = generalization_bound(small_example());
  EXPECT_NEAR(result.value("variance_product_required"), 1.1007810593582121, 1e-12);
  EXPECT_NEAR(result.value("N_required"), 42748.13476035503, 1e-6);
  EXPECT_NEAR(result.value("m_required"), 7388.077190674904, 1e-8);
  EXPECT_NEAR(result.value("coherence_bound"), 0.20661547201390182, 1e-12);
  EXPECT_NEAR(result.value("D"), 4.916003845933714, 1e-10);
  EXPECT_NEAR(result.value("C"), 29.496023075602285, 1e-9);
  EXPECT_NEAR(result.value("kappa_s1"), 2.99985, 1e-12);
  EXPECT_NEAR(result.value("eta_prime"), 214.27212781186753, 1e-8);
  EXPECT_NEAR(result.value("eta_tilde"), 6.713896044026895, 1e-11);
  EXPECT_NEAR(result.bound, 461.03556438983713, 1e-8);
  EXPECT_DOUBLE_EQ(result.probability, 0.75);
}

TEST(GeneralizationBound, NamesTheConditionThatFailsAndWhatItRequires) {
  const ErrorBound result = generalization_bound(small_example());
  EXPECT_FALSE(result.holds());
  EXPECT_FALSE(condition(result, "number of features").holds);
  EXPECT_TRUE(condition(result, "number of samples").holds);
  EXPECT_TRUE(condition(result, "scale of the frequencies").holds);
  expect_parts(result.unmet(), {"number of features: N ≥", "requires ≥ 42748.1, given 20000"});
}

TEST(GeneralizationBound, SizesThatAreNotGivenAreTheFewestThatTheConditionsAllow) {
  GeneralizationOptions options = small_example();
  options.N.reset();
  options.m.reset();
  const ErrorBound least = generalization_bound(options);
  EXPECT_TRUE(least.holds()) << least.unmet();
  options.N = least.value("N");
  options.m = least.value("m") - 1;
  EXPECT_FALSE(generalization_bound(options).holds());
  options.m = least.value("m");
  options.N = least.value("N") - 1;
  EXPECT_FALSE(generalization_bound(options).holds());
  options.N = least.value("N");
  options.epsilon.reset();
  EXPECT_NEAR(generalization_bound(options).value("epsilon"), 0.5, 1e-4);
}

TEST(GeneralizationBound, GivenConstantsReplaceTheWorstCase) {
  GeneralizationOptions options = small_example();
  options.C = 2.0;
  options.kappa_s1 = 0.0;
  options.kappa_s2 = 0.0;
  options.lambda_max = 1.0;
  options.nu = 0.0;
  const ErrorBound result = generalization_bound(options);
  const double eta = std::sqrt(2.0) * 0.5 * 3.0;
  EXPECT_NEAR(result.value("eta"), eta, 1e-12);
  EXPECT_NEAR(result.bound, 2.0 * eta * (2.0 + std::pow(8.0 / 10000 * std::log(20.0), 0.25) * std::sqrt(2.0)), 1e-10);
}

TEST(GeneralizationBound, ConstantIsInfiniteWhereTheSpreadOnlyJustSuffices) {
  GeneralizationOptions options = small_example();
  options.N.reset();
  options.m.reset();
  options.sigma = std::sqrt((std::sqrt(41.0) / 2.0 - 1.0) / 2.0);
  const ErrorBound result = generalization_bound(options);
  EXPECT_TRUE(condition(result, "scale of the frequencies").holds);
  EXPECT_GT(result.value("C"), 1e4);
  EXPECT_GT(result.value("coherence_bound"), 0.999 * result.value("coherence_allowed"));
}

TEST(GeneralizationBound, RefusesValuesThatMakeNoSense) {
  const auto message = [](auto change) {
    GeneralizationOptions options = small_example();
    change(options);
    return message_of<OptionError>([&] { (void)generalization_bound(options); });
  };
  expect_parts(message([](auto& o) { o.gamma = -1.0; }), {"gamma -1", "positive"});
  expect_parts(message([](auto& o) { o.sigma = 0.0; }), {"sigma 0", "positive"});
  expect_parts(message([](auto& o) { o.delta = 1.0; }), {"delta 1", "between 0 and 1"});
  expect_parts(message([](auto& o) { o.delta = std::nan(""); }), {"delta nan"});
  expect_parts(message([](auto& o) { o.nu = -0.1; }), {"nu -0.1", "negative"});
  expect_parts(message([](auto& o) { o.s = 20001; }), {"s 20001", "20000"});
  expect_parts(message([](auto& o) { o.N = 10.5; }), {"N 10.5", "whole"});
  expect_parts(message([](auto& o) { o.N.reset(), o.epsilon.reset(); }), {"epsilon and N"});
  expect_parts(message([](auto& o) { o.pruning_factor = 0.5; }), {"pruning-factor"});
}

// The ingredient from Rahimi and Recht: |f(x_k) − f*(x_k)| ≤ ε‖f‖_ρ at all samples. With α = ρ, f is exp(−σ²‖x‖²/2),
// ‖f‖_ρ is 1 and c* is 1/N throughout.
TEST(GeneralizationBound, RandomFeaturesApproximateWithinTheEpsilonThatTheirNumberAffords) {
  constexpr std::size_t d = 5;
  constexpr std::size_t m = 300;
  GeneralizationOptions options;
  options.d = d;
  options.N = 500;
  options.m = m;
  const double epsilon = generalization_bound(options).value("epsilon");
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const FeatureWeights W = dense_normal_weights(500, d, 1.0, seed);
    const Matrix X = normal_rows(m, d, 1.0, seed);
    const Matrix A = evaluate(make_dictionary(W, Basis::fourier), X);
    for (std::size_t i = 0; i < m; ++i) {
      Complex star = 0.0;
      for (std::size_t j = 0; j < 500; ++j) star += Complex(A(i, j), A(i, 500 + j)) / 500.0;
      double square = 0.0;
      for (std::size_t j = 0; j < d; ++j) square += X(i, j) * X(i, j);
      EXPECT_LE(std::abs(star - std::exp(-square / 2.0)), epsilon);
    }
  }
}

// The smallest settings that meet every condition and are not trivial want about 10⁵ features: with fewer, ε is so
// large that basis pursuit answers 0. What the proof does after the approximation step is run here on an f that N
// features hold exactly (ε‖f‖_ρ = 0), with noise and a tail of small coefficients, and all conditions on d, N, m, γ, σ
// met.
class NoisyRecovery : public testing::Test {
 protected:
  static constexpr std::size_t d = 100;
  static constexpr std::size_t N = 1000;
  static constexpr double gamma = 0.114;
  static constexpr double nu = 0.01;

  NoisyRecovery() {
    options_.d = d;
    options_.gamma = gamma;
    options_.nu = nu;
    options_.norm = 0.0;
    options_.N = N;
    options_.delta = 0.1;
    options_.kappa_s1 = 0.01;
    options_.kappa_s2 = std::sqrt(10.0) * 1e-3;
    result_ = generalization_bound(options_);
    W_ = dense_normal_weights(N, d, 1.0, 7);
    c_star_.assign(2 * N, 0.0);
    c_star_[17] = 1.0;
    c_star_[N + 17] = -0.5;
    for (std::size_t j = 0; j < 10; ++j) c_star_[N + 90 * j] = 1e-3;
  }

  GeneralizationOptions options_;
  ErrorBound result_;
  FeatureWeights W_;
  std::vector<double> c_star_;
};

TEST_F(NoisyRecovery, KeepsEveryStepOfTheProof) {
  ASSERT_TRUE(result_.holds()) << result_.unmet();
  const auto m = static_cast<std::size_t>(result_.value("m"));
  ASSERT_LT(m, N);
  const Matrix X = normal_rows(m, d, gamma, 3);
  const double coherence = mutual_coherence(W_, X).value;
  EXPECT_LT(coherence, result_.value("coherence_allowed"));

  const Matrix B = real_form(W_, X);
  std::vector<double> y = multiply(B, c_star_);
  Random random(11);
  for (std::size_t i = 0; i < m; ++i) {
    const Complex noise = std::polar(2.0 * nu * std::abs(random()), std::numbers::pi * random());
    y[i] += noise.real() / std::sqrt(static_cast<double>(m));
    y[m + i] += noise.imag() / std::sqrt(static_cast<double>(m));
  }
  const std::vector<double> head = keep_largest(c_star_, 1);
  const double eta = result_.value("eta");
  EXPECT_LE(norm(difference(multiply(B, head), y)), eta);

  const std::vector<double> sharp = basis_pursuit(B, y, eta);
  EXPECT_LE(norm(difference(multiply(B, sharp), y)), eta);
  EXPECT_LE(complex_l1_norm(sharp), complex_l1_norm(head) * (1.0 + 1e-3));
  EXPECT_GT(complex_l1_norm(sharp), 0.9);
  EXPECT_LE(norm(difference(sharp, head)), 2.0 * basis_pursuit_constants(coherence).D * eta);
  const std::vector<double> pruned = keep_largest(sharp, 1);
  EXPECT_LE(norm(difference(pruned, head)), 2.0 * norm(difference(sharp, head)));
  EXPECT_LE(norm(difference(pruned, head)), result_.value("coefficient_error"));

  const double error = root_mean_square(W_, normal_rows(1000, d, gamma, 4), difference(pruned, c_star_));
  EXPECT_LE(error, result_.bound);
  EXPECT_LT(error, 0.2);
}

TEST_F(NoisyRecovery, AnswersNothingWhereTheApproximationErrorIsThatOfFewFeatures) {
  options_.norm = 1.0;
  options_.kappa_s1.reset();
  options_.kappa_s2.reset();
  const ErrorBound result = generalization_bound(options_);
  ASSERT_TRUE(result.holds()) << result.unmet();
  // |f| ≤ ‖f‖_ρ = 1 is within the radius of basis pursuit: c = 0 is feasible and shortest.
  EXPECT_GT(result.value("eta"), 1.0 + 2.0 * nu);
  EXPECT_GT(result.bound, result.value("trivial_bound"));
}

TEST(BasisPursuitConstants, AreThoseOfTheRobustNullSpaceProperty) {
  const BasisPursuitConstants none = basis_pursuit_constants(0.0);
  EXPECT_DOUBLE_EQ(none.rho, 0.0);
  EXPECT_DOUBLE_EQ(none.tau, 1.0);
  EXPECT_DOUBLE_EQ(none.C, 1.0);
  EXPECT_DOUBLE_EQ(none.D, 3.0);
  EXPECT_NEAR(basis_pursuit_constants(0.5).rho, 0.6747407004489796, 1e-12);
  EXPECT_TRUE(std::isinf(basis_pursuit_constants(4.0 / std::sqrt(41.0)).D));
  EXPECT_LT(basis_pursuit_constants(0.6246).rho, 1.0);
}

TEST(ProvableSparsity, IsTheLargestThatTheCoherenceAllows) {
  for (const double coherence : {0.9, 0.62, 0.3, 0.1, 0.01}) {
    const auto s = static_cast<std::size_t>(provable_sparsity(coherence));
    if (s > 0) {
      EXPECT_LT(coherence, allowed_coherence(s));
    }
    EXPECT_GE(coherence, allowed_coherence(s + 1));
  }
  EXPECT_DOUBLE_EQ(provable_sparsity(0.63), 0.0);
}

}  // namespace generalization_test
}  // namespace shrimp

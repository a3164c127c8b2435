#include <gtest/gtest.h>

#include "complex_basis_pursuit.hpp"
#include "shrimp/theory.hpp"
#include "support.hpp"

namespace shrimp {
namespace order_q_test {

using namespace test;

OrderQOptions small_example() {
  OrderQOptions options;
  options.d = 3;
  options.q = 2;
  options.sigma = 2.0;
  options.nu = 0.1;
  options.norm = 3.0;
  options.epsilon = 0.5;
  options.N = 700;
  options.m = 10000;
  options.C = 7.0;
  return options;
}

TEST(OrderQBound, HasTheValuesWorkedOutByHand) {
  const ErrorBound result = order_q_bound(small_example());
  EXPECT_DOUBLE_EQ(result.value("N"), 699.0);
  EXPECT_DOUBLE_EQ(result.value("n"), 233.0);
  EXPECT_DOUBLE_EQ(result.value("s"), 233.0);
  EXPECT_NEAR(result.value("variance_product_required"), 743.8631926015687, 1e-9);
  EXPECT_NEAR(result.value("N_required"), 80320.96264705075, 1e-6);
  EXPECT_NEAR(result.value("m_required"), 14485.53038221945, 1e-7);
  EXPECT_NEAR(result.bound, 98.08471127597258, 1e-9);
  EXPECT_FALSE(result.holds());
  expect_parts(result.unmet(), {"scale of the frequencies", "743.863", "number of features", "number of samples"});
}

TEST(OrderQBound, IsTheTheoremsWhereEveryFeatureLooksAtEveryInput) {
  OrderQOptions options = small_example();
  options.q = 3;
  options.N = 3;
  const ErrorBound corollary = order_q_bound(options);
  GeneralizationOptions dense;
  dense.d = 3;
  dense.s = 3;
  dense.sigma = 2.0;
  dense.epsilon = 0.5;
  dense.N = 3;
  dense.m = 10000;
  const ErrorBound theorem = generalization_bound(dense);
  EXPECT_DOUBLE_EQ(corollary.value("m_required"), theorem.value("m_required"));
  EXPECT_DOUBLE_EQ(corollary.value("variance_product_required"), theorem.value("variance_product_required"));
  EXPECT_DOUBLE_EQ(corollary.value("coherence_bound"), theorem.value("coherence_bound"));
}

TEST(OrderQBound, MissingSizesAreWholeRowsForEverySupport) {
  OrderQOptions options = small_example();
  options.N.reset();
  const ErrorBound result = order_q_bound(options);
  EXPECT_DOUBLE_EQ(result.value("n"), std::ceil(result.value("N_required") / 3.0));
  EXPECT_DOUBLE_EQ(result.value("N"), 3.0 * result.value("n"));
}

TEST(OrderQBound, RefusesValuesThatMakeNoSense) {
  const auto message = [](auto change) {
    OrderQOptions options = small_example();
    change(options);
    return message_of<OptionError>([&] { (void)order_q_bound(options); });
  };
  expect_parts(message([](auto& o) { o.q = 4; }), {"q 4", "number of inputs, 3"});
  expect_parts(message([](auto& o) { o.q = 0; }), {"q 0"});
  expect_parts(message([](auto& o) { o.K = 4; }), {"K 4", "C(3,2) = 3"});
  expect_parts(message([](auto& o) { o.N = 2; }), {"N 2", "3 supports"});
  expect_parts(message([](auto& o) { o.epsilon = 0.0; }), {"epsilon 0"});
}

// One feature for each of ten inputs, f one of them plus noise: every condition holds, with ε|||f||| = 0 because the
// features hold f exactly.
TEST(OrderQBound, HoldsInARunOfThresholdedBasisPursuitThatMeetsEveryCondition) {
  constexpr std::size_t d = 10;
  OrderQOptions options;
  options.d = d;
  options.gamma = 5.0;
  options.nu = 0.05;
  options.norm = 0.0;
  options.N = d;
  const ErrorBound result = order_q_bound(options);
  ASSERT_TRUE(result.holds()) << result.unmet();
  EXPECT_DOUBLE_EQ(result.value("s"), 1.0);

  FeatureOptions features;
  features.orders = {1};
  features.features = d;
  features.sigma2 = 1.0;
  features.seed = 0;
  const FeatureWeights W = draw_weights(d, features);
  const auto m = static_cast<std::size_t>(result.value("m"));
  const Matrix X = normal_rows(m, d, options.gamma, 1);
  ASSERT_LT(mutual_coherence(W, X).value, result.value("coherence_allowed"));

  std::vector<double> c_star(2 * d, 0.0);
  c_star[3] = 0.8;
  const Matrix B = real_form(W, X);
  std::vector<double> y = multiply(B, c_star);
  Random random(2);
  const double scale = 1.0 / std::sqrt(static_cast<double>(m));
  for (std::size_t i = 0; i < m; ++i) y[i] += 2.0 * options.nu * random() * scale;
  const std::vector<double> pruned = keep_largest(basis_pursuit(B, y, result.value("eta")), 1);
  EXPECT_GT(complex_l1_norm(pruned), 0.5);
  EXPECT_LE(norm(difference(pruned, c_star)), result.value("coefficient_error"));
  EXPECT_LE(root_mean_square(W, normal_rows(2000, d, options.gamma, 2), difference(pruned, c_star)), result.bound);
}

}  // namespace order_q_test
}  // namespace shrimp

#include <functional>
#include <map>
#include <numbers>

#include "support.hpp"

namespace shrimp {
namespace weights_test {

using test::message_of;

FeatureOptions options_of(std::vector<int> orders, std::size_t features, std::uint64_t seed = 0) {
  FeatureOptions options;
  options.orders = std::move(orders);
  options.features = features;
  options.seed = seed;
  return options;
}

using Support = std::vector<std::uint32_t>;
using WeightsBySupport = std::map<Support, std::vector<std::vector<double>>>;  // Draw after draw.

WeightsBySupport by_support(const FeatureWeights& W) {
  WeightsBySupport result;
  for (std::size_t j = 0; j < W.size(); ++j) {
    const auto support = W.support(j);
    const auto weights = W.weights(j);
    result[{support.begin(), support.end()}].emplace_back(weights.begin(), weights.end());
  }
  return result;
}

// Every support of `small` occurs in `large` with at least as many draws, and those it has are the same bits.
void expect_same_draws(const WeightsBySupport& small, const WeightsBySupport& large) {
  for (const auto& [support, draws] : small) {
    ASSERT_TRUE(large.contains(support));
    ASSERT_GE(large.at(support).size(), draws.size());
    for (std::size_t k = 0; k < draws.size(); ++k) EXPECT_EQ(large.at(support)[k], draws[k]);
  }
}

// The values agree to 1e-15 with Philox in Python and scipy.special.ndtri; the last bits are pinned here, so that
// every compiler and machine has to reproduce them.
TEST(Weights, HaveKnownAnswers) {
  const FeatureWeights W = draw_weights(3, options_of({2}, 6, 1));
  const std::vector<double> expected = {0x1.0b94eeac96233p-4,  -0x1.96bd9b45fe443p+0, -0x1.195e8765aa3dbp-4,
                                        -0x1.211d6c3979c56p-4, 0x1.9c22014b14a55p-3,  0x1.f9c632c7703a3p-1,
                                        -0x1.a075b4c1968abp-1, 0x1.f2164b6ba0fe5p+0,  0x1.1ab1c5bf0f9f9p+0,
                                        0x1.249aaf01c0201p-3,  -0x1.2bfa6a5531dc2p-1, -0x1.47dac0df65d3bp-2};
  EXPECT_EQ(W.values, expected);
  EXPECT_EQ(W.variables, (Support{0, 1, 0, 1, 0, 2, 0, 2, 1, 2, 1, 2}));
}

TEST(Weights, HaveKnownAnswersForEveryLaw) {
  const std::map<Law, std::vector<double>> expected = {
      {Law::normal, {-0x1.31aac24aba94fp+0, 0x1.fc43258b842e4p-4, -0x1.13a98240aecebp-1}},
      {Law::uniform, {-0x1.ec387938e0bf5p-1, 0x1.5c84a00a68c57p-3, -0x1.4c423c4c8f919p-1}},
      {Law::cauchy, {-0x1.638ca9e1a1a91p+2, -0x1.aafd0dcb9f95bp+1, 0x1.7c580dfe003c2p+1}},
      {Law::student_t, {-0x1.10c2deb7f144p+1, 0x1.41eb1e9631d0bp+1, -0x1.d85d9253e584ap-4}},
      {Law::sphere, {-0x1.d0a99c86c6c18p-1, 0x1.8251de6ed7edfp-4, -0x1.a30ce368889ep-2}}};
  FeatureOptions options = options_of({3}, 1, 1);
  for (const auto& [law, values] : expected) {
    options.law = law;
    EXPECT_EQ(draw_weights(3, options).values, values) << "law " << static_cast<int>(law);
  }
}

TEST(Weights, HaveKnownPhases) {
  FeatureOptions options = options_of({3}, 1, 0xFEDCBA9876543210);
  options.basis = Basis::cosine;
  options.sigma2 = 1.0;
  const FeatureWeights W = draw_weights(3, options);
  EXPECT_EQ(W.values, (std::vector<double>{0x1.d900994f7576cp-2, -0x1.0d74adc0cb77cp-2, 0x1.25ac1dd3e8553p+0}));
  EXPECT_EQ(W.phases, (std::vector<double>{0x1.60cc717328a3fp+2}));
}

TEST(Weights, DependOnSeedSupportAndDrawAlone) {
  const WeightsBySupport small = by_support(draw_weights(5, options_of({2}, 40, 7)));
  expect_same_draws(small, by_support(draw_weights(5, options_of({2}, 1000, 7))));
  expect_same_draws(small, by_support(draw_weights(9, options_of({2}, 400, 7))));
  expect_same_draws(small, by_support(draw_weights(5, options_of({1, 2, 3}, 400, 7))));
  EXPECT_NE(small, by_support(draw_weights(5, options_of({2}, 40, 8))));
}

TEST(Weights, OfSampledSupportsAreThoseOfListedOnes) {
  const WeightsBySupport sampled = by_support(draw_weights(12, options_of({3}, 50, 3)));
  expect_same_draws(sampled, by_support(draw_weights(12, options_of({3}, 220, 3))));
}

TEST(Weights, GiveEverySupportTheSameNumberOfRows) {
  for (const std::size_t N : {45U, 89U, 90U, 1000U}) {
    const WeightsBySupport draws = by_support(draw_weights(10, options_of({2}, N)));
    EXPECT_EQ(draws.size(), 45U);
    for (const auto& [support, rows] : draws) EXPECT_EQ(rows.size(), N / 45) << "N = " << N;
    EXPECT_EQ(count_weights(10, options_of({2}, N)), N / 45 * 45);
  }
}

TEST(Weights, SampleDistinctSupportsWhereThereAreTooMany) {
  for (const std::size_t N : {1U, 7U, 44U}) {
    const FeatureWeights W = draw_weights(10, options_of({2}, N));
    EXPECT_EQ(W.size(), N);
    EXPECT_EQ(by_support(W).size(), N);
  }
}

TEST(Weights, ReachFiveOfAThousandInputs) {
  const FeatureWeights W = draw_weights(1000, options_of({5}, 2000));
  EXPECT_EQ(W.size(), 2000U);
  EXPECT_EQ(by_support(W).size(), 2000U);
  for (std::size_t j = 0; j < W.size(); ++j) EXPECT_EQ(W.support(j).size(), 5U);
}

TEST(Weights, ReachHalfOfAThousandInputs) {
  EXPECT_EQ(by_support(draw_weights(1000, options_of({500}, 20))).size(), 20U);
}

std::map<std::size_t, std::size_t> rows_by_order(const FeatureWeights& W) {
  std::map<std::size_t, std::size_t> rows;
  for (std::size_t j = 0; j < W.size(); ++j) ++rows[W.support(j).size()];
  return rows;
}

// 1000 rows over orders 1, 2, 3 of 10 inputs: 333 → 33·10 = 330; half of 670 → 7·45 = 315; 355 left → 2·120 = 240.
TEST(Weights, OfMixedOrdersShareTheRowsAscending) {
  EXPECT_EQ(rows_by_order(draw_weights(10, options_of({1, 2, 3}, 1000))),
            (std::map<std::size_t, std::size_t>{{1, 330}, {2, 315}, {3, 240}}));
  EXPECT_EQ(count_weights(10, options_of({1, 2, 3}, 1000)), 885U);
}

// 100 rows: 33 → 3·10 = 30; half of 70 → 35 of the 45 pairs; 35 left → 35 of the 120 triples.
TEST(Weights, OfMixedOrdersSampleTheOrdersThatAreTooLarge) {
  EXPECT_EQ(rows_by_order(draw_weights(10, options_of({1, 2, 3}, 100))),
            (std::map<std::size_t, std::size_t>{{1, 30}, {2, 35}, {3, 35}}));
}

TEST(Weights, AreAsManyAsCounted) {
  for (const std::size_t N : {1U, 2U, 5U, 50U, 500U}) {
    for (const auto& orders : std::vector<std::vector<int>>{{1}, {3}, {1, 2}, {2, 4}, {1, 2, 3, 4, 5}}) {
      const FeatureOptions options = options_of(orders, N);
      const std::size_t count = count_weights(6, options);
      EXPECT_EQ(draw_weights(6, options).size(), count);
      EXPECT_LE(count, N);
    }
  }
}

// The largest distance between the empirical and the given distribution function, times √n.
double kolmogorov_distance(std::vector<double> sample, const std::function<double(double)>& distribution) {
  std::ranges::sort(sample);
  const auto n = static_cast<double>(sample.size());
  double distance = 0.0;
  for (std::size_t k = 0; k < sample.size(); ++k) {
    const double F = distribution(sample[k]);
    distance = std::max({distance, F - static_cast<double>(k) / n, static_cast<double>(k + 1) / n - F});
  }
  return distance * std::sqrt(n);
}

constexpr std::size_t sample_size = 100000;
constexpr double rarely_exceeded = 2.2;  // Once in 8,000 seeds.

std::vector<double> sample_of(Law law, double sigma2) {
  FeatureOptions options = options_of({1}, sample_size, 11);
  options.law = law;
  options.sigma2 = sigma2;
  return draw_weights(1, options).values;
}

double variance(const std::vector<double>& sample) {
  double sum = 0.0;
  for (const double value : sample) sum += value * value;
  return sum / static_cast<double>(sample.size());
}

TEST(Weights, NormalLawIsNormal) {
  const std::vector<double> sample = sample_of(Law::normal, 4.0);
  EXPECT_LT(kolmogorov_distance(sample, [](double w) { return 0.5 * std::erfc(-w / 2.0 / std::sqrt(2.0)); }),
            rarely_exceeded);
  EXPECT_NEAR(variance(sample), 4.0, 0.1);
}

TEST(Weights, UniformLawIsUniformWithTheVarianceAskedFor) {
  const std::vector<double> sample = sample_of(Law::uniform, 3.0);  // On (−3, 3).
  EXPECT_LT(kolmogorov_distance(sample, [](double w) { return (w + 3.0) / 6.0; }), rarely_exceeded);
  EXPECT_NEAR(variance(sample), 3.0, 0.05);
  EXPECT_LT(std::abs(*std::ranges::max_element(sample, {}, [](double w) { return std::abs(w); })), 3.0);
}

TEST(Weights, CauchyLawIsCauchyWithTheScaleAskedFor) {
  std::vector<double> sample = sample_of(Law::cauchy, 4.0);
  EXPECT_LT(kolmogorov_distance(sample, [](double w) { return 0.5 + std::atan(w / 2.0) / std::numbers::pi; }),
            rarely_exceeded);
  for (double& w : sample) w = std::abs(w);
  std::ranges::nth_element(sample, sample.begin() + sample_size / 2);
  EXPECT_NEAR(sample[sample_size / 2], 2.0, 0.05);  // The median of |w| is the scale.
}

TEST(Weights, StudentLawIsStudentsWithThreeDegreesOfFreedom) {
  const auto distribution = [](double w) {
    const double u = w / std::sqrt(3.0);
    return 0.5 + (u / (1.0 + u * u) + std::atan(u)) / std::numbers::pi;
  };
  EXPECT_LT(kolmogorov_distance(sample_of(Law::student_t, 1.0), distribution), rarely_exceeded);
}

TEST(Weights, StudentLawHasTheVarianceOfItsDegreesOfFreedom) {
  FeatureOptions options = options_of({1}, sample_size, 5);
  options.law = Law::student_t;
  options.sigma2 = 2.0;
  options.degrees_of_freedom = 10;
  EXPECT_NEAR(variance(draw_weights(1, options).values), 2.0 * 10.0 / 8.0, 0.1);
}

// On a sphere in three dimensions every coordinate is uniform (Archimedes).
TEST(Weights, SphereLawIsUniformOnTheSphere) {
  FeatureOptions options = options_of({3}, sample_size, 2);
  options.law = Law::sphere;
  options.sigma2 = 1.5;
  const double radius = std::sqrt(3 * 1.5);
  const FeatureWeights W = draw_weights(3, options);
  std::vector<std::vector<double>> coordinates(3);
  for (std::size_t j = 0; j < W.size(); ++j) {
    EXPECT_NEAR(norm(W.weights(j)), radius, 1e-14);
    for (std::size_t l = 0; l < 3; ++l) coordinates[l].push_back(W.weights(j)[l]);
  }
  for (const auto& coordinate : coordinates) {
    EXPECT_LT(kolmogorov_distance(coordinate, [&](double w) { return (w / radius + 1.0) / 2.0; }), rarely_exceeded);
  }
}

TEST(Weights, HaveVarianceOneOverOrderByDefault) {
  for (const int q : {1, 2, 4}) {
    EXPECT_NEAR(variance(draw_weights(4, options_of({q}, sample_size)).values), 1.0 / q, 0.02);
  }
}

TEST(Weights, PhasesAreUniformOnTheCircleAndOnlyWhereTheBasisHasThem) {
  FeatureOptions options = options_of({1}, sample_size, 4);
  EXPECT_TRUE(draw_weights(1, options).phases.empty());
  for (const Basis basis : {Basis::cosine, Basis::sine}) {
    options.basis = basis;
    const FeatureWeights W = draw_weights(1, options);
    ASSERT_EQ(W.phases.size(), W.size());
    EXPECT_LT(kolmogorov_distance(W.phases, [](double b) { return b / (2.0 * std::numbers::pi); }), rarely_exceeded);
  }
}

std::string refusal(std::size_t d, const FeatureOptions& options) {
  const std::string message = message_of<OptionError>([&] { (void)draw_weights(d, options); });
  EXPECT_EQ(message, message_of<OptionError>([&] { (void)count_weights(d, options); }));
  return message;
}

TEST(Weights, RefuseOrdersOutOfRange) {
  test::expect_parts(refusal(3, options_of({0}, 10)), {"order 0"});
  test::expect_parts(refusal(3, options_of({-1}, 10)), {"order -1"});
  test::expect_parts(refusal(3, options_of({4}, 10)), {"order 4", "inputs, 3"});
  test::expect_parts(refusal(3, options_of({1, 4}, 10)), {"order 4"});
  test::expect_parts(refusal(3, options_of({}, 10)), {"order"});
}

// The same order twice would draw the same columns twice.
TEST(Weights, RefuseOrdersThatDoNotAscend) {
  test::expect_parts(refusal(3, options_of({2, 1}, 10)), {"order"});
  test::expect_parts(refusal(3, options_of({2, 2}, 10)), {"order"});
}

TEST(Weights, RefuseNoFeatures) { test::expect_parts(refusal(3, options_of({1}, 0)), {"features 0"}); }

TEST(Weights, RefuseAScaleThatIsNotPositiveAndFinite) {
  FeatureOptions options = options_of({1}, 10);
  for (const double sigma2 : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    options.sigma2 = sigma2;
    test::expect_parts(refusal(3, options), {"sigma2"});
  }
}

TEST(Weights, RefuseDegreesOfFreedomOutOfRange) {
  FeatureOptions options = options_of({1}, 10);
  for (const int dof : {0, 101, -3}) {
    options.degrees_of_freedom = dof;
    test::expect_parts(refusal(3, options), {"dof"});
  }
}

}  // namespace weights_test
}  // namespace shrimp

#include <gtest/gtest.h>

#include "shrimp/theory.hpp"
#include "support.hpp"

namespace shrimp {
namespace eigenvalues_test {

using namespace test;

EigenvalueOptions setting(std::size_t m, std::size_t N, std::size_t d, std::size_t q, double gamma) {
  EigenvalueOptions options;
  options.m = m;
  options.N = N;
  options.d = d;
  options.q = q;
  options.gamma = gamma;
  return options;
}

GramEigenvalues mean_of_draws(const EigenvalueOptions& options, int draws = 10) {
  GramEigenvalues mean;
  for (int seed = 0; seed < draws; ++seed) {
    const GramEigenvalues one = draw_gram_eigenvalues(options, static_cast<std::uint64_t>(seed));
    mean.largest += one.largest / draws;
    mean.smallest += one.smallest / draws;
  }
  return mean;
}

TEST(EigenvalueBounds, HaveTheValuesWorkedOutByHand) {
  EigenvalueOptions options = setting(4, 8, 2, 2, 1.0);
  options.sigma = 0.5;
  options.p = 0.25;
  const EigenvalueBounds bounds = eigenvalue_bounds(options);
  EXPECT_NEAR(bounds.largest_at_least_printed, 2.4905776503073436, 1e-12);
  EXPECT_NEAR(bounds.largest_at_least, 2.6875, 1e-12);
  EXPECT_NEAR(bounds.smallest_at_most_printed, 2.871320343559643, 1e-12);
  EXPECT_NEAR(bounds.smallest_at_most, 2.1559310892394863, 1e-12);
  EXPECT_NEAR(bounds.remark_at_most, std::pow(4.0, 0.25) / std::sqrt(2.0) + std::pow(4.0, -0.75), 1e-12);
  EXPECT_NEAR(bounds.remark_probability, 1.0 - 1.0 / std::sqrt(2.0), 1e-12);
}

TEST(EigenvalueBounds, CountHowManyInputsTwoSupportsShare) {
  EigenvalueOptions options = setting(4, 6, 3, 2, 1.0);
  options.sigma = 0.5;
  // Two weights on each of three supports: one of five others on the same, four that share one input.
  EXPECT_NEAR(eigenvalue_bounds(options).value("coupling"), 0.4771236166328253, 1e-12);
}

TEST(EigenvalueBounds, MeanEigenvaluesOfRandomDrawsKeepThem) {
  for (const EigenvalueOptions& options :
       {setting(50, 50, 1, 1, 1.0), setting(50, 100, 2, 2, 1.0), setting(20, 400, 40, 40, 1.0),
        setting(50, 50, 3, 3, 1.0), setting(60, 300, 2, 2, 0.5), setting(40, 90, 10, 2, 1.0),
        setting(30, 60, 6, 1, 2.0)}) {
    const EigenvalueBounds bounds = eigenvalue_bounds(options);
    const GramEigenvalues mean = mean_of_draws(options);
    EXPECT_GE(mean.largest, bounds.largest_at_least) << options.q;
    EXPECT_LE(mean.smallest, bounds.smallest_at_most) << options.q;
    EXPECT_LE(bounds.smallest_at_most, bounds.smallest_at_most_printed);
  }
}

TEST(EigenvalueBounds, RandomDrawsBreakTheLowerBoundAsPrinted) {
  const EigenvalueOptions narrow = setting(100, 100, 1, 1, 1.0);
  EXPECT_LT(mean_of_draws(narrow).largest, 0.97 * eigenvalue_bounds(narrow).largest_at_least_printed);
  const EigenvalueOptions wide = setting(20, 400, 40, 40, 1.0);
  EXPECT_LT(mean_of_draws(wide).largest, 0.8 * eigenvalue_bounds(wide).largest_at_least_printed);
}

TEST(EigenvalueBounds, RemarkHoldsInAsManySquareDrawsAsItPromises) {
  for (const std::size_t q : {1U, 2U, 6U}) {
    const EigenvalueOptions options = setting(16, 16, q, q, 1.0);
    const EigenvalueBounds bounds = eigenvalue_bounds(options);
    int kept = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      kept += draw_gram_eigenvalues(options, seed).smallest <= bounds.remark_at_most ? 1 : 0;
    }
    EXPECT_GE(kept, 100.0 * bounds.remark_probability);
  }
}

TEST(GramEigenvalues, SumToTheTrace) {
  // A A*/N has ones on its diagonal; with two samples its eigenvalues are the whole spectrum.
  const GramEigenvalues pair = draw_gram_eigenvalues(setting(2, 30, 4, 4, 0.3), 1);
  EXPECT_NEAR(pair.largest + pair.smallest, 2.0, 1e-12);
}

TEST(EigenvalueBounds, SayWhereTheSamplesOutnumberTheFeatures) {
  const EigenvalueBounds bounds = eigenvalue_bounds(setting(20, 10, 2, 2, 1.0));
  EXPECT_FALSE(bounds.holds());
  expect_parts(bounds.unmet(), {"m ≤ N", "requires ≤ 10, given 20"});
}

TEST(EigenvalueBounds, RefuseValuesThatMakeNoSense) {
  EigenvalueOptions options = setting(4, 8, 2, 3, 1.0);
  expect_parts(message_of<OptionError>([&] { (void)eigenvalue_bounds(options); }), {"q 3", "number of inputs, 2"});
  options = setting(4, 7, 3, 1, 1.0);
  expect_parts(message_of<OptionError>([&] { (void)draw_gram_eigenvalues(options, 0); }), {"N 7", "C(3,1) = 3"});
  options.p = 1.0;
  expect_parts(message_of<OptionError>([&] { (void)eigenvalue_bounds(options); }), {"p 1"});
}

}  // namespace eigenvalues_test
}  // namespace shrimp

// Shapes of terms by the evidence: its slopes, and where they lead.
#include "grow/shape_tuning.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support.hpp"

namespace shrimp {
namespace shape_tuning_test {

using test::Random;

constexpr std::size_t m = 120;
constexpr double lambda = 0.01;
constexpr std::uint64_t seed = 5;

Rows noisy_product(double noise) {
  Random random(3);
  Rows rows;
  rows.X = Matrix(m, 2);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < 2; ++j) rows.X(i, j) = random();
    rows.y.push_back(rows.X(i, 0) * rows.X(i, 1) + noise * random());
  }
  return rows;
}

ShapeTuning tuning() {
  ShapeTuning tuning;
  tuning.spreads = {{1.0, 40.0}, {1.0, 40.0}};
  tuning.most_steps = 40;
  return tuning;
}

const TermShape line{{0}, {}, 0, 1.0};
const TermShape fast_pair{{0, 1}, {1.5, 1.2}, 0, 1.0};

TEST(GrowingFit, KnowsHowTheEvidenceChangesWithShapes) {
  Rows rows = noisy_product(0.1);
  for (const bool weighted : {false, true}) {
    for (std::size_t i = 0; i < m && weighted; ++i) rows.weights.push_back(0.5 + 0.01 * static_cast<double>(i));
    const auto evidence_of = [&](const TermShape& pair, const TermShape& other) {
      GrowingFit fit(rows, {}, lambda, seed);
      fit.set({other, pair}, lambda);
      return fit.smoother().log_marginal_likelihood();
    };
    GrowingFit fit(rows, {}, lambda, seed);
    fit.set({line, fast_pair}, lambda);
    const std::vector<GrowingFit::Slopes> slopes = fit.evidence_slopes();
    ASSERT_EQ(slopes.size(), 2U);
    constexpr double step = 1e-4;
    const auto slope_by = [&](auto change) {
      return (evidence_of(change(fast_pair, std::exp(step)), line) -
              evidence_of(change(fast_pair, std::exp(-step)), line)) /
             (2 * step);
    };
    for (std::size_t l = 0; l < 2; ++l) {
      const auto stretch = [l](TermShape term, double factor) {
        term.scales[l] *= factor;
        return term;
      };
      EXPECT_NEAR(slopes[1].scales[l], slope_by(stretch), 2e-3 * std::abs(slopes[1].scales[l]) + 1e-3) << l;
    }
    const auto enlarge = [](TermShape term, double factor) {
      term.amplitude *= factor;
      return term;
    };
    EXPECT_NEAR(slopes[1].amplitude, slope_by(enlarge), 2e-3 * std::abs(slopes[1].amplitude) + 1e-3);
    EXPECT_TRUE(slopes[0].scales.empty());
  }
}

TEST(GrowingFit, CondensesAnewWhenLambdaFalls) {
  const Rows rows = noisy_product(0.0);
  GrowingFit fit(rows, {}, 1e3, seed);
  fit.add(fast_pair);
  const std::size_t columns = fit.smoother().columns();
  fit.tune_lambda();
  EXPECT_LT(fit.smoother().lambda(), 1.0);
  EXPECT_GT(fit.smoother().columns(), columns);
}

TEST(TuneShapes, MakesFeaturesOfAProductSlow) {
  const Rows rows = noisy_product(0.05);
  GrowingFit fit(rows, {}, lambda, seed);
  fit.add(fast_pair);
  const double evidence = fit.smoother().log_marginal_likelihood();
  const double error = fit.smoother().error();
  tune_shapes(fit, tuning());
  EXPECT_GT(fit.smoother().log_marginal_likelihood(), evidence + 10.0);
  EXPECT_LT(fit.smoother().error(), error);
  for (const double scale : fit.terms()[0].scales) EXPECT_LT(scale, 0.5);
  EXPECT_GT(fit.terms()[0].amplitude, 1.0);
}

TEST(TuneShapes, LeavesWhatIsFixed) {
  const Rows rows = noisy_product(0.05);
  ShapeTuning fixed = tuning();
  fixed.scales_are_fixed = true;
  fixed.lambda_is_fixed = true;
  GrowingFit fit(rows, {}, lambda, seed);
  fit.add(fast_pair);
  tune_shapes(fit, fixed);
  for (std::size_t l = 0; l < 2; ++l) EXPECT_NEAR(fit.terms()[0].scales[l], fast_pair.scales[l], 1e-12);
  EXPECT_NE(fit.terms()[0].amplitude, fast_pair.amplitude);
  EXPECT_EQ(fit.smoother().lambda(), lambda);
}

TEST(TuneShapes, KeepsScalesBelowTheLargest) {
  Random random(4);
  Rows rows = noisy_product(0.0);
  for (std::size_t i = 0; i < m; ++i) rows.y[i] = std::sin(12.0 * rows.X(i, 0));
  ShapeTuning narrow = tuning();
  narrow.spreads = {{1.0, 1.0}, {1.0, 1.0}};
  GrowingFit fit(rows, {}, lambda, seed);
  fit.add({{0}, {0.5}, 0, 1.0});
  tune_shapes(fit, narrow);
  EXPECT_LE(fit.terms()[0].scales[0], 1.0 + 1e-12);
}

// A line is the limit of slower and slower features of larger and larger amplitude.
TEST(TuneShapes, KeepsAmplitudesBelowWhatRoundingAllows) {
  Rows rows = noisy_product(0.0);
  for (std::size_t i = 0; i < m; ++i) rows.y[i] = rows.X(i, 0) + 1e-6 * rows.X(i, 1);
  GrowingFit fit(rows, {}, lambda, seed);
  fit.add({{0, 1}, {0.05, 0.05}, 0, 1.0});
  ShapeTuning long_tuning = tuning();
  long_tuning.most_steps = 200;
  tune_shapes(fit, long_tuning);
  const double rounding = 1e-16 * fit.terms()[0].amplitude;
  EXPECT_LT(rounding, 1e-3 * std::sqrt(fit.smoother().lambda()));
}

TEST(TuneShapes, OfNoTermsDoesNothing) {
  const Rows rows = noisy_product(0.05);
  GrowingFit fit(rows, {}, lambda, seed);
  tune_shapes(fit, tuning());
  EXPECT_TRUE(fit.terms().empty());
}

}  // namespace shape_tuning_test
}  // namespace shrimp

// Effects that interactions contain, and terms of their own for them.
#include "grow/contained_effects.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "grow/finish.hpp"
#include "grow/grow.hpp"
#include "shrimp/fit.hpp"
#include "support.hpp"

namespace shrimp {
namespace contained_effects_test {

using test::Random;

constexpr std::uint64_t seed = 5;

// Inputs with covariance `shared` of variance 1 + `shared`, in units of the variance of uniform numbers on (−1, 1).
Rows noisy_rows(std::size_t count, std::size_t inputs, double shared, const auto& f, double noise = 0.5) {
  Random random(7);
  Rows rows;
  rows.X = Matrix(count, inputs);
  for (std::size_t i = 0; i < count; ++i) {
    const double common = std::sqrt(shared) * random();
    for (std::size_t j = 0; j < inputs; ++j) rows.X(i, j) = random() + common;
    rows.y.push_back(f(rows.X, i) + noise * random());
  }
  return rows;
}

bool has_term(const std::vector<TermShape>& terms, const Support& variables) {
  return std::ranges::find(terms, variables, &TermShape::variables) != terms.end();
}

TEST(ContainedEffects, AreTheComponentsThatTheRidgeRegressionOnAnInteractionFits) {
  const Rows rows = noisy_rows(300, 2, 0.0, [](const Matrix& X, std::size_t i) { return 2 * X(i, 0) + X(i, 1); });
  GrowingFit fit(rows, {}, 0.01, seed);
  fit.set({{{0, 1}, {0.5, 0.5}, 0, 1.0}}, 0.01);
  const std::vector<ContainedEffect> effects = contained_effects(fit, 0.05);
  ASSERT_EQ(effects.size(), 2U);
  EXPECT_EQ(effects[0].variables, Support{0});
  EXPECT_EQ(effects[1].variables, Support{1});
  EXPECT_FALSE(effects[0].has_term);
  // Variances of 4 and 1; the sample's and the fit's errors are a few hundredths.
  EXPECT_NEAR(effects[0].fraction, 0.8, 0.05);
  EXPECT_NEAR(effects[1].fraction, 0.2, 0.05);
}

TEST(ContainedEffects, AreNoneWithoutInteractions) {
  const Rows rows = noisy_rows(100, 2, 0.0, [](const Matrix& X, std::size_t i) { return X(i, 0) + X(i, 1); });
  GrowingFit fit(rows, {}, 0.01, seed);
  fit.set({{{0}, {}, 0, 1.0}, {{0, 1}, {}, 0, 1.0}}, 0.01);
  EXPECT_TRUE(contained_effects(fit, 0.0).empty());
}

TEST(ContainedEffects, OfCategoriesAreTheirLevels) {
  Rows rows = noisy_rows(300, 2, 0.0, [](const Matrix& X, std::size_t i) { return (X(i, 1) > 0 ? 1.0 : -1.0); });
  for (double& x : rows.X.col(1)) x = x > 0 ? 1.0 : 0.0;
  InputKinds kinds;
  kinds.levels = {0, 2};
  kinds.marginals.resize(2);
  rows.kinds = std::make_shared<const InputKinds>(std::move(kinds));
  GrowingFit fit(rows, {}, 0.01, seed);
  fit.set({{{0, 1}, {0.5, 1.0}, 0, 1.0}}, 0.01);
  const std::vector<ContainedEffect> effects = contained_effects(fit, 0.1);
  ASSERT_EQ(effects.size(), 1U);
  EXPECT_EQ(effects.front().variables, Support{1});
  EXPECT_GT(effects.front().fraction, 0.9);
}

Grown grown_and_moved(const Rows& rows, const GrowOptions& options) {
  Grown grown = grow(rows, options, {});
  return move_effects_to_own_terms(rows, grown, options, {}).value_or(grown);
}

TEST(Grow, MovesEffectsOutOfAnInteraction) {
  const Rows rows = noisy_rows(250, 3, 0.0, [](const Matrix& X, std::size_t i) {
    return X(i, 0) + std::sin(2 * X(i, 1)) + 0.5 * X(i, 0) * X(i, 1);
  });
  GrowOptions options;
  options.include = {{0, 1}};  // It takes up both effects before the search sees them.
  const Grown grown = grown_and_moved(rows, options);
  EXPECT_TRUE(has_term(grown.terms, {0}));
  EXPECT_TRUE(has_term(grown.terms, {1}));
  EXPECT_TRUE(has_term(grown.terms, {0, 1}));
  EXPECT_FALSE(has_term(grown.terms, {2}));
  EXPECT_EQ(grown.own_effects, (std::set<Support>{{0}, {1}}));
  options.exclude = {{1}};
  options.include.clear();
  EXPECT_FALSE(has_term(grown_and_moved(rows, options).terms, {1}));
}

TEST(Grow, KeepsItsLimitOfTermsWhenEffectsMove) {
  const Rows rows =
      noisy_rows(150, 2, 0.0, [](const Matrix& X, std::size_t i) { return X(i, 0) + X(i, 1) + X(i, 0) * X(i, 1); });
  GrowOptions options;
  options.include = {{0, 1}};
  options.max_terms = 2;
  EXPECT_LE(grown_and_moved(rows, options).terms.size(), 2U);
}

// Main effects with more than 1 % of the variance have basis functions of their own, weak interactions or not.
TEST(AutoFit, GivesMainEffectsTheirOwnBasisFunctions) {
  const auto f = [](const Matrix& X, std::size_t i) {
    return std::sin(2 * X(i, 0)) + 1.5 * X(i, 1) * X(i, 1) + X(i, 2) + 0.6 * X(i, 3) + 0.4 * X(i, 0) * X(i, 2) +
           0.3 * X(i, 1) * X(i, 3);
  };
  for (const double shared : {0.0, 1.0}) {
    const Rows rows = noisy_rows(250, 6, shared, f);
    Dataset data;
    data.target = "y";
    data.inputs = {"a", "b", "c", "d", "e", "f"};
    data.X = Matrix(rows.X);
    data.y = rows.y;
    FitOptions options;
    options.terms.quick_error = true;
    options.terms.max_order = 2;  // No kernel of all inputs.
    const Model model = fit(data, options).model;
    std::size_t large = 0;
    for (const Term& term : model.terms) {
      if (term.variables.size() != 1 || term.fraction < 0.01) continue;
      EXPECT_GT(term.basis_functions, 0U) << model.term_name(term) << " of inputs that share " << shared;
      ++large;
    }
    EXPECT_EQ(large, 4U);
  }
}

}  // namespace contained_effects_test
}  // namespace shrimp

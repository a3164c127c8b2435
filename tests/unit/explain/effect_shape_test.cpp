#include "explain/effect_shape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <vector>

#include "shrimp/effects.hpp"
#include "shrimp/fit.hpp"
#include "support.hpp"

namespace shrimp {
namespace {

std::string words_for(const std::function<double(double)>& f, double low = 0.0, double high = 1.0) {
  constexpr std::size_t count = 64;
  std::vector<double> x;
  std::vector<double> values;
  const std::vector<double> masses(count, 1.0 / count);
  for (std::size_t i = 0; i < count; ++i) {
    x.push_back(low + (high - low) * static_cast<double>(i) / (count - 1.0));
    values.push_back(f(x.back()));
  }
  std::vector<double> evenly;
  for (std::size_t i = 0; i < 257; ++i) evenly.push_back(f(low + (high - low) * static_cast<double>(i) / 256.0));
  return describe_effect({x, values, masses, evenly});
}

TEST(EffectShape, LinesAreLinear) {
  EXPECT_EQ(words_for([](double x) { return 3.0 * x - 1.0; }), "increasing, linear");
  EXPECT_EQ(words_for([](double x) { return 1.0 - 1e-6 * x; }), "decreasing, linear");
}

TEST(EffectShape, MonotoneFunctionsThatAreNotLinesAreCurved) {
  EXPECT_EQ(words_for([](double x) { return std::exp(3.0 * x); }), "increasing, curved");
  EXPECT_EQ(words_for([](double x) { return 1.0 / (0.1 + x); }), "decreasing, curved");
  EXPECT_EQ(words_for([](double x) { return std::tanh(20.0 * (x - 0.5)); }), "increasing, curved");
}

TEST(EffectShape, ASmallDipLeavesAFunctionMonotone) {
  EXPECT_EQ(words_for([](double x) { return x * x + 0.01 * std::sin(60.0 * x); }), "increasing, curved");
}

TEST(EffectShape, OnePeakAndOneValleyAreNamed) {
  EXPECT_EQ(words_for([](double x) { return -(x - 0.5) * (x - 0.5); }), "rises, then falls");
  EXPECT_EQ(words_for([](double x) { return (x - 0.4) * (x - 0.4); }), "falls, then rises");
}

TEST(EffectShape, AFullPeriodOfASinusoidIsNotMonotone) {
  EXPECT_EQ(words_for([](double x) { return std::sin(2.0 * std::numbers::pi * x); }), "non-monotone");
}

TEST(EffectShape, DiscontinuitiesAreSteps) {
  EXPECT_EQ(words_for([](double x) { return x > 0.3 ? 1.0 : 0.0; }), "increasing, steps");
  EXPECT_EQ(words_for([](double x) { return x > 0.3 && x < 0.6 ? 1.0 : 0.0; }), "rises, then falls, steps");
}

TEST(EffectShape, MassesDecideWhereTheFunctionMatters) {
  const std::vector<double> x = {0.0, 1.0, 2.0, 3.0};
  const std::vector<double> f = {0.0, 1.0, 2.0, -1.0};
  EXPECT_EQ(describe_effect({x, f, std::vector{1.0, 1.0, 1.0, 1e-6}}), "increasing, linear");
  EXPECT_NE(describe_effect({x, f, std::vector{1.0, 1.0, 1.0, 1.0}}), "increasing, linear");
}

TEST(EffectShape, TwoValuesHaveADirectionAlone) {
  const std::vector<double> x = {0.0, 1.0};
  EXPECT_EQ(describe_effect({x, std::vector{1.0, -1.0}, std::vector{0.5, 0.5}}), "decreasing");
}

TEST(EffectShape, AConstantHasNoEffect) {
  EXPECT_EQ(words_for([](double) { return 2.0; }), "");
}

// y = 2 x1 + cos(3 x2) + level(c) + x1 x3 without noise: the model knows these functions.
TEST(TermEffects, AreThoseOfTheFunctionThatWasFitted) {
  Dataset data;
  data.inputs = {"x1", "x2", "x3", "c"};
  data.target = "y";
  data.X = test::random_matrix(300, 4, 1);
  data.columns.resize(4);
  data.columns[3] = {.kind = ColumnKind::category, .column = "c", .levels = {"a", "b", "d"}};
  const std::vector<double> of_level = {0.0, 1.5, -1.0};
  for (std::size_t i = 0; i < 300; ++i) {
    data.X(i, 3) = static_cast<double>(i % 3);
    data.y.push_back(2.0 * data.X(i, 0) + std::cos(3.0 * data.X(i, 1)) + of_level[i % 3] + data.X(i, 0) * data.X(i, 2));
  }
  FitOptions options;
  options.method = "auto";
  const Model model = fit(data, options).model;
  const std::vector<std::string> effects = term_effects(model);
  const std::map<std::uint32_t, std::string> of_input = {
      {0, "increasing, linear"}, {1, "rises, then falls"}, {3, "by level"}};
  ASSERT_EQ(effects.size(), model.terms.size());
  for (std::size_t k = 0; k < effects.size(); ++k) {
    const std::vector<std::uint32_t>& variables = model.terms[k].variables;
    const bool is_main_effect = variables.size() == 1;
    EXPECT_EQ(effects[k], is_main_effect ? of_input.at(variables.front()) : "interaction");
  }
}

}  // namespace
}  // namespace shrimp

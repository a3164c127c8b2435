#include "fit/term_tests.hpp"

#include "support.hpp"

namespace shrimp {
namespace term_tests_test {

using test::Random;

/// About standard normal.
double normal(Random& random) {
  double sum = 0.0;
  for (int k = 0; k < 12; ++k) sum += 0.5 * random();
  return sum;
}

/// One straight line for each input: with the ridge, a linear model.
Dictionary lines(std::size_t inputs) {
  Dictionary dictionary;
  const double slope = 1.0;
  for (std::uint32_t j = 0; j < inputs; ++j) {
    dictionary.weights.append(std::span(&j, 1), std::span(&slope, 1));
    dictionary.rows.push_back(j);
    dictionary.functions.push_back(Function::identity);
  }
  return dictionary;
}

std::vector<Term> main_effects(std::uint32_t inputs) {
  std::vector<Term> terms;
  for (std::uint32_t j = 0; j < inputs; ++j) terms.push_back({.variables = {j}, .basis_functions = 1, .fraction = 0.5});
  return terms;
}

/// x2 has a correlation of .9 with x1, on which y depends; noise grows with x2.
Rows correlated_rows(std::size_t m, std::uint64_t seed, double effect_of_second) {
  Random random(seed);
  Rows rows;
  rows.X = Matrix(m, 2);
  for (std::size_t i = 0; i < m; ++i) {
    rows.X(i, 0) = normal(random);
    rows.X(i, 1) = 0.9 * rows.X(i, 0) + std::sqrt(0.19) * normal(random);
    const double noise = (0.3 + std::abs(rows.X(i, 1))) * normal(random);
    rows.y.push_back(2.0 * rows.X(i, 0) + effect_of_second * rows.X(i, 1) + noise);
  }
  return rows;
}

double p_value(const Rows& rows, std::uint32_t input, const GroupStarts& starts = nullptr) {
  const Dictionary dictionary = lines(rows.X.cols());
  const std::vector<Term> terms = main_effects(static_cast<std::uint32_t>(rows.X.cols()));
  const FitToTest fit{rows, starts, dictionary, {}, 1.0, 0};
  return TermTests(fit, terms).p_value(terms[input]).value_or(2.0);
}

// By mathematics: without an effect, p-values are below a level that often or less; here 300 times, three standard
// errors above the level allowed.
TEST(TermTests, KeepTheirLevelUnderCorrelatedInputsAndUnequalVariances) {
  int below = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) below += p_value(correlated_rows(80, seed, 0.0), 1) < 0.05 ? 1 : 0;
  EXPECT_LE(below, 26);
}

TEST(TermTests, FindEffects) {
  const Rows rows = correlated_rows(300, 1, 1.5);
  EXPECT_LT(p_value(rows, 0), 1e-6);
  EXPECT_LT(p_value(rows, 1), 1e-3);
}

// An input that is the same within each of 16 groups has 16 values, however many rows there are.
TEST(TermTests, CountGroupsWhereRowsBelongTogether) {
  const auto starts = std::make_shared<std::vector<std::size_t>>();
  for (std::size_t g = 0; g <= 16; ++g) starts->push_back(20 * g);
  int alone = 0;
  int together = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    Rows rows;
    rows.X = Matrix(320, 1);
    for (std::size_t g = 0; g < 16; ++g) {
      const double x = normal(random);
      const double offset = normal(random);
      for (std::size_t i = 20 * g; i < 20 * (g + 1); ++i) {
        rows.X(i, 0) = x;
        rows.y.push_back(offset + 0.1 * normal(random));
      }
    }
    alone += p_value(rows, 0) < 0.05 ? 1 : 0;
    together += p_value(rows, 0, starts) < 0.05 ? 1 : 0;
  }
  EXPECT_GT(alone, 40);
  EXPECT_LE(together, 8);
}

// Repeated rows are units of their own here, so that only the estimates agree: a weight of 0 is a row less.
TEST(TermTests, LeaveOutRowsOfWeightZero) {
  Rows all = correlated_rows(120, 3, 0.5);
  all.weights.assign(120, 1.0);
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < 120; ++i) {
    if (i % 3 != 0) some.push_back(i);
    if (i % 3 == 0) all.weights[i] = 0.0;
  }
  Rows fewer = gather(all, some);
  // The functions are of the ranks among all rows, so that p-values are alike, not the same.
  EXPECT_NEAR(std::log(p_value(all, 1)), std::log(p_value(fewer, 1)), 1.0);
}

TEST(TermTests, SayNothingOfAnInputThatTheRestDetermines) {
  Rows rows = correlated_rows(100, 4, 0.0);
  for (std::size_t i = 0; i < 100; ++i) rows.X(i, 1) = rows.X(i, 0);
  const Dictionary dictionary = lines(2);
  std::vector<Term> terms = main_effects(2);
  terms[0].basis_functions = 0;  // Its screening functions are in the rest of the model.
  const FitToTest fit{rows, nullptr, dictionary, {}, 1.0, 0};
  EXPECT_FALSE(TermTests(fit, terms).p_value(terms[1]).has_value());
}

}  // namespace term_tests_test
}  // namespace shrimp

#include "grow/all_inputs.hpp"

#include <gtest/gtest.h>

#include "data/standardize.hpp"
#include "grow/kernel_finish.hpp"
#include "support.hpp"

namespace shrimp {
namespace all_inputs_test {

const std::function<bool()> never = [] { return false; };

// Two lines, a product of five inputs and noise, of variances 1/3, 1/3, 1 and noise².
Rows lines_and_product(std::size_t count, double noise, std::uint64_t seed) {
  Rows rows;
  rows.X = test::random_matrix(count, 9, seed);
  test::Random random(seed + 1);
  for (std::size_t i = 0; i < count; ++i) {
    double product = std::pow(3.0, 2.5);
    for (std::size_t j = 0; j < 5; ++j) product *= rows.X(i, j);
    rows.y.push_back(rows.X(i, 5) + rows.X(i, 6) + product + noise * std::sqrt(3.0) * random());
  }
  return rows;
}

Finished lines_of(std::initializer_list<std::uint32_t> inputs) {
  Finished terms;
  for (const std::uint32_t input : inputs) {
    const double slope = 1.0;
    terms.dictionary.weights.append(std::span(&input, 1), std::span(&slope, 1));
    terms.dictionary.rows.push_back(static_cast<std::uint32_t>(terms.dictionary.rows.size()));
    terms.dictionary.functions.push_back(Function::identity);
    terms.coefficients.push_back(1.0);
    terms.scales.push_back(1.0);
  }
  return terms;
}

AllInputsOptions options_for(const Rows& rows) {
  AllInputsOptions options;
  for (std::uint32_t j = 0; j < rows.X.cols(); ++j) options.candidates.push_back(j);
  return options;
}

double mean_square(const Finished& model, const Rows& rows) {
  std::vector<double> predicted = test::times(evaluate(model.dictionary, rows.X), model.coefficients);
  for (double& value : predicted) value += model.constant;
  return test::mean_squared_error(predicted, rows.y);
}

TEST(AllInputs, FindsAProductOfFiveInputsBesideLines) {
  const Rows rows = lines_and_product(400, 0.05, 1);
  const Finished terms = lines_of({5, 6});
  AllInputsOptions options = options_for(rows);
  options.judged = false;
  const auto found = find_all_inputs(rows, terms, options, never);
  ASSERT_TRUE(found);
  for (const std::uint32_t j : {0U, 1U, 2U, 3U, 4U}) {
    EXPECT_NE(std::ranges::find(found->shape.variables, j), found->shape.variables.end()) << j;
  }
  EXPECT_GT(found->evidence_gain, 20.0);
  // Of the product's 1, which the lines leave.
  const double error = mean_square(finish_on_all_rows(rows, *found, terms), lines_and_product(1000, 0.0, 3));
  EXPECT_LT(error, 0.5);
  EXPECT_NEAR(found->errors.mean / error, 1.0, 0.5);
}

TEST(AllInputs, IsJudgedNoBetterThanAConstantOnNoise) {
  for (std::uint64_t seed = 10; seed < 14; ++seed) {
    Rows rows;
    rows.X = test::random_matrix(150, 6, seed);
    rows.y = test::random_vector(150, seed + 100);
    const auto found = find_all_inputs(rows, {}, options_for(rows), never);
    if (!found) continue;
    const double m = 150.0;
    // Every row is predicted by the mean of the others.
    const double of_constant = std::pow(standard_deviation(rows.y) * m / (m - 1.0), 2);
    EXPECT_GT(found->judged_errors.mean, 0.99 * of_constant) << seed;
    EXPECT_LT(found->evidence_gain, 5.0) << seed;
  }
}

TEST(AllInputs, IsJudgedByRowsThatTunedNothing) {
  const Rows few = lines_and_product(120, 0.3, 20);
  const auto by_folds = find_all_inputs(few, {}, options_for(few), never);
  ASSERT_TRUE(by_folds);
  EXPECT_EQ(by_folds->judged_rows.size(), 120U);
  EXPECT_EQ(by_folds->judged_errors.squares.size(), 120U);
  EXPECT_GT(by_folds->judged_errors.mean, by_folds->errors.mean);
  AllInputsOptions options = options_for(few);
  options.judged = false;
  EXPECT_TRUE(find_all_inputs(few, {}, options, never)->judged_rows.empty());
}

TEST(AllInputs, TakesInputsThatItMayAndNoMore) {
  Rows rows = lines_and_product(150, 0.1, 22);
  for (std::size_t i = 0; i < 150; ++i) rows.y[i] = std::sin(4.0 * rows.X(i, 5)) + std::sin(4.0 * rows.X(i, 6));
  AllInputsOptions options = options_for(rows);
  options.candidates = {1, 5, 6, 8};
  options.most_inputs = 2;
  options.law = Law::student_t;
  options.noise = 0.25;
  options.judged = false;
  const auto found = find_all_inputs(rows, {}, options, never);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->shape.variables, (Support{5, 6}));
  EXPECT_EQ(found->shape.law, Law::student_t);
  EXPECT_NEAR(found->shape.noise, 0.25, 1e-12);
  EXPECT_FALSE(found->beside_terms);
}

TEST(AllInputs, OfTooFewRowsOrNoInputsIsNone) {
  const Rows few = lines_and_product(19, 0.1, 24);
  EXPECT_FALSE(find_all_inputs(few, {}, options_for(few), never));
  const Rows rows = lines_and_product(50, 0.1, 24);
  EXPECT_FALSE(find_all_inputs(rows, {}, {}, never));
}

TEST(AllInputs, LeavesGroupsOutTogether) {
  // Every row is there five times: only groups tell that the copies know nothing of the target.
  Rows rows;
  const Matrix distinct = test::random_matrix(30, 3, 26);
  const std::vector<double> y = test::random_vector(30, 27);
  rows.X = Matrix(150, 3);
  for (std::size_t i = 0; i < 150; ++i) {
    for (std::size_t j = 0; j < 3; ++j) rows.X(i, j) = distinct(i % 30, j);
    rows.y.push_back(y[i % 30]);
    rows.groups.push_back(static_cast<std::uint32_t>(i % 30));
  }
  AllInputsOptions options = options_for(rows);
  const auto grouped = find_all_inputs(rows, {}, options, never);
  ASSERT_TRUE(grouped);
  EXPECT_GT(grouped->judged_errors.mean, 0.9 * std::pow(standard_deviation(y), 2));
  rows.groups.clear();
  const auto single = find_all_inputs(rows, {}, options, never);
  ASSERT_TRUE(single);
  EXPECT_LT(single->errors.mean, 0.1 * grouped->errors.mean);
}

}  // namespace all_inputs_test
}  // namespace shrimp

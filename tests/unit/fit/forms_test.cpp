#include "fit/forms.hpp"

#include <gtest/gtest.h>

#include "support.hpp"

namespace shrimp {
namespace forms_test {

Dataset dataset(Matrix X, std::vector<double> y) {
  Dataset data;
  data.target = "y";
  for (std::size_t j = 0; j < X.cols(); ++j) data.inputs.push_back("x" + std::to_string(j + 1));
  data.X = std::move(X);
  data.y = std::move(y);
  return data;
}

double normal(test::Random& random) {
  double sum = 0.0;
  for (int k = 0; k < 12; ++k) sum += 0.5 * random();
  return sum;
}

// Fifth powers of uniform numbers, of which the roots have the effect.
Dataset effect_of_ranks(std::size_t rows, std::uint64_t seed) {
  Matrix X = test::random_matrix(rows, 3, seed);
  std::vector<double> y;
  test::Random random(seed + 1);
  for (std::size_t i = 0; i < rows; ++i) y.push_back(std::sin(2.0 * X(i, 0)) + X(i, 1) + 0.1 * random());
  for (std::size_t k = 0; k < 3 * rows; ++k) X.data()[k] = std::pow(X.data()[k], 5);
  return dataset(std::move(X), std::move(y));
}

// x1^1.5 x2⁻¹ x3 with errors in proportion.
Dataset product_of_powers(std::size_t rows, double noise, std::uint64_t seed) {
  Matrix X = test::random_matrix(rows, 3, seed);
  test::Random random(seed + 1);
  std::vector<double> y;
  for (std::size_t k = 0; k < 3 * rows; ++k) X.data()[k] = std::exp(1.5 * X.data()[k]);
  for (std::size_t i = 0; i < rows; ++i) {
    y.push_back(std::pow(X(i, 0), 1.5) / X(i, 1) * X(i, 2) * std::exp(noise * normal(random)));
  }
  return dataset(std::move(X), std::move(y));
}

TEST(Forms, TakeSkewedInputsByTheirRankWhereThatHasTheEffect) {
  const Forms forms = choose_forms(effect_of_ranks(200, 1), {});
  EXPECT_EQ(forms.target, TargetForm::identity);
  ASSERT_EQ(forms.inputs.size(), 3U);
  EXPECT_EQ(forms.inputs[0].kind, Warp::Kind::rank);
  EXPECT_EQ(forms.inputs[1].kind, Warp::Kind::rank);
}

// A few large targets make most of the error in own units, which no standard error sees through; the evidence does.
TEST(Forms, TakeTheLogarithmOfATargetWithErrorsInProportion) {
  EXPECT_EQ(choose_forms(product_of_powers(200, 0.3, 3), {}).target, TargetForm::log);
}

void expect_plain_forms(std::uint64_t seed, double noise) {
  const Forms forms = choose_forms(test::make_dataset(150, 4, seed, noise), {});
  EXPECT_TRUE(forms.inputs.empty()) << seed;
  EXPECT_EQ(forms.target, TargetForm::identity) << seed;
}

TEST(Forms, LeaveUniformInputsAndPlainTargetsAsTheyAre) {
  for (std::uint64_t seed = 10; seed < 14; ++seed) expect_plain_forms(seed, 0.0);
}

// Not so yet: one standard error lets chance choose in three of these twenty.
TEST(Forms, LeaveUniformInputsOfNoisyTargetsAsTheyAre) {
  for (std::uint64_t seed = 10; seed < 30; ++seed) expect_plain_forms(seed, 0.3);
}

TEST(Forms, LeavePositiveInputsAndTargetsOfASmoothFunctionAsTheyAre) {
  Dataset data = test::make_dataset(200, 3, 20, 0.1);
  for (std::size_t k = 0; k < 600; ++k) data.X.data()[k] = 1.2 + data.X.data()[k];
  for (double& y : data.y) y += 2.5;
  const Forms forms = choose_forms(data, {});
  EXPECT_TRUE(forms.inputs.empty());
  EXPECT_EQ(forms.target, TargetForm::identity);
}

TEST(Forms, AreLeftAsAskedFor) {
  FormOptions options;
  options.choose_inputs = false;
  options.target = TargetForm::identity;
  const Forms none = choose_forms(product_of_powers(100, 0.3, 3), options);
  EXPECT_TRUE(none.inputs.empty());
  EXPECT_EQ(none.target, TargetForm::identity);
  options.target = TargetForm::sqrt;
  EXPECT_EQ(choose_forms(product_of_powers(100, 0.3, 3), options).target, TargetForm::sqrt);
  EXPECT_EQ(choose_forms(product_of_powers(10, 0.3, 3), options).target, TargetForm::sqrt);
}

TEST(Forms, AreChosenForGroupsWeightsAndConstantInputs) {
  Dataset data = effect_of_ranks(200, 5);
  std::ranges::fill(data.X.col(2), 4.0);
  for (std::size_t i = 0; i < 200; ++i) {
    data.groups.push_back(static_cast<std::uint32_t>(i * 7 % 20));
    data.weights.push_back(1.0 + static_cast<double>(i % 3));
  }
  const Forms forms = choose_forms(data, {});
  ASSERT_EQ(forms.inputs.size(), 3U);
  EXPECT_EQ(forms.inputs[0].kind, Warp::Kind::rank);
  EXPECT_EQ(forms.inputs[2].kind, Warp::Kind::none);
}

TEST(Forms, OfFewRowsOrConstantInputsAreThePlainOnes) {
  const Forms few = choose_forms(effect_of_ranks(20, 7), {});
  EXPECT_TRUE(few.inputs.empty());
  EXPECT_EQ(few.target, TargetForm::identity);
  Dataset constant = effect_of_ranks(100, 7);
  for (std::size_t j = 0; j < 3; ++j) std::ranges::fill(constant.X.col(j), 1.0);
  EXPECT_TRUE(choose_forms(constant, {}).inputs.empty());
  Dataset still = effect_of_ranks(100, 7);
  std::ranges::fill(still.y, 2.0);
  EXPECT_EQ(choose_forms(still, {}).target, TargetForm::identity);
}

TEST(Forms, LeaveInputsOfTwoValuesAsTheyAre) {
  Dataset data = effect_of_ranks(150, 9);
  for (double& x : data.X.col(2)) x = x > 0.0 ? 1.0 : 0.0;
  const Forms forms = choose_forms(data, {});
  ASSERT_EQ(forms.inputs.size(), 3U);
  EXPECT_EQ(forms.inputs[2].kind, Warp::Kind::none);
}

TEST(Forms, PassOnThatTheyAreToStop) {
  FormOptions options;
  options.is_over = []() -> bool { throw Interrupted(); };
  EXPECT_THROW((void)choose_forms(effect_of_ranks(100, 11), options), Interrupted);
}

}  // namespace forms_test
}  // namespace shrimp

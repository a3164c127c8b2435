#include "fit/own_units.hpp"

#include <gtest/gtest.h>

#include "data/target_form.hpp"
#include "support.hpp"

namespace shrimp {
namespace own_units_test {

Scaling scaling_of(TargetForm form) {
  Scaling scaling = Scaling::none(1);
  scaling.target_mean = 0.5;
  scaling.target_scale = 2.0;
  scaling.target_form = form;
  scaling.target_correction = form == TargetForm::log ? 1.1 : form == TargetForm::sqrt ? 0.3 : 0.0;
  return scaling;
}

// 0.25 + 2 x
Finished line() {
  Finished model;
  const std::uint32_t input = 0;
  const double slope = 1.0;
  model.dictionary.weights.append(std::span(&input, 1), std::span(&slope, 1));
  model.dictionary.rows = {0};
  model.dictionary.functions = {Function::identity};
  model.coefficients = {2.0};
  model.constant = 0.25;
  return model;
}

// Targets above and below the line by `rest`, in turn.
Rows around_the_line(double rest) {
  Rows rows;
  rows.X = test::random_matrix(10, 1, 1);
  for (std::size_t i = 0; i < 10; ++i) rows.y.push_back(0.25 + 2.0 * rows.X(i, 0) + (i % 2 == 0 ? rest : -rest));
  return rows;
}

TEST(OwnUnits, SumColumnsAndConstant) {
  Matrix X(2, 1);
  X(0, 0) = 1.0;
  X(1, 0) = -3.0;
  EXPECT_EQ(predict_sums(line(), X), (std::vector<double>{2.25, -5.75}));
  Finished constant;
  constant.constant = 4.0;
  EXPECT_EQ(predict_sums(constant, X), (std::vector<double>{4.0, 4.0}));
}

TEST(OwnUnits, GiveARowsOwnTargetBack) {
  EXPECT_DOUBLE_EQ(own_target(scaling_of(TargetForm::log), (std::log(7.0) - 0.5) / 2.0), 7.0);
  EXPECT_DOUBLE_EQ(own_target(scaling_of(TargetForm::sqrt), (std::sqrt(7.0) - 0.5) / 2.0), 7.0);
  EXPECT_DOUBLE_EQ(own_target(scaling_of(TargetForm::identity), (7.0 - 0.5) / 2.0), 7.0);
}

TEST(OwnUnits, MeasureErrorsOfPredictionsThatAreMeans) {
  EXPECT_DOUBLE_EQ(own_squared_error(scaling_of(TargetForm::identity), 1.0, 4.0), 9.0);
  const double y = std::exp(0.5 + 2.0 * 0.3);
  const double predicted = 1.1 * std::exp(0.5 + 2.0 * 0.1);
  EXPECT_NEAR(own_squared_error(scaling_of(TargetForm::log), 0.3, 0.1), std::pow((y - predicted) / 2.0, 2), 1e-14);
}

TEST(OwnUnits, CorrectByResidualsAsLargeAsTheErrorOnRowsLeftOut) {
  const double rest = 0.2;
  const Rows rows = around_the_line(rest);
  Finished model = line();
  model.error = rest * rest;
  // The mean of exp(±2·rest), and of its square.
  EXPECT_NEAR(correction_of(model, rows, scaling_of(TargetForm::log)), std::cosh(2.0 * rest), 1e-12);
  EXPECT_NEAR(correction_of(model, rows, scaling_of(TargetForm::sqrt)), std::pow(2.0 * rest, 2), 1e-12);
  model.error = 9.0 * rest * rest;
  EXPECT_NEAR(correction_of(model, rows, scaling_of(TargetForm::log)), std::cosh(6.0 * rest), 1e-12);
  model.error = 0.01 * rest * rest;  // Residuals are never made smaller.
  EXPECT_NEAR(correction_of(model, rows, scaling_of(TargetForm::log)), std::cosh(2.0 * rest), 1e-12);
}

// Whole weights are repetitions of rows.
TEST(OwnUnits, CorrectByWeightsAsByRepeatedRows) {
  Rows weighted = around_the_line(0.2);
  weighted.y[3] += 0.7;
  Rows repeated;
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < 10; ++i) {
    weighted.weights.push_back(static_cast<double>(i % 3));
    which.insert(which.end(), i % 3, i);
  }
  repeated = gather(weighted, which);
  repeated.weights.clear();
  Finished model = line();
  model.error = 0.1;
  for (const TargetForm form : {TargetForm::log, TargetForm::sqrt}) {
    EXPECT_NEAR(correction_of(model, weighted, scaling_of(form)), correction_of(model, repeated, scaling_of(form)),
                1e-12)
        << name_of(form);
  }
}

TEST(OwnUnits, CorrectNothingWithoutAFormOrWithoutResiduals) {
  Finished model = line();
  model.error = 1.0;
  EXPECT_EQ(correction_of(model, around_the_line(0.3), scaling_of(TargetForm::identity)), 0.0);
  EXPECT_NEAR(correction_of(model, around_the_line(0.0), scaling_of(TargetForm::log)), 1.0, 1e-12);
}

}  // namespace own_units_test
}  // namespace shrimp

#include "report/fit_errors.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shrimp::report {
namespace {

TEST(FitErrors, OfSquaredErrorAreRootsWithTheDeltaMethod) {
  Model model;
  model.options = {{"loss", "squared"}, {"quick-error", "false"}};
  model.results = {{"validation_mse", 4.0},     {"validation_se", 0.4}, {"validation_r2", 0.9},
                   {"train_mse", 1.0},          {"train_r2", 0.95},     {"baseline_mean_mse", 36.0},
                   {"baseline_linear_mse", 9.0}};
  const FitErrors errors = fit_errors(model);
  EXPECT_EQ(errors.metric, "RMSE");
  EXPECT_DOUBLE_EQ(errors.estimated, 2.0);
  EXPECT_DOUBLE_EQ(errors.standard_error, 0.1);
  EXPECT_DOUBLE_EQ(errors.constant, 6.0);
  EXPECT_DOUBLE_EQ(errors.linear, 3.0);
  EXPECT_DOUBLE_EQ(errors.training, 1.0);
  EXPECT_TRUE(errors.is_independent);
  model.options["quick-error"] = "true";
  EXPECT_FALSE(fit_errors(model).is_independent);
}

TEST(FitErrors, OfClassesAreLogLosses) {
  Model model;
  model.options = {{"loss", "logistic"}};
  model.results = {{"validation_log_loss", 0.4}, {"baseline_mean_log_loss", 0.7}, {"validation_mse", 0.1}};
  const FitErrors errors = fit_errors(model);
  EXPECT_EQ(errors.metric, "log loss");
  EXPECT_DOUBLE_EQ(errors.estimated, 0.4);
  EXPECT_DOUBLE_EQ(errors.constant, 0.7);
  EXPECT_TRUE(std::isnan(errors.linear));
  EXPECT_TRUE(std::isnan(errors.r2));
}

TEST(FitErrors, OfFilesWithoutBaselinesAreUnknown) {
  const FitErrors errors = fit_errors(Model());
  EXPECT_TRUE(std::isnan(errors.estimated));
  EXPECT_TRUE(std::isnan(errors.constant));
  EXPECT_FALSE(readable_model(Model()));
}

TEST(ReadableModel, HasTheIncreaseOfTheRootMeanSquaredError) {
  Model model;
  model.results = {{"validation_mse", 1.0}, {"readable_mse", 1.21}, {"readable_max_order", 2.0}};
  const auto readable = readable_model(model);
  ASSERT_TRUE(readable);
  EXPECT_NEAR(readable->increase, 0.1, 1e-12);
  EXPECT_EQ(readable->max_order, 2);
  EXPECT_EQ(increase_text(*readable), "10 % more");
  model.results["readable_mse"] = 9.0;
  EXPECT_EQ(increase_text(*readable_model(model)), "3.0 times as large");
}

TEST(WideTerms, SplitTheirFractionByOrder) {
  Model model;
  model.terms = {{{0}, 1, 0.6}, {{0, 1, 2, 3, 4}, 5, 0.4}};
  EXPECT_FALSE(wide_terms(model));  // Not decomposed: the term has a row.
  model.results["fraction_above_order_three"] = 0.3;
  const auto wide = wide_terms(model);
  ASSERT_TRUE(wide);
  EXPECT_DOUBLE_EQ(wide->above_order_three, 0.3);
  EXPECT_NEAR(wide->others, 0.1, 1e-12);
}

}  // namespace
}  // namespace shrimp::report

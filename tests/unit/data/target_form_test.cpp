#include "data/target_form.hpp"

#include "support.hpp"

namespace shrimp {
namespace target_form_test {

Scaling scaling_of(TargetForm form, double correction) {
  Scaling scaling = Scaling::none(1);
  scaling.target_mean = 0.5;
  scaling.target_scale = 2.0;
  scaling.target_form = form;
  scaling.target_correction = correction;
  return scaling;
}

TEST(TargetForm, IsForTargetsThatHaveIt) {
  EXPECT_TRUE(can_take_form(std::vector<double>{-1.0}, TargetForm::identity));
  EXPECT_TRUE(can_take_form(std::vector<double>{1.0, 2.0}, TargetForm::log));
  EXPECT_FALSE(can_take_form(std::vector<double>{1.0, 0.0}, TargetForm::log));
  EXPECT_TRUE(can_take_form(std::vector<double>{1.0, 0.0}, TargetForm::sqrt));
  EXPECT_FALSE(can_take_form(std::vector<double>{1.0, -1e-9}, TargetForm::sqrt));
}

TEST(TargetForm, GivesPredictionsInTheTargetsOwnUnits) {
  EXPECT_DOUBLE_EQ(target_value(scaling_of(TargetForm::identity, 9.0), 1.5), 3.5);
  EXPECT_DOUBLE_EQ(target_value(scaling_of(TargetForm::log, 1.25), 1.5), 1.25 * std::exp(3.5));
  EXPECT_DOUBLE_EQ(target_value(scaling_of(TargetForm::sqrt, 0.25), 1.5), 3.5 * 3.5 + 0.25);
  EXPECT_DOUBLE_EQ(target_value(scaling_of(TargetForm::sqrt, 0.25), -1.5), 0.25);  // No root is below zero.
}

TEST(TargetForm, HasLimitsInTheTargetsOwnUnits) {
  Scaling scaling = scaling_of(TargetForm::log, 1.0);
  scaling.target_lowest = 1.0;
  scaling.target_highest = 10.0;
  EXPECT_EQ(target_value(scaling, 100.0), 10.0);
  EXPECT_EQ(target_value(scaling, -100.0), 1.0);
}

TEST(TargetForm, HasTheSlopeOfItsPredictions) {
  const double h = 1e-6;
  for (const TargetForm form : {TargetForm::identity, TargetForm::log, TargetForm::sqrt}) {
    const Scaling scaling = scaling_of(form, 1.25);
    for (const double sum : {-1.0, 0.3, 1.5}) {
      const double expected = (target_value(scaling, sum + h) - target_value(scaling, sum - h)) / (2.0 * h);
      EXPECT_NEAR(target_slope(scaling, sum), expected, 1e-6) << name_of(form);
    }
  }
}

TEST(TargetForm, CorrectsMiddlesToMeans) {
  // Every prediction once with each error: the errors' law is the same everywhere.
  const std::vector<double> errors{-0.4, -0.1, 0.1, 0.4};
  for (const TargetForm form : {TargetForm::log, TargetForm::sqrt}) {
    Scaling scaling = scaling_of(form, 0.0);
    std::vector<double> y;
    std::vector<double> predicted;
    double mean = 0.0;
    for (const double middle : {0.5, 1.0, 1.5}) {
      for (const double error : errors) {
        predicted.push_back(middle);
        y.push_back(middle + error);
        const double z = 0.5 + 2.0 * (middle + error);
        mean += (form == TargetForm::log ? std::exp(z) : z * z) / 12.0;
      }
    }
    scaling.target_correction = target_correction(form, y, predicted, {}, scaling.target_scale);
    double mean_of_predictions = 0.0;
    for (const double value : predicted) mean_of_predictions += target_value(scaling, value) / 12.0;
    EXPECT_NEAR(mean_of_predictions, mean, 1e-12 * mean) << name_of(form);
  }
}

TEST(TargetForm, CorrectsNothingWithoutErrorsOrRows) {
  const std::vector<double> y{1.0, -2.0};
  EXPECT_DOUBLE_EQ(target_correction(TargetForm::log, y, y, {}, 3.0), 1.0);
  EXPECT_DOUBLE_EQ(target_correction(TargetForm::sqrt, y, y, {}, 3.0), 0.0);
  EXPECT_DOUBLE_EQ(target_correction(TargetForm::identity, y, std::vector<double>{5.0, 6.0}, {}, 3.0), 0.0);
  EXPECT_DOUBLE_EQ(target_correction(TargetForm::log, {}, {}, {}, 3.0), 1.0);
}

}  // namespace target_form_test
}  // namespace shrimp

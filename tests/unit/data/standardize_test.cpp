#include "data/standardize.hpp"

#include "data/target_form.hpp"
#include "data/warp.hpp"
#include "data/wild_values.hpp"
#include "support.hpp"

namespace shrimp {
namespace standardize_test {

Dataset dataset_of(const std::vector<std::vector<double>>& columns, std::vector<double> y) {
  Dataset data;
  data.target = "y";
  data.X = Matrix(y.size(), columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    data.inputs.push_back("x" + std::to_string(j + 1));
    std::ranges::copy(columns[j], data.X.col(j).begin());
  }
  data.y = std::move(y);
  return data;
}

// Of 2, 4, 4, 4, 5, 5, 7, 9 the mean is 5 and the deviation 2.
const std::vector<double> textbook = {2, 4, 4, 4, 5, 5, 7, 9};

TEST(Standardizing, FindsKnownMeansAndDeviations) {
  std::vector<double> shifted = textbook;
  for (double& value : shifted) value = -10.0 * value + 1000.0;
  const Scaling scaling = standardizing(dataset_of({textbook, shifted}, textbook));
  test::expect_near(scaling.input_mean, std::vector<double>{5.0, 950.0}, 1e-12);
  test::expect_near(scaling.input_scale, std::vector<double>{2.0, 20.0}, 1e-12);
  EXPECT_NEAR(scaling.target_mean, 5.0, 1e-14);
  EXPECT_NEAR(scaling.target_scale, 2.0, 1e-14);
}

TEST(Standardizing, BringsDataToMeanZeroAndVarianceOne) {
  const Dataset data = test::make_dataset(200, 3, 1);
  const Scaling scaling = standardizing(data);
  const Matrix Z = scale_inputs(data.X, scaling);
  std::vector<std::vector<double>> columns = {scale_target(data.y, scaling)};
  for (std::size_t j = 0; j < 3; ++j) columns.emplace_back(Z.col(j).begin(), Z.col(j).end());
  for (const std::vector<double>& column : columns) {
    double sum = 0.0;
    for (const double value : column) sum += value;
    EXPECT_NEAR(sum / 200, 0.0, 1e-14);
    EXPECT_NEAR(std::pow(norm(column), 2) / 200, 1.0, 1e-13);
  }
}

TEST(Standardizing, LeavesTheScaleOfAConstantColumnAlone) {
  const std::vector<double> constant(8, 0.1);
  const Dataset data = dataset_of({constant, textbook}, std::vector<double>(8, -3.0));
  const Scaling scaling = standardizing(data);
  EXPECT_EQ(scaling.input_mean[0], 0.1);
  EXPECT_EQ(scaling.input_scale[0], 1.0);
  EXPECT_EQ(scaling.target_mean, -3.0);
  EXPECT_EQ(scaling.target_scale, 1.0);
  const Matrix Z = scale_inputs(data.X, scaling);
  for (const double z : Z.col(0)) EXPECT_EQ(z, 0.0);
}

TEST(Standardizing, WarnsOfConstantColumnsByName) {
  const std::vector<std::string> warnings =
      constant_column_warnings(dataset_of({textbook, std::vector<double>(8, 1.0)}, std::vector<double>(8, 2.0)));
  ASSERT_EQ(warnings.size(), 1U);
  test::expect_parts(warnings[0], {"\"x2\""});
  EXPECT_TRUE(constant_column_warnings(dataset_of({textbook}, textbook)).empty());
}

TEST(Standardizing, SurvivesHugeAndTinyValues) {
  for (const double unit : {1e300, 1e-300}) {
    std::vector<double> values = textbook;
    for (double& value : values) value *= unit;
    const Dataset data = dataset_of({values}, values);
    const Scaling scaling = standardizing(data);
    EXPECT_NEAR(scaling.input_mean[0] / unit, 5.0, 1e-13);
    EXPECT_NEAR(scaling.input_scale[0] / unit, 2.0, 1e-13);
    const Matrix Z = scale_inputs(data.X, scaling);
    EXPECT_NEAR(Z(0, 0), -1.5, 1e-13);
    EXPECT_NEAR(scale_target(data.y, scaling).back(), 2.0, 1e-13);
  }
}

TEST(Standardizing, KeepsThePrecisionOfASmallSpreadFarFromZero) {
  std::vector<double> values = textbook;
  for (double& value : values) value += 1e9;
  const Scaling scaling = standardizing(dataset_of({values}, textbook));
  EXPECT_NEAR(scaling.input_scale[0], 2.0, 1e-6);
}

// x1 by its logarithm, x2 by rank, x3 as it is.
Dataset positive_dataset() {
  Dataset data = test::make_dataset(100, 3, 1);
  for (double& x : data.X.col(0)) x = std::exp(2.0 * x);
  data.weights.assign(100, 1.0);
  for (std::size_t i = 0; i < 100; i += 3) data.weights[i] = 2.5;
  return data;
}

std::vector<Warp> warps_for(const Dataset& data) {
  return {log_warp(data.X.col(0)), rank_warp(data.X.col(1), data.weights), {}};
}

TEST(WarpInputs, BringsWarpedInputsToMeanZeroAndVarianceOne) {
  const Dataset data = positive_dataset();
  const Scaling before = standardizing(data);
  Scaling scaling = before;
  warp_inputs(scaling, data, warps_for(data));
  EXPECT_EQ(scaling.input_mean[2], before.input_mean[2]);
  const Matrix Z = scale_inputs(data.X, scaling);
  for (std::size_t j = 0; j < 3; ++j) {
    double count = 0.0;
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < 100; ++i) {
      count += data.weights[i];
      sum += data.weights[i] * Z(i, j);
      squares += data.weights[i] * Z(i, j) * Z(i, j);
    }
    EXPECT_NEAR(sum / count, 0.0, 1e-13);
    EXPECT_NEAR(squares / count, 1.0, 1e-12);
  }
  EXPECT_NEAR(Z(7, 0), (std::log(data.X(7, 0)) - scaling.input_mean[0]) / scaling.input_scale[0], 1e-14);
}

TEST(WarpInputs, OfNoneLeavesTheScalingAsItWas) {
  const Dataset data = positive_dataset();
  Scaling scaling = standardizing(data);
  warp_inputs(scaling, data, std::vector<Warp>(3));
  EXPECT_TRUE(scaling.input_warps.empty());
}

TEST(WarpInputs, KeepsTheLimitsOfALogarithmOnItsSideOfZero) {
  for (const double sign : {1.0, -1.0}) {
    Dataset data = positive_dataset();
    for (double& x : data.X.col(0)) x *= sign;
    Scaling before = standardizing(data);
    limit_inputs(before, data.X, 0.5);
    warp_inputs(before, data, warps_for(data));
    Scaling after = standardizing(data);
    warp_inputs(after, data, warps_for(data));
    limit_inputs(after, data.X, 0.5);
    const auto [lowest, highest] = std::ranges::minmax(data.X.col(0));
    for (const Scaling& scaling : {before, after}) {
      EXPECT_GT(sign * scaling.input_lowest[0], 0.0);
      EXPECT_GT(sign * scaling.input_highest[0], 0.0);
      EXPECT_LE(scaling.input_lowest[0], lowest);
      EXPECT_GE(scaling.input_highest[0], highest);
    }
    EXPECT_NEAR(std::log(after.input_highest[0] / highest), 0.5 * std::log(highest / lowest), 1e-12);
    EXPECT_EQ(before.input_lowest[1], after.input_lowest[1]);  // Others have theirs in their own units.
  }
}

TEST(FormTarget, BringsTheFormToMeanZeroAndVarianceOne) {
  Dataset data = positive_dataset();
  for (double& y : data.y) y = std::exp(y);
  for (const TargetForm form : {TargetForm::log, TargetForm::sqrt}) {
    Scaling scaling = standardizing(data);
    form_target(scaling, data, form);
    const std::vector<double> z = scale_target(data.y, scaling);
    EXPECT_NEAR(weighted_variance(z, data.weights), 1.0, 1e-12);
    for (std::size_t i = 0; i < 100; ++i) EXPECT_NEAR(target_value(scaling, z[i]), data.y[i], 1e-12 * data.y[i]);
  }
}

TEST(Scaling, OfNoneChangesNothing) {
  const Matrix X = test::random_matrix(5, 2, 1);
  const Matrix Z = scale_inputs(X, Scaling::none(2));
  EXPECT_TRUE(std::equal(X.data(), X.data() + 10, Z.data()));
}

// Whole numbers below 2⁵³: sums of their differences are exact.
TEST(Standardize, KnowsTheMeanAndDeviationOfLargeNumbersThatVaryLittle) {
  constexpr double base = 1e15;
  Dataset data;
  data.inputs = {"x"};
  data.target = "y";
  data.X = Matrix(10001, 1);
  double squares = 0.0;
  for (int i = 0; i <= 10000; ++i) {
    const double offset = (i * 7919) % 10001 - 5000;  // A permutation of −5000 … 5000.
    data.X(static_cast<std::size_t>(i), 0) = -3.0 * base + offset;
    data.y.push_back(base + offset);
    squares += offset * offset;
  }
  const double deviation = std::sqrt(squares / 10001.0);
  const Scaling scaling = standardizing(data);
  EXPECT_EQ(scaling.target_mean, base);
  EXPECT_EQ(scaling.input_mean[0], -3.0 * base);
  EXPECT_NEAR(scaling.target_scale, deviation, 1e-12 * deviation);
  EXPECT_NEAR(scaling.input_scale[0], deviation, 1e-12 * deviation);
  EXPECT_NEAR(weighted_variance(data.y, {}), deviation * deviation, 1e-11 * deviation * deviation);
  const std::vector<double> weights(10001, 0.3);
  EXPECT_NEAR(weighted_variance(data.y, weights), deviation * deviation, 1e-11 * deviation * deviation);
}

TEST(Standardize, NamesTheRowOfAWildValue) {
  Dataset data = test::make_dataset(100, 3, 1);
  EXPECT_TRUE(wild_value_warnings(data).empty());
  data.X(41, 1) = -1e9;
  const std::vector<std::string> warnings = wild_value_warnings(data);
  ASSERT_EQ(warnings.size(), 1U);
  test::expect_parts(warnings.front(), {data.inputs[1].c_str(), "-1e+09", "row 42"});
}

TEST(Standardize, NamesAWildValueAmongManyEqualOnes) {
  Dataset data = test::make_dataset(100, 3, 1);
  for (std::size_t i = 0; i < 60; ++i) data.y[i] = 0.0;
  data.y[70] = 1e30;
  ASSERT_EQ(wild_value_warnings(data).size(), 1U);
  test::expect_parts(wild_value_warnings(data).front(), {"target", "1e+30", "row 71"});
}

TEST(Standardize, FindsWildValuesOfALongTableInItsRange) {
  const Dataset sample = test::make_dataset(100, 3, 1);
  Dataset range = test::make_dataset(2, 3, 2);
  EXPECT_TRUE(wild_value_warnings(sample, &range).empty());
  range.y[1] = 1e30;
  ASSERT_EQ(wild_value_warnings(sample, &range).size(), 1U);
  test::expect_parts(wild_value_warnings(sample, &range).front(), {"target", "1e+30"});
}

}  // namespace standardize_test
}  // namespace shrimp

// Rows that belong together: groups, blocks of a series, and the word about residuals.
#include "support.hpp"

namespace shrimp {
namespace dependent_rows_test {

using test::message_of;

FitOptions options_of(const std::string& method, std::size_t folds = 0) {
  FitOptions options;
  options.method = method;
  if (method != "krr") options.draw.features = 200;
  options.choice.folds = folds;
  options.seed = 3;
  return options;
}

// 30 groups of 8 rows: each has a place of its own, from which its rows hardly differ, and a level by chance, which
// says nothing of other groups.
Dataset grouped_rows(bool one_after_the_other = false) {
  Dataset data;
  data.inputs = {"x1", "x2"};
  data.target = "y";
  data.X = Matrix(240, 2);
  const std::vector<double> places = test::random_vector(60, 1);
  const std::vector<double> levels = test::random_vector(30, 2);
  const Matrix jitter = test::random_matrix(240, 3, 3);
  for (std::uint32_t i = 0; i < 240; ++i) {
    const std::uint32_t group = one_after_the_other ? i / 8 : i % 30;
    for (std::size_t j = 0; j < 2; ++j) data.X(i, j) = places[2 * group + j] + 0.001 * jitter(i, j);
    data.y.push_back(levels[group] + 0.01 * jitter(i, 2));
    data.groups.push_back(group);
  }
  return data;
}

// A random walk, whose input is time.
Dataset walk(std::size_t rows) {
  Dataset data;
  data.inputs = {"t", "noise"};
  data.target = "y";
  data.X = test::random_matrix(rows, 2, 5);
  const std::vector<double> steps = test::random_vector(rows, 6);
  double y = 0.0;
  for (std::size_t i = 0; i < rows; ++i) {
    data.X(i, 0) = static_cast<double>(i);
    data.y.push_back(y += steps[i]);
  }
  return data;
}

double variance_of(const std::vector<double>& y) {
  double mean = 0.0;
  for (const double value : y) mean += value / static_cast<double>(y.size());
  double sum = 0.0;
  for (const double value : y) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(y.size());
}

class DependentRows : public testing::TestWithParam<std::pair<const char*, std::size_t>> {
 protected:
  [[nodiscard]] static FitOptions options() { return options_of(GetParam().first, GetParam().second); }
};

TEST_P(DependentRows, OfAGroupDoNotPredictEachOther) {
  Dataset data = grouped_rows();
  const double together = fit(data, options()).validation_mse;
  data.groups.clear();
  const double apart = fit(data, options()).validation_mse;
  EXPECT_GT(together, 0.3 * variance_of(data.y));
  EXPECT_GT(together, 3.0 * apart);
}

TEST_P(DependentRows, OfASeriesDoNotPredictTheirNeighboursInBlocks) {
  Dataset data = grouped_rows(true);
  data.groups.clear();
  FitOptions in_blocks = options();
  in_blocks.choice.blocks = true;
  EXPECT_GT(fit(data, in_blocks).validation_mse, 3.0 * fit(data, options()).validation_mse);
}

TEST_P(DependentRows, MayHaveWeightsAndRepeat) {
  Dataset data = grouped_rows();
  for (std::size_t i = 0; i < 240; ++i) data.weights.push_back(static_cast<double>(1 + i % 3));
  const double together = fit(data, options()).validation_mse;
  EXPECT_GT(together, 0.3 * variance_of(data.y));
}

INSTANTIATE_TEST_SUITE_P(Methods, DependentRows,
                         testing::Values(std::pair{"auto", 0}, std::pair{"auto", 4}, std::pair{"shrimp", 0},
                                         std::pair{"shrimp", 4}, std::pair{"krr", 0}, std::pair{"krr", 4}));

TEST(Fit, DoesNotDependOnHowGroupsAreNumbered) {
  Dataset data = grouped_rows();
  const std::string model = to_json(fit(data, options_of("shrimp", 5)).model);
  for (std::uint32_t& group : data.groups) group = 1000000 + 77 * group;
  EXPECT_EQ(to_json(fit(data, options_of("shrimp", 5)).model), model);
}

TEST(Fit, RecordsThatItWasInBlocks) {
  FitOptions options = options_of("shrimp");
  const Dataset data = walk(100);
  EXPECT_EQ(fit(data, options).model.options.at("blocks"), "false");
  options.choice.blocks = true;
  const Model model = fit(data, options).model;
  EXPECT_EQ(model.options.at("blocks"), "true");
  EXPECT_EQ(model.given->at("blocks"), "true");
}

TEST(Fit, HasAsManyBlocksAsFolds) {
  FitOptions options = options_of("min-l2", 30);
  options.draw.features = 10;
  options.choice.blocks = true;
  EXPECT_TRUE(std::isfinite(fit(walk(60), options).validation_mse));
}

TEST(Fit, RefusesGroupsThatItCannotSplitBy) {
  const FitOptions plain = options_of("shrimp");
  Dataset data = grouped_rows();
  const auto complaint = [&](const FitOptions& options) {
    return message_of<std::exception>([&] { static_cast<void>(fit(data, options)); });
  };
  EXPECT_NE(complaint(options_of("shrimp", 31)).find("folds 31 is more than the 30 groups"), std::string::npos);
  FitOptions both = plain;
  both.choice.blocks = true;
  EXPECT_NE(complaint(both).find("groups and blocks exclude each other"), std::string::npos);
  data.weights.assign(240, 1.0);
  for (std::size_t i = 0; i < 240; ++i) {
    if (data.groups[i] > 2) data.weights[i] = 0.0;
  }
  EXPECT_NE(complaint(options_of("shrimp", 4)).find("folds 4 is more than the 3 groups"), std::string::npos);
  data.weights.clear();
  data.groups.assign(240, 4);
  EXPECT_NE(complaint(plain).find("all 240 rows belong to one group"), std::string::npos);
  data.groups.pop_back();
  EXPECT_NE(complaint(plain).find("the number of groups differs from the number of rows"), std::string::npos);
}

bool warns_of_neighbours(const FitResult& result) {
  return std::ranges::any_of(result.warnings,
                             [](const std::string& warning) { return warning.starts_with("neighbouring rows"); });
}

// y follows x1, and a slow wave of time that no input tells.
Dataset waving(std::size_t rows) {
  Dataset data = test::make_dataset(rows, 3, 4);
  for (std::size_t i = 0; i < rows; ++i) data.y[i] += std::sin(static_cast<double>(i) / 20.0);
  return data;
}

TEST(Fit, SaysWhereNeighboursHaveSimilarResiduals) {
  const FitOptions options = options_of("auto");
  const FitResult result = fit(waving(400), options);
  ASSERT_TRUE(warns_of_neighbours(result));
  EXPECT_NE(result.warnings.front().find("For time series, use option blocks"), std::string::npos);
  EXPECT_FALSE(warns_of_neighbours(fit(test::make_dataset(400, 3, 4, 1.0), options)));
}

TEST(Fit, SaysNothingOfNeighboursWhereItIsToldOfThemOrTheRowsHaveNoOrder) {
  FitOptions options = options_of("shrimp");
  Dataset data = waving(400);
  options.choice.blocks = true;
  EXPECT_FALSE(warns_of_neighbours(fit(data, options)));
  options.choice.blocks = false;
  data.weights.assign(400, 1.0);
  EXPECT_FALSE(warns_of_neighbours(fit(data, options)));
  data.weights.clear();
  for (std::uint32_t i = 0; i < 400; ++i) data.groups.push_back(i / 10);
  EXPECT_FALSE(warns_of_neighbours(fit(data, options)));
}

}  // namespace dependent_rows_test
}  // namespace shrimp

#include "shrimp/report.hpp"

#include <fmt/format.h>

#include <array>

#include "data/class_scores.hpp"
#include "report/test_rows.hpp"
#include "support.hpp"

namespace shrimp {
namespace page_test {

using test::contains;
using test::message_of;

Model fitted(std::size_t inputs = 4, std::vector<int> orders = {1, 2}, std::size_t features = 40) {
  FitOptions options;
  options.method = "min-l2";
  options.orders = {std::move(orders)};
  options.draw.features = features;
  return fit(test::make_dataset(150, inputs, 3), options).model;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t k = text.find(part); k != std::string::npos; k = text.find(part, k + part.size())) ++found;
  return found;
}

TestRows tested(const Model& model, std::size_t rows, std::size_t block) {
  const Dataset data = test::make_dataset(rows, model.inputs.size(), 5);
  TestRows test(model, "test.csv");
  for (std::size_t first = 0; first < rows; first += block) {
    const std::size_t own = std::min(block, rows - first);
    test.add({data.X.data() + first, own, data.X.cols(), data.X.rows()}, std::span(data.y).subspan(first, own), 1);
  }
  return test;
}

TEST(ReportPage, HasAllPartsInTheirOrder) {
  const std::string page = report_page(fitted());
  std::size_t before = 0;
  for (const char* id : {"good", "terms", "inputs", "pairs", "higher", "test", "path", "made", "load"}) {
    const std::size_t place = page.find("<section id=\"" + std::string(id));
    ASSERT_NE(place, std::string::npos) << id;
    EXPECT_GT(place, before);
    before = place;
    EXPECT_PRED2(contains, page, "<a href=\"#" + std::string(id) + "\">");
  }
  EXPECT_EQ(count(page, "<figure "), 4U + 6U);
}

TEST(ReportPage, NeedsNothingBesideItself) {
  const Model model = fitted();
  const TestRows test = tested(model, 100, 100);
  ReportOptions options;
  options.test = &test;
  const std::string page = report_page(model, options);
  for (const char* other : {"http:", "https:", "//cdn", "url(", "@import", "<link", "<img", "<iframe", " src="}) {
    EXPECT_FALSE(contains(page, other)) << other;
  }
}

TEST(ReportPage, IsTheSameForTheSameModelAndThreads) {
  const Model model = fitted();
  EXPECT_EQ(report_page(model), report_page(model));
}

TEST(ReportPage, DoesNotDependOnHowTheRowsCome) {
  const Model model = fitted();
  const TestRows whole = tested(model, 45000, 45000);
  const TestRows parts = tested(model, 45000, 8192);
  const auto rows = [](const TestRows& test) {
    std::vector<std::size_t> numbers;
    for (const TestedRow& row : test.content().sample(20000)) numbers.push_back(row.row);
    return numbers;
  };
  EXPECT_EQ(rows(whole).size(), 20000U);
  EXPECT_EQ(rows(whole), rows(parts));
  EXPECT_EQ(whole.content().scores.scores().rows, 45000U);
  EXPECT_NEAR(whole.content().scores.scores().mse, parts.content().scores.scores().mse, 1e-12);
}

TEST(ReportPage, KeepsNamesFromBreakingOut) {
  Model model = fitted();
  model.inputs = {"<script>alert(1)</script>", "\"quoted' & {0}", "c-->", "</style>"};
  model.target = "</script><b>";
  const TestRows test = tested(model, 30, 30);
  ReportOptions options;
  options.test = &test;
  options.model_file = "<i>'; rm -rf.json";
  const std::string page = report_page(model, options);
  EXPECT_EQ(count(page, "<script"), 1U);
  EXPECT_EQ(count(page, "</script>"), 1U);
  EXPECT_EQ(count(page, "</style>"), 1U);
  EXPECT_FALSE(contains(page, "<i>"));
  EXPECT_FALSE(contains(page, "<b>\n"));
  EXPECT_PRED2(contains, page, "&lt;script&gt;alert(1)&lt;/script&gt;");
  EXPECT_PRED2(contains, page, "{{0}");  // No place for a number.
}

TEST(ReportPage, RefusesNamesThatAreNoUtf8) {
  Model model = fitted();
  model.target = "\xff";
  EXPECT_PRED2(contains, message_of<DataError>([&] { (void)report_page(model); }), "UTF-8");
}

TEST(ReportPage, StaysBelowAMegabyteAndNamesWhatItLeavesOut) {
  Model model = fitted(40, {1, 2}, 700);
  for (std::string& name : model.inputs) name += " of the measurement at the second station";
  ASSERT_GT(model.terms.size(), 300U);
  const TestRows test = tested(model, 2000, 2000);
  ReportOptions options;
  options.test = &test;
  const std::string page = report_page(model, options);
  EXPECT_LT(page.size(), 1000000U);
  test::expect_parts(page, {"more pairs", "To keep the page small", "more terms"});
  std::size_t links = 0;
  const std::string start = "<a href=\"#";
  for (std::size_t k = page.find(start); k != std::string::npos; k = page.find(start, k + 1), ++links) {
    const std::size_t name = k + start.size();
    const std::string id = page.substr(name, page.find('"', name) - name);
    EXPECT_PRED2(contains, page, " id=\"" + id + "\"");
  }
  EXPECT_GT(links, 9U + 20U);
}

TEST(ReportPage, SaysWhatAModelWithoutMarginalsLacks) {
  Model model = fitted();
  model.marginals.clear();
  const std::string page = report_page(model);
  test::expect_parts(page, {"Effect plots need the marginal distributions", "There are no Sobol' indices"});
  EXPECT_EQ(count(page, "<figure "), 0U);
}

TEST(ReportPage, OfAConstantHasNoTerms) {
  Model model;
  model.inputs = {"a"};
  model.target = "y";
  model.method = "auto";
  model.scaling = Scaling::none(1);
  model.marginals.resize(1);
  test::expect_parts(report_page(model),
                     {"its prediction is the same for all inputs", "The model file contains no errors"});
}

TEST(ReportPage, TellsThatAFileHasNoIntervals) {
  Model model = fitted();
  model.uncertainty.reset();
  const TestRows test = tested(model, 30, 30);
  ReportOptions options;
  options.test = &test;
  const std::string page = report_page(model, options);
  test::expect_parts(
      page, {"Fractions and curves have no intervals, because this model file has none", "no prediction intervals"});
  EXPECT_FALSE(contains(page, "90 % interval"));
}

TEST(ReportPage, CountsTheRowsWithinTheirIntervals) {
  FitOptions options;
  options.method = "auto";
  options.terms.quick_error = true;
  const Model model = fit(test::make_dataset(300, 3, 3, 0.3), options).model;
  ASSERT_TRUE(model.uncertainty);
  const Dataset data = test::make_dataset(500, 3, 5, 0.3);
  TestRows test(model, "test.csv");
  test.add(data.X, data.y, 1);
  const PredictionIntervals intervals = predict_intervals(model, data.X, 0.8, 1);
  std::size_t within = 0;
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    within += data.y[i] >= intervals.lower[i] && data.y[i] <= intervals.upper[i] ? 1 : 0;
  }
  ReportOptions page_options;
  page_options.test = &test;
  const std::string page = report_page(model, page_options);
  EXPECT_PRED2(contains, page, fmt::format("<td>80 %</td><td>{:.1f} %</td>", static_cast<double>(within) / 5.0));
  test::expect_parts(page, {"90 % interval", "The band is a pointwise 90 % interval"});
}

TEST(ReportPage, TellsTheErrorsOfTheTestTable) {
  const Model model = fitted();
  const Dataset data = test::make_dataset(200, 4, 5);
  TestRows test(model, "test.csv");
  test.add(data.X, data.y, 1);
  ReportOptions options;
  options.test = &test;
  const double mse = test::mean_squared_error(model.predict(data.X), data.y);
  const std::string page = report_page(model, options);
  EXPECT_PRED2(contains, page, fmt::format("<b>{:.4g}</b><span>root mean squared error", std::sqrt(mse)));
  test::expect_parts(
      page, {"Absolute errors on 200 rows of test.csv", "Calibration", "The 10 rows with the largest absolute errors"});
  EXPECT_PRED2(contains, message_of<std::invalid_argument>([&] { test.add(data.X, std::vector<double>(3), 1); }),
               "200");
}

// y = 1 where the noisy sum of two inputs is positive; counts with a rate that grows with the sum.
Dataset made_data(std::size_t rows, std::uint64_t seed, bool counts) {
  Dataset data = test::make_dataset(rows, 3, seed);
  const std::vector<double> noise = test::random_vector(rows, seed + 1);
  for (std::size_t i = 0; i < rows; ++i) {
    const double sum = 1.5 * data.X(i, 0) - data.X(i, 1) + noise[i];
    data.y[i] = counts ? std::floor(std::exp(0.5 + 0.7 * sum)) : (sum > 0.0 ? 1.0 : 0.0);
  }
  if (!counts) data.classes = {"down", "up"};
  return data;
}

Model fitted_by(Loss loss) {
  FitOptions options;
  options.loss = loss;
  options.terms.max_order = 1;
  options.terms.quick_error = true;
  options.terms.warps_inputs = false;
  return fit(made_data(120, 3, loss == Loss::poisson), options).model;
}

TEST(ReportPage, OfClassesHasTheScoresOfProbabilities) {
  const Model model = fitted_by(Loss::logistic);
  const Dataset data = made_data(200, 9, false);
  TestRows test(model, "test.csv");
  test.add(data.X, data.y, 1);
  ReportOptions options;
  options.test = &test;
  const ClassScores scores = score_classes(model.predict(data.X), data.y);
  const std::string page = report_page(model, options);
  EXPECT_PRED2(contains, page, fmt::format("<b>{:.4g}</b><span>log loss on the test table test.csv", scores.log_loss));
  EXPECT_PRED2(contains, page, fmt::format("<b>{:.3f}</b><span>AUC", scores.auc));
  test::expect_parts(page, {"ROC curve", "Calibration", "Confusion matrix", "log odds of up", "ShrimpClassifier.load",
                            "predict_proba"});
  for (const char* of_numbers :
       {"R²", "root mean squared", "observed − predicted", "<h3>Intervals", "ShrimpRegressor"}) {
    EXPECT_FALSE(contains(page, of_numbers)) << of_numbers;
  }
  test::expect_parts(report_page(model), {"log loss on the held-out rows", "the same of the baseline"});
}

TEST(ReportPage, CountsObservedAndPredictedClasses) {
  const Model model = fitted_by(Loss::logistic);
  const Dataset data = made_data(200, 9, false);
  TestRows test(model, "test.csv");
  std::array<std::array<int, 2>, 2> counts = {};
  const std::vector<double> probability = model.predict(data.X);
  for (std::size_t i = 0; i < 200; ++i) ++counts[data.y[i] == 1.0 ? 1 : 0][probability[i] > 0.5 ? 1 : 0];
  test.add(data.X, data.y, 1);
  ReportOptions options;
  options.test = &test;
  const std::string page = report_page(model, options);
  for (const int k : {0, 1}) {
    EXPECT_PRED2(contains, page,
                 fmt::format("{}</td><td>{}</td><td>{}</td>", k == 0 ? "down" : "up", counts[k][0], counts[k][1]));
  }
}

TEST(ReportPage, OfOneClassHasNoRocCurve) {
  const Model model = fitted_by(Loss::logistic);
  Dataset data = made_data(30, 9, false);
  std::ranges::fill(data.y, 1.0);
  TestRows test(model, "test.csv");
  test.add(data.X, data.y, 1);
  ReportOptions options;
  options.test = &test;
  const std::string page = report_page(model, options);
  EXPECT_PRED2(contains, page, "Confusion matrix");
  EXPECT_FALSE(contains(page, "ROC curve"));
  EXPECT_FALSE(contains(page, "nan"));
  data.y[2] = 0.5;
  EXPECT_PRED2(contains, message_of<std::invalid_argument>([&] { test.add(data.X, data.y, 1); }), "row 3: 0.5");
}

TEST(ReportPage, OfCountsHasTheDevianceAndTheExpectedCounts) {
  const Model model = fitted_by(Loss::poisson);
  const Dataset data = made_data(200, 9, true);
  const std::vector<double> twice(200, 2.0);
  std::vector<double> expected = model.predict(data.X);
  for (double& mean : expected) mean *= 2.0;
  TestRows test(model, "test.csv");
  test.add(data.X, data.y, twice, 1);
  ReportOptions options;
  options.test = &test;
  const std::string page = report_page(model, options);
  EXPECT_PRED2(
      contains, page,
      fmt::format("<b>{:.4g}</b><span>deviance on the test table test.csv", poisson_deviance(expected, data.y)));
  test::expect_parts(page, {"dispersion", "orange: expected by the model", "Calibration"});
  for (const char* of_numbers : {"R²", "root mean squared"}) {
    EXPECT_FALSE(contains(page, of_numbers)) << of_numbers;
  }
  EXPECT_PRED2(contains,
               message_of<std::invalid_argument>([&] { test.add(data.X, data.y, std::vector<double>(200, 0.0), 1); }),
               "exposure 0");
}

TEST(ReportPage, CountsRowsBeforeEqualOnesAreMerged) {
  Dataset data = test::make_dataset(60, 3, 3);
  Dataset repeated = data;
  repeated.X = Matrix(90, 3);
  for (std::size_t i = 0; i < 90; ++i) {
    for (std::size_t j = 0; j < 3; ++j) repeated.X(i, j) = data.X(i % 60, j);
    if (i >= 60) repeated.y.push_back(data.y[i - 60]);
  }
  FitOptions options;
  options.method = "min-l2";
  options.draw.features = 20;
  const Model model = fit(repeated, options).model;
  EXPECT_EQ(model.results.at("rows"), 60.0);
  EXPECT_EQ(model.results.at("rows_given"), 90.0);
  EXPECT_PRED2(contains, report_page(model), "fitted to 90 rows");
  EXPECT_FALSE(fit(data, options).model.results.contains("rows_given"));
}

TEST(ReportPage, DrawsThePathAndTheSelectedStep) {
  const Model model = fitted();
  ReportOptions options;
  EXPECT_PRED2(contains, report_page(model, options), "shrimp path TRAIN.csv --target y");
  for (std::size_t k = 0; k < 5; ++k) {
    PathRecord record;
    record.step = k;
    record.basis_functions = std::size_t{100} >> k;
    record.train_mse = 0.1;
    record.validation_mse = 0.2 + 0.01 * static_cast<double>(k);
    options.path.push_back(record);
  }
  options.chosen = 2;
  EXPECT_PRED2(contains, report_page(model, options), "from 100 to 6; 25 were selected");
  options.chosen = 5;
  EXPECT_PRED2(contains, message_of<std::invalid_argument>([&] { (void)report_page(model, options); }), "5");
}

}  // namespace page_test
}  // namespace shrimp

#include "shrimp/intervals.hpp"

#include <functional>

#include "support.hpp"

namespace shrimp {
namespace intervals_test {

FitOptions quick() {
  FitOptions options;
  options.terms.quick_error = true;
  return options;
}

// y = g(3 sin 2 x1 + x2 + 0.4 normal noise), x uniform on (−1, 1).
Dataset noisy(std::size_t rows, std::uint64_t seed, const std::function<double(double)>& g = std::identity()) {
  Dataset data;
  data.inputs = {"x1", "x2", "x3"};
  data.target = "y";
  data.X = test::random_matrix(rows, 3, seed);
  std::mt19937_64 engine(seed + 100);
  std::normal_distribution<double> normal(0.0, 0.4);
  for (std::size_t i = 0; i < rows; ++i) {
    data.y.push_back(g(3.0 * std::sin(2.0 * data.X(i, 0)) + data.X(i, 1) + normal(engine)));
  }
  return data;
}

double covered(const PredictionIntervals& found, std::span<const double> y) {
  double inside = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) inside += found.lower[i] <= y[i] && y[i] <= found.upper[i] ? 1.0 : 0.0;
  return inside / static_cast<double>(y.size());
}

void expect_coverage(const Model& model, const Dataset& test, double tolerance) {
  for (const double level : {0.5, 0.8, 0.95}) {
    EXPECT_NEAR(covered(predict_intervals(model, test.X, level), test.y), level, tolerance) << level;
  }
}

// Of 200 rows quantiles have a deviation of 0.035 in the middle.
TEST(Intervals, HoldTheShareOfNewRowsThatTheySay) {
  const Dataset test = noisy(2000, 50);
  for (const bool quickly : {true, false}) {
    FitOptions options;
    options.terms.quick_error = quickly;
    expect_coverage(fit(noisy(200, 1), options).model, test, 0.08);
  }
}

TEST(Intervals, HoldItForOtherMethodsAndWaysToChoose) {
  const Dataset test = noisy(2000, 50);
  const Dataset validation = noisy(200, 60);
  for (const char* method : {"shrimp", "min-l2", "lasso", "krr"}) {
    FitOptions options;
    options.method = method;
    options.draw.features = 30;
    options.choice.folds = 4;
    expect_coverage(fit(noisy(300, 1), options).model, test, 0.1);
    options.choice.folds = 0;
    expect_coverage(fit(noisy(300, 1), options, &validation).model, test, 0.1);
  }
}

TEST(Intervals, HoldItForATargetByItsLogarithm) {
  const auto g = [](double z) { return std::exp(z); };
  FitOptions options = quick();
  options.terms.target_form = TargetForm::log;
  const Model model = fit(noisy(300, 1, g), options).model;
  const Dataset test = noisy(2000, 50, g);
  expect_coverage(model, test, 0.07);
  EXPECT_GT(std::ranges::min(predict_intervals(model, test.X, 0.99).lower), 0.0);
}

TEST(Intervals, OfExactFitsAreAsNarrowAsTheirErrors) {
  Dataset train = test::make_dataset(300, 3, 1, 0.0);
  const Model model = fit(train, {}).model;
  EXPECT_FALSE(knows_coefficients(model));
  const Dataset test = test::make_dataset(1000, 3, 7, 0.0);
  const PredictionIntervals found = predict_intervals(model, test.X, 0.9);
  EXPECT_GT(covered(found, test.y), 0.75);
  EXPECT_LT(found.upper[0] - found.lower[0], 1e-4);
}

TEST(Intervals, LieAboutWhatPredictSays) {
  const Model model = fit(noisy(200, 1), quick()).model;
  const Matrix X = test::random_matrix(700, 3, 4);
  const PredictionIntervals found = predict_intervals(model, X, 0.9);
  const PredictionIntervals wider = predict_intervals(model, X, 0.95);
  test::expect_near(found.prediction, model.predict(X), 1e-12);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    EXPECT_NEAR(0.5 * (found.lower[i] + found.upper[i]), found.prediction[i], 1e-9);
    EXPECT_LE(wider.lower[i], found.lower[i]);
    EXPECT_GE(wider.upper[i], found.upper[i]);
  }
}

TEST(Intervals, GrowWithTheDistanceFromTheTrainingRange) {
  const Model model = fit(noisy(200, 1), quick()).model;
  Matrix X(4, 3);
  X(1, 0) = 2.0;
  X(2, 0) = 4.0;
  X(3, 2) = 9.0;  // Does nothing.
  const std::vector<double> s = predict_standard_deviations(model, X);
  EXPECT_GT(s[1], 1.5 * s[0]);
  EXPECT_GT(s[2], 1.5 * s[1]);
  EXPECT_NEAR(s[3], s[0], 1e-12);
}

TEST(Intervals, AreTheSameWithAnyNumberOfThreads) {
  const Model model = fit(noisy(200, 1), quick()).model;
  const Matrix X = test::random_matrix(2000, 3, 4);
  EXPECT_EQ(predict_intervals(model, X, 0.9, 1).upper, predict_intervals(model, X, 0.9, 3).upper);
}

TEST(Intervals, OfAModelOfNoTermsAreThoseOfTheTarget) {
  Dataset data = noisy(200, 1);
  std::mt19937_64 engine(9);
  std::normal_distribution<double> normal;
  for (double& y : data.y) y = normal(engine);
  const Model model = fit(data, quick()).model;
  ASSERT_TRUE(model.terms.empty());
  const PredictionIntervals found = predict_intervals(model, data.X, 0.9);
  EXPECT_NEAR(found.upper[0] - found.lower[0], 2.0 * 1.645, 0.7);
}

TEST(Intervals, RefuseLevelsThatAreNoShares) {
  const Model model = fit(noisy(60, 1), quick()).model;
  for (const double level : {0.0, 1.0, 2.0, -0.5, std::nan("")}) {
    test::expect_parts(test::message_of<OptionError>([&] { (void)predict_intervals(model, Matrix(1, 3), level); }),
                       {"between 0 and 1"});
  }
  EXPECT_THROW((void)predict_intervals(model, Matrix(1, 2), 0.9), std::invalid_argument);
  EXPECT_EQ(level_warning(model, 0.9), "");
  test::expect_parts(level_warning(model, 0.999), {"0.9836", "0.999"});
}

TEST(Intervals, AreNotToldByModelsOfOlderFiles) {
  Model model = fit(noisy(60, 1), quick()).model;
  model.uncertainty.reset();
  test::expect_parts(test::message_of<ModelFileError>([&] { (void)predict_intervals(model, Matrix(1, 3), 0.9); }),
                     {"the model has no intervals", "Fit the model again"});
  EXPECT_THROW((void)predict_standard_deviations(model, Matrix(1, 3)), ModelFileError);
}

// A line c·(x − mean) has the deviation |x − mean|·sd(c), of which bands have 1.2 times, as columns were chosen, too.
TEST(TermBand, OfALineIsThatOfItsSlope) {
  Model model;
  model.inputs = {"x1", "x2"};
  model.scaling = Scaling::none(2);
  model.scaling.target_scale = 2.0;
  const std::uint32_t variable = 1;
  const double one = 1.0;
  model.dictionary.weights.append({&variable, 1}, {&one, 1});
  model.dictionary.rows = {0};
  model.dictionary.functions = {Function::identity};
  model.coefficients = {3.0};
  model.marginals = {{}, {{1.0, 2.0, 6.0}, {0.25, 0.5, 0.25}}};  // Of mean 2.75.
  model.uncertainty = Uncertainty{1.0, 1.0, {5.0F, 0.3F, 7.0F, 0.4F}, {0.5}, {0.7}};
  Matrix points(2, 1);
  points(0, 0) = 2.75;
  points(1, 0) = 4.75;
  const TermBand band = term_band(model, {1}, points, 0.9);
  test::expect_near(band.value, std::vector{0.0, 12.0}, 1e-12);
  const double half = 1.2 * 1.6448536269514722 * 2.0 * 2.0 * 0.5;
  test::expect_near(band.upper, std::vector{0.0, 12.0 + half}, 1e-6);
  test::expect_near(band.lower, std::vector{0.0, 12.0 - half}, 1e-6);
  EXPECT_THROW((void)term_band(model, {0, 1}, points), std::invalid_argument);
  EXPECT_THROW((void)term_band(model, {1}, points, 1.5), OptionError);
  model.uncertainty.reset();
  EXPECT_EQ(term_band(model, {1}, points).upper, band.value);
}

// 90 % of the points of 3 sin 2 x1, less its mean, lie in bands of 90 %, taken over 6 fits.
TEST(TermBand, HoldsTheTruth) {
  Matrix points(21, 1);
  for (std::size_t i = 0; i < 21; ++i) points(i, 0) = -1.0 + 0.1 * static_cast<double>(i);
  double inside = 0.0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Model model = fit(noisy(120, 10 * seed), quick()).model;
    const std::vector<double>& values = model.marginals[0].values;
    double mean = 0.0;
    for (const double x : values) mean += 3.0 * std::sin(2.0 * x) / static_cast<double>(values.size());
    const TermBand band = term_band(model, {0}, points);
    for (std::size_t i = 0; i < 21; ++i) {
      const double truth = 3.0 * std::sin(2.0 * points(i, 0)) - mean;
      inside += band.lower[i] <= truth && truth <= band.upper[i] ? 1.0 / (6 * 21) : 0.0;
    }
  }
  EXPECT_GT(inside, 0.75);
}

TEST(ShareIntervals, HoldTheShareAndNarrowWithRows) {
  const auto width = [](std::size_t rows) {
    const Sensitivity found = sensitivity(fit(noisy(rows, 1), quick()).model);
    const SobolIndex& first = found.inputs[0].first;
    EXPECT_LT(*first.low, first.value);
    EXPECT_GT(*first.high, first.value);
    EXPECT_EQ(found.inputs[2].total.value, 0.0);
    EXPECT_EQ(*found.inputs[2].total.low, 0.0);
    EXPECT_GT(*found.inputs[2].total.high, 0.0);
    EXPECT_LT(*found.inputs[2].total.high, 2.0 / static_cast<double>(rows));
    EXPECT_GE(*found.terms[0].fraction.high, found.terms[0].fraction.value);
    return *first.high - *first.low;
  };
  const double ratio = width(80) / width(720);
  EXPECT_GT(ratio, 2.0);
  EXPECT_LT(ratio, 5.0);  // √9 is 3.
}

TEST(ShareIntervals, OverRowsAreAboutThoseOfIndependentInputs) {
  const Dataset data = noisy(300, 1);
  const Model model = fit(data, quick()).model;
  const Sensitivity rows = sensitivity_on(model, data.X);
  const Sensitivity laws = sensitivity(model);
  const SobolIndex& own = rows.inputs[0].first;
  const SobolIndex& other = laws.inputs[0].first;
  EXPECT_LT(*own.low, own.value);
  EXPECT_NEAR((*own.high - *own.low) / (*other.high - *other.low), 1.0, 0.5);
}

TEST(Update, RefreshesHowSureTheModelIs) {
  const Model model = fit(noisy(300, 1), quick()).model;
  const auto refitted = [&](std::size_t rows) {
    const Dataset data = noisy(rows, 1);
    SummaryMaker maker(model, {});
    maker.add(data.X, data.y);
    return refit(model, maker.finish());
  };
  const Matrix X = test::random_matrix(50, 3, 4);
  EXPECT_NEAR(refitted(300).uncertainty->noise / model.uncertainty->noise, 1.0, 0.1);
  test::expect_near(predict_standard_deviations(refitted(300), X), predict_standard_deviations(model, X), 0.05);
  // The same columns, of more rows: a band is narrower as the root of their number.
  const TermBand few = term_band(refitted(300), {0}, Matrix(MatrixView{X.data(), 50, 1, 50}));
  const TermBand many = term_band(refitted(4800), {0}, Matrix(MatrixView{X.data(), 50, 1, 50}));
  EXPECT_NEAR((few.upper[0] - few.lower[0]) / (many.upper[0] - many.lower[0]), 4.0, 1.0);
}

}  // namespace intervals_test
}  // namespace shrimp

// The automatic method as a caller of fit sees it.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support.hpp"

namespace shrimp {
namespace auto_fit_test {

using test::expect_parts;
using test::message_of;
using test::Random;

using Variables = std::vector<std::uint32_t>;
using Function3 = double (*)(double, double, double);

Dataset sample(std::size_t rows, std::size_t d, Function3 f, double noise, std::uint64_t seed) {
  Random random(seed);
  Dataset data;
  data.target = "y";
  for (std::size_t j = 0; j < d; ++j) data.inputs.push_back("x" + std::to_string(j + 1));
  data.X = Matrix(rows, d);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < d; ++j) data.X(i, j) = random();
    double error = 0.0;
    for (int k = 0; k < 12; ++k) error += 0.5 * random();  // Nearly normal, of variance 1.
    data.y.push_back(f(data.X(i, 0), data.X(i, 1), data.X(i, 2)) + noise * error);
  }
  return data;
}

double error_on(const Model& model, const Dataset& data) {
  return test::mean_squared_error(model.predict(data.X), data.y);
}

std::set<std::vector<std::uint32_t>> terms_above(const Model& model, double share) {
  std::set<std::vector<std::uint32_t>> terms;
  for (const Term& term : model.terms) {
    if (term.fraction > share) terms.insert(term.variables);
  }
  return terms;
}

double pair_and_line(double a, double b, double c) { return std::cos(2 * a) * c + 2 * b; }

TEST(AutoFit, IsTheDefault) { EXPECT_EQ(FitOptions{}.method, "auto"); }

TEST(AutoFit, FindsTermsOfMixedOrderToFullAccuracyWithoutNoise) {
  const FitResult result = fit(sample(400, 12, pair_and_line, 0.0, 1), {});
  EXPECT_LT(error_on(result.model, sample(400, 12, pair_and_line, 0.0, 2)), 1e-18);
  // Over rows whose inputs do not have mean 0 exactly, the pair has a small effect of one input.
  EXPECT_EQ(terms_above(result.model, 1e-3), (std::set<std::vector<std::uint32_t>>{{1}, {2}, {0, 2}}));
  EXPECT_EQ(result.ridge, 0.0);
}

TEST(AutoFit, FindsATripleOfInputsThatHaveNoOtherEffect) {
  const auto product = [](double a, double b, double c) { return a * b * c; };
  const FitResult result = fit(sample(500, 8, product, 0.0, 3), {});
  EXPECT_LT(error_on(result.model, sample(300, 8, product, 0.0, 4)), 1e-12);
  // Over rows whose inputs do not have mean 0 exactly, the product has small effects of lower order.
  EXPECT_EQ(terms_above(result.model, 1e-2), (std::set<std::vector<std::uint32_t>>{{0, 1, 2}}));
  FitOptions pairs;
  pairs.terms.max_order = 2;
  EXPECT_GT(error_on(fit(sample(500, 8, product, 0.0, 3), pairs).model, sample(300, 8, product, 0.0, 4)), 0.03);
}

TEST(AutoFit, FindsJumpsWithAColumnEach) {
  const auto steps = [](double a, double b, double c) {
    return (a > 0.3 ? 2.0 : 0.0) + std::sin(2.0 * b) + (c < -0.5 ? 0.5 : 0.0);
  };
  const FitResult result = fit(sample(600, 5, steps, 0.1, 5), {});
  EXPECT_LT(result.model.coefficients.size(), 15U);
  EXPECT_EQ(std::ranges::count(result.model.dictionary.functions, Function::step), 2);
  EXPECT_LT(error_on(result.model, sample(400, 5, steps, 0.0, 6)), 0.02);
}

TEST(AutoFit, ComesNearTheTruthThroughNoise) {
  const FitResult result = fit(sample(600, 12, pair_and_line, 0.2, 5), {});
  EXPECT_LT(error_on(result.model, sample(400, 12, pair_and_line, 0.0, 6)), 0.004);  // A tenth of the noise's 0.04.
  EXPECT_EQ(terms_above(result.model, 0.01), (std::set<std::vector<std::uint32_t>>{{1}, {2}, {0, 2}}));
  EXPECT_GT(result.ridge, 0.0);
  for (const Term& term : result.model.terms) {
    if (term.basis_functions > 0) {
      ASSERT_TRUE(term.p_value.has_value());
      EXPECT_LT(*term.p_value, 0.01);
    }
  }
}

// Forced into the model, terms without an effect have large p-values beside terms with one.
TEST(AutoFit, GivesTermsPValuesGivenTheOthers) {
  FitOptions options;
  options.terms.include = {{"x4"}, {"x5"}};
  options.terms.max_order = 2;
  options.terms.quick_error = true;
  const FitResult result = fit(sample(300, 6, pair_and_line, 0.2, 5), options);
  for (const Term& term : result.model.terms) {
    ASSERT_TRUE(term.p_value.has_value());
    const bool has_effect =
        term.variables == Variables{1} || term.variables == Variables{2} || term.variables == Variables{0, 2};
    if (has_effect) {
      EXPECT_LT(*term.p_value, 1e-6);
    }
    if (term.variables == Variables{3} || term.variables == Variables{4}) {
      EXPECT_GT(*term.p_value, 0.05);
    }
  }
}

TEST(AutoFit, GivesExactFitsNoPValues) {
  FitOptions options;
  options.terms.quick_error = true;
  for (const Term& term : fit(sample(200, 4, pair_and_line, 0.0, 5), options).model.terms) EXPECT_FALSE(term.p_value);
}

TEST(AutoFit, FindsNothingInNoise) {
  const auto nothing = [](double, double, double) { return 5.0; };
  std::size_t with_terms = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const FitResult result = fit(sample(200, 10, nothing, 1.0, 100 + seed), {});
    with_terms += result.model.terms.empty() ? 0 : 1;
    if (!result.model.terms.empty()) continue;
    EXPECT_NEAR(result.model.predict(Matrix(1, 10)).front(), 5.0, 0.3);
  }
  EXPECT_LE(with_terms, 1U);
}

// None of the twenty lines stands out alone.
TEST(AutoFit, FindsManyWeakLinesTogether) {
  Dataset data = sample(150, 40, pair_and_line, 0.0, 7);
  Random random(8);
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    data.y[i] = 0.0;
    for (std::size_t j = 0; j < 40; ++j) data.y[i] += 0.3 * data.X(i, j);
    for (int k = 0; k < 12; ++k) data.y[i] += 0.75 * random();
  }
  const FitResult result = fit(data, {});
  EXPECT_GT(result.model.terms.size(), 10U);
}

TEST(AutoFit, GivesTheSameModelWithAnyNumberOfThreads) {
  const Dataset data = sample(300, 8, pair_and_line, 0.1, 9);
  FitOptions one;
  one.machine.threads = 1;
  FitOptions three;
  three.machine.threads = 3;
  EXPECT_EQ(to_json(fit(data, one).model), to_json(fit(data, three).model));
}

TEST(AutoFit, PredictsTheSameAfterAWayThroughTheFile) {
  const Dataset data = sample(300, 8, pair_and_line, 0.1, 10);
  const Model model = fit(data, {}).model;
  const Model read = model_from_json(to_json(model), "text");
  EXPECT_EQ(model.predict(data.X), read.predict(data.X));
  EXPECT_EQ(to_json(read), to_json(model));
}

TEST(AutoFit, TakesInputsFarOutsideTheirRangeAsIfAtItsEdge) {
  const Dataset data = sample(300, 5, pair_and_line, 0.1, 11);
  Matrix far(2, 5);
  far(0, 1) = 1.2;  // The range is within ±1, with a margin of a twentieth of it.
  far(1, 1) = 1000.0;
  const std::vector<double> clipped = fit(data, {}).model.predict(far);
  EXPECT_EQ(clipped[0], clipped[1]);
  FitOptions open;
  open.terms.clip.reset();
  const std::vector<double> values = fit(data, open).model.predict(far);
  EXPECT_NE(values[0], values[1]);
}

TEST(AutoFit, OfNoisyDataStaysWithinTheTargetsRange) {
  const Dataset data = sample(300, 5, pair_and_line, 0.3, 11);
  const Model model = fit(data, {}).model;
  const auto [lowest, highest] = std::ranges::minmax(data.y);
  ASSERT_TRUE(model.scaling.target_lowest.has_value());
  EXPECT_NEAR(*model.scaling.target_lowest, lowest - 0.05 * (highest - lowest), 1e-9);
  EXPECT_NEAR(*model.scaling.target_highest, highest + 0.05 * (highest - lowest), 1e-9);
  Model narrow = model;
  narrow.scaling.target_lowest = -0.5;
  narrow.scaling.target_highest = 0.5;
  for (const double value : narrow.predict(data.X)) EXPECT_LE(std::abs(value), 0.5);
}

TEST(AutoFit, OfNearlyCleanDataMayGoBeyondTheTargetsRange) {
  for (const double noise : {0.0, 0.05}) {
    EXPECT_FALSE(fit(sample(400, 5, pair_and_line, noise, 1), {}).model.scaling.target_lowest.has_value()) << noise;
  }
}

TEST(AutoFit, RowsOfHardlyAnyWeightHardlyCount) {
  Dataset weighted = sample(200, 5, pair_and_line, 0.3, 12);
  weighted.weights.assign(200, 1.0);
  for (std::size_t i = 0; i < 100; ++i) weighted.weights[i] = 1e-9;
  Dataset half = sample(200, 5, pair_and_line, 0.3, 12);
  half.X = Matrix(MatrixView{half.X.data() + 100, 100, 5, 200});
  half.y.erase(half.y.begin(), half.y.begin() + 100);
  const Dataset test = sample(200, 5, pair_and_line, 0.0, 13);
  FitOptions options;
  options.terms.include = {{"x1", "x3"}, {"x2"}};
  options.terms.max_terms = 2;
  options.prune.ridge = 0.1;
  const std::vector<double> a = fit(weighted, options).model.predict(test.X);
  const std::vector<double> b = fit(half, options).model.predict(test.X);
  EXPECT_LT(test::mean_squared_error(a, b), 0.01);
}

TEST(AutoFit, KeepsIncludedTermsAndLeavesExcludedOnesOut) {
  const Dataset data = sample(300, 8, pair_and_line, 0.1, 14);
  FitOptions options;
  options.terms.include = {{"x5", "x6"}, {"x8"}};
  options.terms.exclude = {{"x2"}};
  const Model model = fit(data, options).model;
  std::set<std::vector<std::uint32_t>> with_columns;
  for (const Term& term : model.terms) {
    if (term.basis_functions > 0) with_columns.insert(term.variables);
    EXPECT_EQ(std::ranges::find(term.variables, 1U), term.variables.end());
  }
  EXPECT_TRUE(with_columns.contains({4, 5}));
  EXPECT_TRUE(with_columns.contains({7}));
  options.terms.include = {{"x1*x9"}};
  expect_parts(message_of<OptionError>([&] { (void)fit(data, options); }), {"include", "\"x9\"", "no input"});
  options.terms.include = {{"x1*x3"}};
  options.terms.exclude = {{"x3", "x1"}};
  expect_parts(message_of<OptionError>([&] { (void)fit(data, options); }), {"included and excluded"});
  options.terms.exclude = {{"x3"}};
  expect_parts(message_of<OptionError>([&] { (void)fit(data, options); }), {"\"x3\"", "excluded from every term"});
}

TEST(AutoFit, FindsNoMoreTermsThanAllowed) {
  FitOptions options;
  options.terms.max_terms = 1;
  EXPECT_LE(fit(sample(300, 8, pair_and_line, 0.1, 15), options).model.terms.size(), 1U);
}

TEST(AutoFit, WithABudgetOfSecondsDoesAllThatItCanInThem) {
  const Dataset data = sample(300, 5, pair_and_line, 0.1, 16);
  FitOptions options;
  options.terms.budget_seconds = 1e6;
  EXPECT_EQ(fit(data, options).model.coefficients, fit(data, {}).model.coefficients);
}

// What no input shows alone is found as lines in all of them: none of them is surer than it would be by itself.
TEST(AutoFit, GivesInputsThatWereFoundTogetherTheirOwnPValues) {
  Dataset data = sample(
      300, 60, [](double, double, double) { return 0.0; }, 1.0, 21);
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    for (std::size_t j = 0; j < 60; ++j) data.y[i] += 0.16 * data.X(i, j);
  }
  const FitResult result = fit(data, {});
  std::vector<double> chances;
  for (const Term& term : result.model.terms) chances.push_back(term.p_value.value_or(-1.0));
  ASSERT_GT(chances.size(), 5U);
  EXPECT_GT(*std::ranges::max_element(chances), 0.05);
  EXPECT_LT(*std::ranges::min_element(chances), *std::ranges::max_element(chances));
}

// One wild value must not hide what the others say.
TEST(AutoFit, SeesTheBulkOfAnInputBesideAnOutlier) {
  const Function3 wave_and_line = [](double a, double b, double) { return std::sin(4.0 * a) + b; };
  Dataset data = sample(400, 3, wave_and_line, 0.05, 22);
  data.X(7, 0) = 1e6;
  EXPECT_LT(error_on(fit(data, {}).model, sample(400, 3, wave_and_line, 0.05, 23)), 0.02);
}

TEST(AutoFit, StopsWhenItsBudgetIsSpent) {
  FitOptions options;
  options.terms.budget_operations = 1e6;
  EXPECT_LE(fit(sample(4000, 8, pair_and_line, 0.1, 16), options).model.terms.size(), 1U);
}

TEST(AutoFit, TakesASmallerModelWithinOneStandardError) {
  FitOptions small;
  small.terms.one_standard_error = true;
  std::size_t columns = 0;
  std::size_t columns_of_small = 0;
  for (const std::uint64_t seed : {17, 18, 19}) {
    const Dataset data = sample(300, 8, pair_and_line, 0.3, seed);
    columns += fit(data, {}).model.coefficients.size();
    columns_of_small += fit(data, small).model.coefficients.size();
  }
  EXPECT_LT(columns_of_small, columns);
}

double product(double a, double b, double) { return a * b; }

// Slow features with large coefficients, of which pruning must not take those that hold the others in balance.
TEST(AutoFit, FitsAProductThroughNoiseToATenthOfIt) {
  constexpr double noise = 0.05;
  for (std::uint64_t seed = 30; seed < 36; ++seed) {
    const FitResult result = fit(sample(400, 5, product, noise, seed), {});
    const Dataset truth = sample(400, 5, product, 0.0, seed + 100);
    EXPECT_LT(error_on(result.model, truth), 0.1 * noise * noise) << seed;
    EXPECT_LE(result.train_mse, result.validation_mse) << seed;
  }
}

TEST(AutoFit, ChoosesByAFileOfRowsWhereThereIsOne) {
  const Dataset data = sample(300, 6, pair_and_line, 0.0, 18);
  const Dataset validation = sample(100, 6, pair_and_line, 0.0, 19);
  const FitResult result = fit(data, {}, &validation, &validation);
  EXPECT_NEAR(result.validation_mse, error_on(result.model, validation), 10 * result.validation_mse + 1e-20);
  EXPECT_TRUE(result.path.front().test_mse.has_value());
}

TEST(AutoFit, WorksOnVeryFewRowsAndConstantTargets) {
  for (const std::size_t rows : {2, 3, 5}) {
    const FitResult result = fit(sample(rows, 3, pair_and_line, 0.0, 20), {});
    EXPECT_TRUE(std::isfinite(result.model.predict(Matrix(1, 3)).front()));
  }
  Dataset constant = sample(50, 3, pair_and_line, 0.0, 21);
  std::ranges::fill(constant.y, 4.25);
  EXPECT_EQ(fit(constant, {}).model.predict(Matrix(1, 3)).front(), 4.25);
}

// Three of thirty rows are held out: they may be predicted well by luck.
TEST(AutoFit, NeverFitsThirtyRowsWithNoiseExactly) {
  const auto nothing = [](double, double, double) { return 0.0; };
  const auto wave = [](double a, double, double) { return std::sin(2 * a); };
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    EXPECT_GT(fit(sample(30, 3, nothing, 1.0, 1000 + seed), {}).ridge, 0.0) << seed;
    for (const double noise : {1e-1, 1e-3, 1e-5}) {
      EXPECT_GT(fit(sample(30, 3, wave, noise, 2000 + seed), {}).ridge, 0.0) << seed << " " << noise;
    }
  }
}

TEST(AutoFit, FitsThirtyCleanRowsOfASmoothFunctionExactly) {
  const auto wave = [](double a, double, double) { return std::sin(2 * a); };
  const FitResult result = fit(sample(30, 3, wave, 0.0, 25), {});
  EXPECT_EQ(result.ridge, 0.0);
  EXPECT_LT(result.validation_mse, 1e-15);
}

TEST(AutoFit, ReportsTheRidgeOfTheChosenStep) {
  const FitResult result = fit(sample(300, 8, pair_and_line, 0.1, 26), {});
  EXPECT_GT(result.ridge, 0.0);
  EXPECT_EQ(result.path[result.chosen].ridge, result.ridge);
}

TEST(AutoFit, RefusesWhatItDoesNotDo) {
  const Dataset data = sample(50, 3, pair_and_line, 0.0, 22);
  FitOptions options;
  options.draw.basis = Basis::relu;
  expect_parts(message_of<OptionError>([&] { (void)fit(data, options); }), {"auto", "shrimp"});
  options = {};
  options.orders = {{4}};
  EXPECT_THROW((void)fit(data, options), OptionError);
  options = {};
  options.prune.ridge_by_gcv = true;
  EXPECT_THROW((void)fit(data, options), OptionError);
}

TEST(AutoFit, StopsWithinAStepOfBeingAskedTo) {
  std::atomic<bool> stop = true;
  FitObserver observer;
  observer.stop = &stop;
  EXPECT_THROW((void)fit(sample(300, 8, pair_and_line, 0.1, 23), {}, nullptr, nullptr, observer), Interrupted);
}

// Included terms are there from the start; nothing else is, where no time is left.
TEST(AutoFit, EndsWithItsTermsWhereTheSecondsAreOver) {
  const Dataset data = sample(300, 8, pair_and_line, 0.1, 23);
  FitOptions options;
  options.terms.budget_seconds = 1e-9;
  options.terms.include = {{"x1", "x2"}, {"x3"}};
  const FitResult result = fit(data, options);
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_NE(result.warnings.front().find("budget of seconds"), std::string::npos);
  EXPECT_FALSE(result.validation_se);
  EXPECT_EQ(result.path.size(), 1U);
  EXPECT_LT(result.validation_mse, 0.5);
}

TEST(AutoFit, OffersTheBestModelSoFar) {
  std::function<Model()> best;
  FitObserver observer;
  observer.on_better = [&](std::function<Model()> make) { best = std::move(make); };
  const Dataset data = sample(300, 8, pair_and_line, 0.1, 24);
  (void)fit(data, {}, nullptr, nullptr, observer);
  ASSERT_TRUE(best);
  EXPECT_LT(error_on(best(), data), 0.05);
}

// Lines in two inputs and a product of five others, of variance 1.
Dataset product_of_five(std::size_t rows, std::uint64_t seed) {
  Dataset data = sample(rows, 8, pair_and_line, 0.0, seed);
  test::Random random(seed + 1);
  for (std::size_t i = 0; i < rows; ++i) {
    double product = std::pow(3.0, 2.5);
    for (std::size_t j = 0; j < 5; ++j) product *= data.X(i, j);
    data.y[i] = data.X(i, 5) + data.X(i, 6) + product + 0.05 * random();
  }
  return data;
}

TEST(AutoFit, FindsAnInteractionOfFiveInputs) {
  const Dataset data = product_of_five(600, 40);
  const Dataset unseen = product_of_five(1000, 42);
  const FitResult result = fit(data, {});
  EXPECT_LT(error_on(result.model, unseen), 0.2);
  ASSERT_TRUE(result.model.results.contains("share_above_three"));
  EXPECT_GT(result.model.results.at("share_above_three"), 0.3);
  for (const InputSensitivity& input : sensitivity(result.model).inputs) {
    ASSERT_TRUE(input.total.low && input.total.high);
    EXPECT_LE(*input.total.low, input.total.value);
    EXPECT_GE(*input.total.high, input.total.value);
    EXPECT_GT(*input.total.low, input.input < 5 ? 0.2 : -0.01);
    EXPECT_LT(*input.total.high, input.input == 7 ? 0.05 : 1.0);  // The target does not look at the last.
  }
  FitOptions low;
  low.terms.max_order = 3;
  const FitResult of_low_order = fit(data, low);
  for (std::size_t j = 0; j < of_low_order.model.dictionary.weights.size(); ++j) {
    EXPECT_LE(of_low_order.model.dictionary.weights.support(j).size(), 3U);
  }
  EXPECT_FALSE(of_low_order.model.results.contains("share_above_three"));
  EXPECT_GT(error_on(of_low_order.model, unseen), 0.5);
}

TEST(AutoFit, GivesTheSameTermOfAllInputsWithAnyNumberOfThreads) {
  const Dataset data = product_of_five(400, 44);
  std::set<std::string> models;
  for (const int threads : {1, 2, 3}) {
    FitOptions options;
    options.machine.threads = threads;
    const FitResult result = fit(data, options);
    EXPECT_TRUE(result.model.results.contains("share_above_three"));
    models.insert(to_json(result.model));
  }
  EXPECT_EQ(models.size(), 1U);
}

// y = exp(f + e): its mean is exp(f) times that of exp(e).
TEST(AutoFit, OfTheLogarithmPredictsMeansOfTheTarget) {
  Dataset data = sample(
      600, 3, [](double a, double b, double) { return a + std::sin(2.0 * b); }, 0.5, 46);
  const Dataset truth = sample(
      4000, 3, [](double a, double b, double) { return a + std::sin(2.0 * b); }, 0.0, 47);
  for (double& y : data.y) y = std::exp(y);
  FitOptions options;
  options.terms.target_form = TargetForm::log;
  const Model model = fit(data, options).model;
  EXPECT_EQ(model.scaling.target_form, TargetForm::log);
  const auto mean = [](const std::vector<double>& values) {
    double sum = 0.0;
    for (const double value : values) sum += value / static_cast<double>(values.size());
    return sum;
  };
  EXPECT_NEAR(mean(model.predict(data.X)) / mean(data.y), 1.0, 0.02);
  EXPECT_NEAR(model.scaling.target_correction, std::exp(0.5 * 0.5 * 0.5), 0.1);  // The mean of exp(e).
  EXPECT_LT(std::abs(std::log(mean(model.predict(truth.X)) / mean(data.y))), 0.1);
}

TEST(AutoFit, FindsNoTermOfAllInputsInNoise) {
  const auto nothing = [](double, double, double) { return 0.0; };
  for (std::uint64_t seed = 50; seed < 53; ++seed) {
    EXPECT_TRUE(fit(sample(300, 10, nothing, 1.0, seed), {}).model.terms.empty()) << seed;
  }
}

}  // namespace auto_fit_test
}  // namespace shrimp

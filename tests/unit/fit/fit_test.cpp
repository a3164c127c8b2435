#include "shrimp/fit.hpp"

#include "data/split.hpp"
#include "data/standardize.hpp"
#include "features/bases.hpp"
#include "support.hpp"

namespace shrimp {
namespace fit_test {

using test::expect_parts;
using test::make_dataset;
using test::mean_squared_error;
using test::message_of;

FitOptions small_options() {
  FitOptions options;
  options.method = "shrimp";
  options.draw.features = 120;
  options.seed = 3;
  return options;
}

double error_on(const Model& model, const Dataset& data) { return mean_squared_error(model.predict(data.X), data.y); }

// The step of least validation error; of equal ones the smallest.
std::size_t best_step(const std::vector<PathRecord>& path) {
  std::size_t best = 0;
  for (std::size_t t = 1; t < path.size(); ++t) {
    if (path[t].validation_mse <= path[best].validation_mse) best = t;
  }
  return best;
}

TEST(Fit, KeepsTheStepOfLeastValidationError) {
  const FitResult result = fit(make_dataset(120, 5, 1), small_options());
  ASSERT_EQ(result.path.size(), path_sizes(240, 0.2).size());
  EXPECT_EQ(result.chosen, best_step(result.path));
  EXPECT_EQ(result.model.dictionary.columns(), result.path[result.chosen].basis_functions);
  EXPECT_EQ(result.model.coefficients.size(), result.path[result.chosen].basis_functions);
  EXPECT_EQ(result.validation_mse, result.path[result.chosen].validation_mse);
  EXPECT_EQ(result.features_drawn, 120U);
  EXPECT_EQ(result.basis_functions_drawn, 240U);
  EXPECT_EQ(result.prune_rate, 0.2);
  EXPECT_EQ(result.order, std::vector<int>{2});
}

TEST(Fit, LearnsAndPrunes) {
  const FitResult result = fit(make_dataset(200, 5, 1), small_options());
  EXPECT_LT(error_on(result.model, make_dataset(500, 5, 99)), 0.02);
  EXPECT_LT(result.model.dictionary.columns(), 120U);
}

TEST(Fit, RefitsTheChosenColumnsToAllRows) {
  const Dataset data = make_dataset(120, 5, 2);
  const FitResult result = fit(data, small_options());
  const Scaling& scaling = result.model.scaling;
  const Matrix A = evaluate(result.model.dictionary, scale_inputs(data.X, scaling));
  const test::LeastSquares oracle = test::gelsy(A, scale_target(data.y, scaling));
  test::expect_near(result.model.coefficients, oracle.coefficients, 1e-8 * norm(oracle.coefficients));
  EXPECT_NEAR(result.train_mse, error_on(result.model, data), 1e-12);
}

// y = cos x1 + sin x2 without noise: a dozen columns of order 1 carry it to the last digit.
Dataset rounded_only(std::size_t rows, std::uint64_t seed) {
  Dataset data = make_dataset(rows, 10, seed);
  for (std::size_t i = 0; i < rows; ++i) data.y[i] = std::cos(data.X(i, 0)) + std::sin(data.X(i, 1));
  return data;
}

FitOptions exact_options(std::uint64_t seed) {
  FitOptions options;
  options.method = "shrimp";
  options.draw.features = 2000;
  options.orders = {{1}};
  options.standardize = false;
  options.prune.rank_tolerance = 3e-14;
  options.seed = seed;
  return options;
}

// The chosen columns nearly depend on each other: a cut-off in the last fit must not cost what the path had.
TEST(Fit, RefittedIsAsAccurateAsItsPath) {
  const Dataset testing = rounded_only(60, 1000);
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const FitResult result = fit(rounded_only(140, seed), exact_options(seed));
    EXPECT_LT(error_on(result.model, testing), 5e-30) << seed;
  }
}

TEST(Fit, OfErrorsThatAreRoundingTakesTheSmallestModel) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Dataset train = rounded_only(140, seed);
    const FitResult result = fit(train, exact_options(seed));
    constexpr double rounding = 2.0 * std::numeric_limits<double>::epsilon();
    const double least = rounding * rounding * norm(train.y) * norm(train.y) / 140.0;
    std::vector<PathRecord> path = result.path;
    for (PathRecord& record : path) record.validation_mse = std::max(record.validation_mse, least);
    EXPECT_EQ(result.chosen, best_step(path)) << seed;
  }
}

// What a path on the training rows alone says about the rows held out, put together by hand.
TEST(Fit, JudgesEveryStepOnTheRowsHeldOut) {
  const Dataset data = make_dataset(80, 4, 3);
  FitOptions options = small_options();
  options.choice.fraction = 0.25;
  options.standardize = false;
  const FitResult result = fit(data, options);
  const RowSplit split = hold_out(80, 0.25, options.seed);
  FeatureOptions features;
  features.features = options.draw.features;
  features.seed = options.seed;
  const Matrix A = evaluate(make_dictionary(draw_weights(4, features), Basis::fourier), data.X);
  const auto rows_of = [&](const std::vector<std::size_t>& rows) {
    std::pair<Matrix, std::vector<double>> part{Matrix(rows.size(), A.cols()), {}};
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (std::size_t j = 0; j < A.cols(); ++j) part.first(k, j) = A(rows[k], j);
      part.second.push_back(data.y[rows[k]]);
    }
    return part;
  };
  const auto [train_A, train_y] = rows_of(split.train);
  const auto [held_A, held_y] = rows_of(split.held_out);
  const std::vector<PathStep> steps = prune_path(train_A, train_y);
  ASSERT_EQ(result.path.size(), steps.size());
  for (std::size_t t = 0; t < steps.size(); ++t) {
    const std::vector<double> f = test::times(test::columns_of(held_A, steps[t].columns), steps[t].coefficients);
    EXPECT_EQ(result.path[t].step, t);
    EXPECT_EQ(result.path[t].rank, steps[t].rank);
    EXPECT_NEAR(result.path[t].train_mse, steps[t].train_mse, 1e-10);
    EXPECT_NEAR(result.path[t].validation_mse, mean_squared_error(f, held_y),
                1e-7 * (1.0 + result.path[t].validation_mse));
  }
}

TEST(Fit, WithValidationDataFitsAllRowsAndChoosesByThem) {
  const Dataset train = make_dataset(100, 5, 4);
  const Dataset validation = make_dataset(60, 5, 5);
  const Dataset testing = make_dataset(50, 5, 6);
  const FitResult result = fit(train, small_options(), &validation, &testing);
  EXPECT_EQ(result.chosen, best_step(result.path));
  const PathRecord& chosen = result.path[result.chosen];
  EXPECT_NEAR(chosen.validation_mse, error_on(result.model, validation), 1e-9);
  EXPECT_NEAR(chosen.train_mse, error_on(result.model, train), 1e-9);
  ASSERT_TRUE(chosen.test_mse.has_value());
  EXPECT_NEAR(*chosen.test_mse, error_on(result.model, testing), 1e-9);
}

TEST(Fit, OfAnotherTestSetChoosesTheSameModel) {
  const Dataset train = make_dataset(100, 5, 7);
  const Dataset testing = make_dataset(50, 5, 8);
  EXPECT_EQ(to_json(fit(train, small_options()).model), to_json(fit(train, small_options(), nullptr, &testing).model));
}

TEST(Fit, ByFoldsChoosesTheStepOfLeastMeanErrorAndRunsItOnAllRows) {
  const Dataset data = make_dataset(90, 4, 9);
  FitOptions options = small_options();
  options.choice.folds = 4;
  const FitResult result = fit(data, options);
  ASSERT_EQ(result.path.size(), path_sizes(240, 0.2).size());
  EXPECT_EQ(result.chosen, best_step(result.path));
  EXPECT_EQ(result.validation_mse, result.path[result.chosen].validation_mse);
  EXPECT_EQ(result.model.dictionary.columns(), result.path[result.chosen].basis_functions);
  EXPECT_NEAR(result.path[result.chosen].train_mse, error_on(result.model, data), 1e-9);
  EXPECT_LT(error_on(result.model, make_dataset(500, 4, 98)), 0.05);
}

TEST(Fit, ByFoldsReportsTheErrorOnRowsNoFoldHasSeen) {
  const Dataset data = make_dataset(60, 3, 10);
  FitOptions options = small_options();
  options.draw.features = 30;
  options.choice.folds = 3;
  options.standardize = false;
  const FitResult result = fit(data, options);
  FeatureOptions features;
  features.features = 30;
  features.seed = options.seed;
  const Matrix A = evaluate(make_dictionary(draw_weights(3, features), Basis::fourier), data.X);
  double total = 0.0;  // Of the first step, whose columns are all.
  for (const RowSplit& split : fold(60, 3, options.seed)) {
    Matrix train(split.train.size(), A.cols());
    std::vector<double> y;
    for (std::size_t k = 0; k < split.train.size(); ++k) {
      for (std::size_t j = 0; j < A.cols(); ++j) train(k, j) = A(split.train[k], j);
      y.push_back(data.y[split.train[k]]);
    }
    const std::vector<double> f = test::times(A, test::gelsy(train, y).coefficients);
    for (const std::size_t i : split.held_out) total += std::pow(f[i] - data.y[i], 2);
  }
  EXPECT_NEAR(result.path.front().validation_mse, total / 60, 1e-6 * total / 60);
}

TEST(Fit, AmongSeveralOrdersAndRatesKeepsTheBest) {
  const Dataset data = make_dataset(100, 5, 11);
  FitOptions options = small_options();
  options.orders = {{1}, {2}, {1, 2}};
  options.prune.rates = {0.1, 0.3};
  const FitResult result = fit(data, options);
  double least = std::numeric_limits<double>::infinity();
  for (const std::vector<int>& orders : options.orders) {
    for (const double rate : options.prune.rates) {
      FitOptions single = options;
      single.orders = {orders};
      single.prune.rates = {rate};
      const FitResult other = fit(data, single);
      least = std::min(least, other.validation_mse);
      if (orders != result.order || rate != result.prune_rate) continue;
      EXPECT_EQ(other.validation_mse, result.validation_mse);
      EXPECT_EQ(other.chosen, result.chosen);
      EXPECT_EQ(other.model.coefficients, result.model.coefficients);
    }
  }
  EXPECT_EQ(result.validation_mse, least);
}

TEST(Fit, WithTheMinimumNormMethodKeepsEveryColumn) {
  const Dataset data = make_dataset(50, 4, 12);
  FitOptions options = small_options();
  options.method = "min-l2";
  const FitResult result = fit(data, options);
  EXPECT_EQ(result.path.size(), 1U);
  EXPECT_EQ(result.prune_rate, 0.0);
  EXPECT_EQ(result.model.dictionary.columns(), 240U);
  EXPECT_EQ(result.model.method, "min-l2");
  EXPECT_LT(result.train_mse, 1e-20);  // More columns than rows: it interpolates.
}

TEST(Fit, OfEveryBasisAndLawPredictsFiniteNumbers) {
  const Dataset data = make_dataset(60, 4, 13);
  FitOptions options = small_options();
  options.draw.features = 40;
  for (const BasisRow& row : all_bases()) {
    for (const Law law : {Law::normal, Law::uniform, Law::cauchy, Law::student_t, Law::sphere}) {
      options.draw.basis = row.basis;
      options.draw.law = law;
      EXPECT_TRUE(std::isfinite(error_on(fit(data, options).model, data)));
    }
  }
}

TEST(Fit, OfAConstantTargetIsThatConstant) {
  Dataset data = make_dataset(40, 3, 14);
  data.y.assign(40, 7.25);
  const FitResult result = fit(data, small_options());
  for (const double f : result.model.predict(data.X)) EXPECT_EQ(f, 7.25);
  EXPECT_EQ(result.model.dictionary.columns(), 1U);
  ASSERT_EQ(result.alerts.size(), 1U);
  expect_parts(result.alerts.front(), {"\"y\""});
}

TEST(Fit, WithAConstantInputWarnsAndLearnsFromTheOthers) {
  Dataset data = make_dataset(150, 5, 15);
  std::ranges::fill(data.X.col(4), 1e6);
  const FitResult result = fit(data, small_options());
  ASSERT_EQ(result.warnings.size(), 1U);
  expect_parts(result.warnings.front(), {"\"x5\""});
  EXPECT_LT(result.validation_mse, 0.05);
}

TEST(Fit, TwiceGivesTheSameModelFile) {
  const Dataset data = make_dataset(100, 5, 16);
  EXPECT_EQ(to_json(fit(data, small_options()).model), to_json(fit(data, small_options()).model));
  FitOptions other = small_options();
  other.seed = 4;
  EXPECT_NE(to_json(fit(data, small_options()).model), to_json(fit(data, other).model));
}

TEST(Fit, OnOneAndTwoThreadsKeepsTheSameColumnsAndPredictsTheSame) {
  const Dataset data = make_dataset(150, 5, 17);
  FitOptions options = small_options();
  options.machine.threads = 1;
  const FitResult one = fit(data, options);
  options.machine.threads = 2;
  const FitResult two = fit(data, options);
  EXPECT_EQ(one.model.dictionary.weights.values, two.model.dictionary.weights.values);
  EXPECT_EQ(one.model.dictionary.rows, two.model.dictionary.rows);
  test::expect_near(one.model.predict(data.X), two.model.predict(data.X), 1e-9);
  EXPECT_EQ(one.threads, 1);
  EXPECT_EQ(two.threads, 2);
}

// Standardising makes the units of inputs and target irrelevant.
TEST(Fit, StandardizedDoesNotDependOnUnits) {
  const Dataset data = make_dataset(100, 4, 18);
  Dataset scaled = make_dataset(100, 4, 18);
  for (double& value : scaled.X.col(1)) value = 1000.0 * value + 273.15;
  for (double& value : scaled.y) value = 1e-6 * value - 5.0;
  const FitResult plain = fit(data, small_options());
  const FitResult other = fit(scaled, small_options());
  EXPECT_EQ(plain.model.dictionary.weights.values, other.model.dictionary.weights.values);
  EXPECT_NEAR(other.validation_mse * 1e12, plain.validation_mse, 1e-6 * plain.validation_mse);
}

TEST(Fit, UnstandardizedUsesTheDataAsTheyAre) {
  FitOptions options = small_options();
  options.standardize = false;
  const Model model = fit(make_dataset(60, 3, 19), options).model;
  EXPECT_EQ(model.scaling.input_mean, std::vector<double>(3, 0.0));
  EXPECT_EQ(model.scaling.input_scale, std::vector<double>(3, 1.0));
  EXPECT_EQ(model.scaling.target_mean, 0.0);
  EXPECT_EQ(model.scaling.target_scale, 1.0);
}

TEST(Fit, RecordsTheSpectrumOnlyWhenAsked) {
  const Dataset data = make_dataset(40, 3, 20);
  FitOptions options = small_options();
  EXPECT_EQ(fit(data, options).path.front().lambda_max, 0.0);
  options.prune.spectrum = true;
  for (const PathRecord& record : fit(data, options).path) {
    EXPECT_GT(record.lambda_max, 0.0);
    EXPECT_GE(record.lambda_max, record.lambda_min);
  }
}

TEST(Fit, RecordsHowItWasMade) {
  const FitResult result = fit(make_dataset(60, 3, 21), small_options());
  EXPECT_EQ(result.model.inputs, (std::vector<std::string>{"x1", "x2", "x3"}));
  EXPECT_EQ(result.model.target, "y");
  EXPECT_EQ(result.model.method, "shrimp");
  EXPECT_EQ(result.model.options.at("features"), "120");
  EXPECT_EQ(result.model.options.at("seed"), "3");
  EXPECT_FALSE(result.model.options.contains("threads"));
  EXPECT_EQ(result.model.results.at("rows"), 60.0);
  double shares = 0.0;
  for (const Term& term : result.model.terms) shares += term.fraction;
  EXPECT_NEAR(shares, 1.0, 1e-12);
}

// Squares of such targets overflow: either no error is made of that, or it is said before any work.
TEST(Fit, OfHugeTargetsGivesAModelThatCanBeSavedOrNamesTheTarget) {
  for (const double unit : {1e100, 1e160, 1e200, 1e307}) {
    for (const bool standardize : {true, false}) {
      Dataset data = make_dataset(60, 3, 22);
      for (double& value : data.y) value *= unit;
      FitOptions options = small_options();
      options.standardize = standardize;
      try {
        const Model model = model_from_json(to_json(fit(data, options).model), "model");
        for (const double f : model.predict(data.X)) EXPECT_TRUE(std::isfinite(f)) << unit;
      } catch (const DataError& error) {
        expect_parts(error.what(), {"row 1", "\"y\"", "too large"});
      }
    }
  }
}

// A row of weight 2 is two rows. The rows to choose by come from elsewhere, so that no split differs.
TEST(Fit, WithWeightsIsTheFitWithRepeatedRows) {
  const Dataset validation = make_dataset(40, 3, 50);
  Dataset weighted = make_dataset(60, 3, 51);
  Dataset repeated = make_dataset(60, 3, 51);
  repeated.X = Matrix(90, 3);
  for (std::size_t i = 0; i < 90; ++i) {
    for (std::size_t j = 0; j < 3; ++j) repeated.X(i, j) = weighted.X(i < 60 ? i : i - 60, j);
    if (i >= 60) repeated.y.push_back(weighted.y[i - 60]);
  }
  for (std::size_t i = 0; i < 60; ++i) weighted.weights.push_back(i < 30 ? 2.0 : 1.0);
  FitOptions options = small_options();
  options.draw.features = 20;
  options.method = "min-l2";
  const FitResult a = fit(weighted, options, &validation);
  const FitResult b = fit(repeated, options, &validation);
  test::expect_near(a.model.predict(validation.X), b.model.predict(validation.X), 1e-8);
  EXPECT_NEAR(a.train_mse, b.train_mse, 1e-8 * (1.0 + b.train_mse));
}

TEST(Fit, RefusesWeightsThatAreNoWeights) {
  Dataset data = make_dataset(20, 3, 52);
  data.weights.assign(20, 1.0);
  data.weights[4] = -1.0;
  expect_parts(message_of<DataError>([&] { (void)fit(data, small_options()); }), {"row 5", "weight", "-1"});
  data.weights.assign(20, 0.0);
  EXPECT_THROW((void)fit(data, small_options()), DataError);
  data.weights.resize(3);
  EXPECT_THROW((void)fit(data, small_options()), DataError);
}

// Wide and tall, with weights and folds: columns computed anew are the same columns.
TEST(Fit, WithoutStoringTheMatrixFindsTheSameModel) {
  for (const std::size_t features : {20, 400}) {
    Dataset data = make_dataset(150, 4, 54);
    for (std::size_t i = 0; i < 150; ++i) data.weights.push_back(1.0 + static_cast<double>(i % 3));
    FitOptions options = small_options();
    options.draw.features = features;
    options.choice.folds = features == 20 ? 3 : 0;
    options.draw.sigma2 = 4.0;  // High frequencies keep the problem well posed.
    options.machine.storage = Storage::keep;
    const FitResult kept = fit(data, options);
    options.machine.storage = Storage::recompute;
    const FitResult recomputed = fit(data, options);
    EXPECT_EQ(kept.chosen, recomputed.chosen);
    test::expect_near(kept.model.predict(data.X), recomputed.model.predict(data.X), 1e-6);
  }
}

TEST(Fit, RecomputesWhereTheMatrixDoesNotFit) {
  const Dataset data = make_dataset(200, 5, 55);
  FitOptions options = small_options();
  options.draw.features = 5000;
  const double gib = 1024.0 * 1024.0 * 1024.0;
  options.machine.memory = 0.9 * estimate_fit_memory(200, 5, options, true) / gib;
  ASSERT_LT(estimate_fit_memory(200, 5, options, false), options.machine.memory * gib);
  EXPECT_NO_THROW((void)fit(data, options));
  options.machine.storage = Storage::keep;
  EXPECT_THROW((void)fit(data, options), OptionError);
}

TEST(Fit, OnAnyNumberOfThreadsGivesTheSameBits) {
  const Dataset data = make_dataset(300, 6, 53);
  FitOptions options = small_options();
  options.draw.features = 600;
  options.machine.threads = 1;
  const std::string one = to_json(fit(data, options).model);
  options.machine.threads = 3;
  EXPECT_EQ(one, to_json(fit(data, options).model));
}

TEST(FitObserver, SeesProgressRiseToTheEnd) {
  std::vector<double> done;
  FitObserver observer;
  observer.on_step = [&](const FitProgress& progress) {
    done.push_back(progress.done);
    EXPECT_FALSE(progress.what.empty());
    EXPECT_GE(progress.basis_functions, 1U);
  };
  FitOptions options = small_options();
  options.orders = {{1}, {2}};
  options.prune.rates = {0.2, 0.4};
  (void)fit(make_dataset(60, 4, 24), options, nullptr, nullptr, observer);
  EXPECT_TRUE(std::ranges::is_sorted(done));
  EXPECT_NEAR(done.back(), 1.0, 0.05);
  options.choice.folds = 3;
  done.clear();
  (void)fit(make_dataset(60, 4, 24), options, nullptr, nullptr, observer);
  EXPECT_TRUE(std::ranges::is_sorted(done));
  EXPECT_LE(done.back(), 1.0);
}

TEST(FitObserver, StopsTheFitAfterTheCurrentStep) {
  std::atomic<bool> stop = false;
  int steps = 0;
  FitObserver observer;
  observer.stop = &stop;
  observer.on_step = [&](const FitProgress&) { stop = ++steps == 3; };
  const Dataset data = make_dataset(60, 4, 25);
  EXPECT_THROW((void)fit(data, small_options(), nullptr, nullptr, observer), Interrupted);
  EXPECT_EQ(steps, 3);
}

TEST(FitObserver, CanMakeTheBestModelSoFarEvenAfterAnInterruption) {
  std::atomic<bool> stop = false;
  int steps = 0;
  std::function<Model()> make;
  FitObserver observer;
  observer.stop = &stop;
  observer.on_better = [&](std::function<Model()> maker) { make = std::move(maker); };
  observer.on_step = [&](const FitProgress&) { stop = ++steps == 5; };
  const Dataset data = make_dataset(100, 4, 26);
  EXPECT_THROW((void)fit(data, small_options(), nullptr, nullptr, observer), Interrupted);
  ASSERT_TRUE(make);
  const Model model = make();
  EXPECT_LT(error_on(model, data), 0.5);
  EXPECT_EQ(to_json(model_from_json(to_json(model), "model")), to_json(model));
}

TEST(FitObserver, HearsOfEveryBetterStepAndLastOfTheChosenOne) {
  std::vector<double> errors;
  FitObserver observer;
  observer.on_better = [&](const std::function<Model()>& make) {
    errors.push_back(make().results.at("validation_mse"));
  };
  const FitResult result = fit(make_dataset(60, 4, 27), small_options(), nullptr, nullptr, observer);
  EXPECT_TRUE(std::ranges::is_sorted(errors, std::greater<>()));
  EXPECT_EQ(errors.back(), result.validation_mse);
}

std::string refusal(const Dataset& data, const FitOptions& options, const Dataset* validation = nullptr) {
  return message_of<std::invalid_argument>([&] { (void)fit(data, options, validation); });
}

TEST(Fit, RefusesNumbersThatAreNotFinite) {
  Dataset data = make_dataset(20, 3, 28);
  data.X(6, 1) = std::nan("");
  expect_parts(refusal(data, small_options()), {"row 7", "\"x2\"", "nan"});
  data = make_dataset(20, 3, 28);
  data.y[19] = std::numeric_limits<double>::infinity();
  expect_parts(refusal(data, small_options()), {"row 20", "\"y\"", "inf"});
}

TEST(Fit, RefusesValidationDataThatDoNotMatch) {
  const Dataset train = make_dataset(20, 3, 29);
  const Dataset wider = make_dataset(20, 4, 29);
  expect_parts(refusal(train, small_options(), &wider), {"validation", "inputs"});
  Dataset damaged = make_dataset(20, 3, 29);
  damaged.X(0, 0) = std::nan("");
  EXPECT_NE(refusal(train, small_options(), &damaged), "");
  const Dataset empty = make_dataset(0, 3, 29);
  expect_parts(refusal(train, small_options(), &empty), {"validation", "no rows"});
}

TEST(Fit, RefusesTooFewRows) {
  expect_parts(refusal(make_dataset(1, 3, 30), small_options()), {"one row"});
  EXPECT_NE(refusal(make_dataset(0, 3, 30), small_options()), "");
  FitOptions options = small_options();
  options.choice.folds = 21;
  expect_parts(refusal(make_dataset(20, 3, 30), options), {"folds 21", "20 rows"});
}

TEST(Fit, OfTwoRowsWorks) {
  const FitResult result = fit(make_dataset(2, 3, 31), small_options());
  EXPECT_GE(result.model.dictionary.columns(), 1U);
}

TEST(Fit, RefusesOptionsOutOfRange) {
  const Dataset data = make_dataset(20, 3, 32);
  const auto refuses = [&](auto change) {
    FitOptions options = small_options();
    change(options);
    return refusal(data, options);
  };
  expect_parts(refuses([](FitOptions& o) { o.orders = {{4}}; }), {"order 4", "3"});
  expect_parts(refuses([](FitOptions& o) { o.orders = {{2}, {0}}; }), {"order"});
  expect_parts(refuses([](FitOptions& o) { o.draw.features = 0; }), {"features"});
  expect_parts(refuses([](FitOptions& o) { o.prune.rates = {0.2, 1.0}; }), {"prune"});
  expect_parts(refuses([](FitOptions& o) {
                 o.method = "srfe-s", o.sparse.sparsities = {1, 100000};
               }),
               {"sparsity 100000", "240 basis functions"});
  expect_parts(refuses([](FitOptions& o) { o.sparse.eta = -1.0; }), {"eta"});
  expect_parts(refuses([](FitOptions& o) { o.sparse.lambdas = {-1.0}; }), {"lambda"});
  expect_parts(refuses([](FitOptions& o) { o.kernel.gamma = -1.0; }), {"gamma"});
  expect_parts(refuses([](FitOptions& o) { o.draw.sigma2 = -1.0; }), {"sigma2"});
  expect_parts(refuses([](FitOptions& o) { o.draw.degrees_of_freedom = 0; }), {"dof"});
  expect_parts(refuses([](FitOptions& o) { o.choice.fraction = 1.0; }), {"validation"});
  expect_parts(refuses([](FitOptions& o) { o.choice.folds = 1; }), {"folds"});
  expect_parts(refuses([](FitOptions& o) { o.prune.rank_tolerance = 1.0; }), {"rcond"});
  expect_parts(refuses([](FitOptions& o) { o.machine.threads = -1; }), {"threads"});
  expect_parts(refuses([](FitOptions& o) { o.machine.memory = -1.0; }), {"memory"});
}

TEST(Fit, RefusesACandidateWithoutOrders) {
  FitOptions options = small_options();
  options.orders.assign(1, std::vector<int>());
  expect_parts(refusal(make_dataset(20, 3, 33), options), {"order"});
}

TEST(Fit, MixesOrdersWithGaps) {
  FitOptions options = small_options();
  options.orders = {{1, 3}};
  const FitResult result = fit(make_dataset(60, 4, 34), options);
  EXPECT_EQ(result.order, (std::vector<int>{1, 3}));
  for (std::size_t k = 0; k < result.model.dictionary.columns(); ++k) {
    EXPECT_NE(result.model.dictionary.support(k).size(), 2U);
  }
}

}  // namespace fit_test
}  // namespace shrimp

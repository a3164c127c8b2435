#include "fit/fit_by_loss.hpp"

#include <atomic>
#include <cmath>
#include <numeric>

#include "data/class_scores.hpp"
#include "model/model_loss.hpp"
#include "objective/objective.hpp"
#include "random/philox.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/fit.hpp"
#include "shrimp/update.hpp"
#include "support.hpp"

namespace shrimp {
namespace fit_by_loss_test {

using test::expect_parts;
using test::message_of;

// Inputs of make_dataset, and sums f = 3 x1 + 2 x2 over them.
struct Known {
  Dataset data;
  std::vector<double> sums;
};

Known known(std::size_t rows, std::uint64_t seed) {
  Known made{test::make_dataset(rows, 4, seed), {}};
  for (std::size_t i = 0; i < rows; ++i) made.sums.push_back(3.0 * made.data.X(i, 0) + 2.0 * made.data.X(i, 1));
  return made;
}

// Evenly spread in (0, 1), as if at random.
double part_of(std::size_t i, double step) { return std::fmod(0.5 + step * static_cast<double>(i), 1.0); }

Dataset with_classes(std::size_t rows, std::uint64_t seed) {
  Known made = known(rows, seed);
  for (std::size_t i = 0; i < rows; ++i) {
    made.data.y[i] = part_of(i, 0.6180339887) < 1.0 / (1.0 + std::exp(-made.sums[i])) ? 1.0 : 0.0;
  }
  return made.data;
}

// The number whose probabilities sum up to the part.
Dataset with_counts(std::size_t rows, std::uint64_t seed, double exposure = 1.0) {
  Known made = known(rows, seed);
  for (std::size_t i = 0; i < rows; ++i) {
    const double rate = exposure * std::exp(0.5 * made.sums[i]);
    double term = std::exp(-rate);
    double below = term;
    double count = 0.0;
    while (below < part_of(i, 0.6180339887) && count < 100.0) below += term *= rate / ++count;
    made.data.y[i] = count;
  }
  return made.data;
}

Dataset with_numbers(std::size_t rows, std::uint64_t seed) {
  Known made = known(rows, seed);
  for (std::size_t i = 0; i < rows; ++i) made.data.y[i] = made.sums[i] + part_of(i, 0.6180339887);
  return made.data;
}

struct LossAndRows {
  Loss loss;
  Dataset rows;
};

std::vector<LossAndRows> of_each_loss(std::size_t rows) {
  return {{Loss::logistic, with_classes(rows, 1)},
          {Loss::poisson, with_counts(rows, 1)},
          {Loss::huber, with_numbers(rows, 1)}};
}

FitOptions options_of(Loss loss) {
  FitOptions options;
  options.loss = loss;
  options.terms.quick_error = true;
  options.terms.max_order = 1;
  options.terms.warps_inputs = false;
  return options;
}

TEST(FitByLoss, PredictsTheProbabilityOfAClass) {
  const FitResult result = fit(with_classes(300, 1), options_of(Loss::logistic));
  const Known fresh = known(200, 7);
  const std::vector<double> predicted = result.model.predict(fresh.data.X);
  double gap = 0.0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    EXPECT_GT(predicted[i], 0.0);
    EXPECT_LT(predicted[i], 1.0);
    gap += std::abs(predicted[i] - 1.0 / (1.0 + std::exp(-fresh.sums[i]))) / 200.0;
  }
  EXPECT_LT(gap, 0.08);
  EXPECT_EQ(result.model.classes, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(loss_of(result.model), Loss::logistic);
  EXPECT_TRUE(result.model.results.contains("validation_log_loss"));
  EXPECT_TRUE(result.model.uncertainty);
}

// All of twelve inputs count for a little; a search for single ones would miss most.
TEST(FitByLoss, KeepsStraightLinesOfAllInputsWhereAllCount) {
  Dataset data = test::make_dataset(150, 12, 5);
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < 12; ++j) sum += (j % 2 == 0 ? 1.5 : -1.5) * data.X(i, j);
    data.y[i] = part_of(i, 0.6180339887) < 1.0 / (1.0 + std::exp(-sum)) ? 1.0 : 0.0;
  }
  const FitResult result = fit(data, options_of(Loss::logistic));
  EXPECT_GE(result.model.coefficients.size(), 10U);
  EXPECT_LE(result.model.coefficients.size(), 12U);
}

// The class is the sign of a plane wave in five dimensions, which no function of three inputs approximates.
TEST(FitByLoss, TakesAKernelWhereClassesDependOnManyInputsAtOnce) {
  Dataset data = test::make_dataset(400, 5, 5);
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < 5; ++j) sum += (j % 2 == 0 ? 2.0 : -2.0) * data.X(i, j);
    data.y[i] = std::sin(sum) > 0.0 ? 1.0 : 0.0;
  }
  FitOptions options = options_of(Loss::logistic);
  options.terms.max_order = 0;
  const FitResult kernel = fit(data, options);
  EXPECT_TRUE(kernel.model.dictionary.has_kernels());
  EXPECT_LT(kernel.model.results.at("validation_log_loss"), 0.5);
  options.terms.max_order = 2;
  const FitResult readable = fit(data, options);
  EXPECT_FALSE(readable.model.dictionary.has_kernels());
  EXPECT_GT(readable.model.results.at("validation_log_loss"), 0.5);
}

// Two clouds far apart: folds know no error, and new rows between them may be of either class.
TEST(FitByLoss, FitsSeparableClassesWithBoundedLogOdds) {
  Dataset data = test::make_dataset(120, 2, 5);
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    data.y[i] = i % 2 == 0 ? 1.0 : 0.0;
    data.X(i, 0) += i % 2 == 0 ? 4.0 : -4.0;
  }
  const FitResult result = fit(data, options_of(Loss::logistic));
  for (const double p : result.model.predict(data.X)) EXPECT_GT(std::min(p, 1.0 - p), 1e-9);
  EXPECT_LT(result.model.results.at("train_log_loss"), 0.05);
}

// Ranks bound an input as 0 and 1 bound the target; the log odds need no such bound.
TEST(FitByLoss, TakesInputsAsTheyAreBehindALink) {
  Dataset data = test::make_dataset(120, 3, 6);
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    for (std::size_t j = 0; j < 3; ++j) data.X(i, j) = std::exp(3.0 * data.X(i, j));
    data.y[i] = data.X(i, 0) + data.X(i, 1) > 2.0 ? 1.0 : 0.0;
  }
  FitOptions options = options_of(Loss::logistic);
  options.terms.warps_inputs = true;
  const FitResult result = fit(data, options);
  for (const Warp& warp : result.model.scaling.input_warps) EXPECT_EQ(warp.kind, Warp::Kind::none);
}

TEST(FitByLoss, TellsTheTrainingErrorsOfItsPredictions) {
  const Dataset train = with_classes(200, 1);
  const FitResult result = fit(train, options_of(Loss::logistic));
  const ClassScores scores = score_classes(result.model.predict(train.X), train.y);
  EXPECT_NEAR(result.model.results.at("train_log_loss"), scores.log_loss, 1e-9);
  EXPECT_NEAR(result.train_mse, scores.brier, 1e-9);
}

TEST(FitByLoss, PredictsTheRateOfCounts) {
  const FitResult result = fit(with_counts(300, 1), options_of(Loss::poisson));
  const Known fresh = known(200, 7);
  const std::vector<double> predicted = result.model.predict(fresh.data.X);
  double gap = 0.0;
  for (std::size_t i = 0; i < 200; ++i) gap += std::abs(std::log(predicted[i]) - 0.5 * fresh.sums[i]) / 200.0;
  EXPECT_LT(gap, 0.2);
  EXPECT_TRUE(result.model.results.contains("validation_deviance"));
}

TEST(FitByLoss, PredictsRatesWhereThereIsAnExposure) {
  Dataset train = with_counts(300, 1, 5.0);
  train.exposure.assign(300, 5.0);
  const FitResult result = fit(train, options_of(Loss::poisson));
  const Known fresh = known(100, 7);
  const std::vector<double> predicted = result.model.predict(fresh.data.X);
  double gap = 0.0;
  for (std::size_t i = 0; i < 100; ++i) gap += std::abs(std::log(predicted[i]) - 0.5 * fresh.sums[i]) / 100.0;
  EXPECT_LT(gap, 0.15);
}

TEST(FitByLoss, OfHuberIsHardlyMovedByOutliers) {
  Known made = known(200, 1);
  for (std::size_t i = 0; i < 200; ++i) {
    made.data.y[i] = made.sums[i] + 0.2 * (part_of(i, 0.6180339887) - 0.5) + (i % 10 == 0 ? 500.0 : 0.0);
  }
  const Known fresh = known(100, 7);
  const auto error = [&](Loss loss) {
    return test::mean_squared_error(fit(made.data, options_of(loss)).model.predict(fresh.data.X), fresh.sums);
  };
  EXPECT_LT(error(Loss::huber), 0.05);
  EXPECT_GT(error(Loss::squared), 10.0);
}

TEST(FitByLoss, OfHuberHasIntervals) {
  Known made = known(120, 1);
  for (std::size_t i = 0; i < 120; ++i) made.data.y[i] = made.sums[i] + part_of(i, 0.6180339887);
  FitOptions options = options_of(Loss::huber);
  options.terms.quick_error = false;
  EXPECT_TRUE(fit(made.data, options).model.uncertainty);
}

TEST(FitByLoss, GivesTheSameModelForAnyNumberOfThreads) {
  FitOptions options = options_of(Loss::logistic);
  options.terms.quick_error = false;
  options.machine.threads = 1;
  const std::string one = to_json(fit(with_classes(120, 1), options).model);
  options.machine.threads = 3;
  EXPECT_EQ(to_json(fit(with_classes(120, 1), options).model), one);
}

TEST(FitByLoss, SurvivesItsFile) {
  Dataset train = with_classes(100, 1);
  train.classes = {"no", "yes"};
  const Model model = fit(train, options_of(Loss::logistic)).model;
  const std::string text = to_json(model);
  EXPECT_NE(text.find("\"format_version\": 6"), std::string::npos);
  const Model back = model_from_json(text, "test");
  EXPECT_EQ(back.classes, model.classes);
  EXPECT_EQ(back.predict(train.X), model.predict(train.X));
  EXPECT_EQ(to_json(back), text);
}

TEST(FitByLoss, OfAQuantileDoesNotFollowFromSufficientStatistics) {
  const Model model = fit(with_classes(100, 1), options_of(Loss::quantile)).model;
  expect_parts(message_of<std::exception>([&] { require_refit(model, "m.json"); }),
               {"m.json", "loss quantile", "Fit the model again"});
}

TEST(FitByLoss, RefusesTargetsThatTheLossIsNotFor) {
  Dataset train = with_classes(50, 1);
  train.y[3] = 2.0;
  expect_parts(message_of<std::exception>([&] { (void)fit(train, options_of(Loss::logistic)); }),
               {"row 4", "2 is not a class, 0 or 1"});
  train.y.assign(50, 0.0);
  train.y[0] = 1.0;
  expect_parts(message_of<std::exception>([&] { (void)fit(train, options_of(Loss::logistic)); }),
               {"class 1", "has 1 row"});
  train.y[0] = 0.0;
  expect_parts(message_of<std::exception>([&] { (void)fit(train, options_of(Loss::logistic)); }),
               {"class 1", "has 0 rows"});
  expect_parts(message_of<std::exception>([&] { (void)fit(train, options_of(Loss::poisson)); }),
               {"every value of", "is 0"});
  train.y[2] = 1.5;
  expect_parts(message_of<std::exception>([&] { (void)fit(train, options_of(Loss::poisson)); }),
               {"row 3", "1.5 is not a count"});
  train.y[2] = -1.0;
  expect_parts(message_of<std::exception>([&] { (void)fit(train, options_of(Loss::poisson)); }),
               {"row 3", "-1 is not a count"});
}

TEST(FitByLoss, RefusesExposureThatIsNoneOrForAnotherLoss) {
  Dataset train = with_counts(50, 1);
  train.exposure.assign(50, 1.0);
  expect_parts(message_of<std::exception>([&] { (void)fit(train, options_of(Loss::squared)); }),
               {"exposure applies to counts"});
  train.exposure[5] = 0.0;
  expect_parts(message_of<std::exception>([&] { (void)fit(train, options_of(Loss::poisson)); }),
               {"row 6", "exposure 0"});
}

TEST(FitByLoss, IsRefusedByOtherMethodsAndBesideATargetForm) {
  FitOptions options = options_of(Loss::logistic);
  options.terms = {};
  options.method = "shrimp";
  expect_parts(message_of<std::exception>([&] { (void)fit(with_classes(50, 1), options); }),
               {"loss has no effect on method shrimp"});
  options.method = "auto";
  options.terms.target_form = TargetForm::log;
  Dataset train = with_counts(50, 1);
  for (double& y : train.y) y += 1.0;
  options.loss = Loss::poisson;
  expect_parts(message_of<std::exception>([&] { (void)fit(train, options); }),
               {"target-transform applies to loss squared"});
}

double unexplained(const Model& model, const Dataset& data) {
  const double mean = std::accumulate(data.y.begin(), data.y.end(), 0.0) / static_cast<double>(data.y.size());
  return test::mean_squared_error(model.predict(data.X), data.y) /
         test::mean_squared_error(std::vector<double>(data.y.size(), mean), data.y);
}

TEST(FitByLoss, LeavesAModelWhereverItIsStopped) {
  for (const auto& [loss, train] : of_each_loss(150)) {
    for (const int last : {1, 3, 8}) {
      std::atomic<bool> stop = false;
      int steps = 0;
      std::function<Model()> best;
      FitObserver observer;
      observer.stop = &stop;
      observer.on_step = [&](const FitProgress&) { stop = stop || ++steps == last; };
      observer.on_better = [&](std::function<Model()> make) { best = std::move(make); };
      EXPECT_THROW((void)fit(train, options_of(loss), nullptr, nullptr, observer), Interrupted);
      ASSERT_TRUE(best);
      EXPECT_LT(unexplained(best(), train), 0.8) << name_of(loss) << " at step " << last;
    }
  }
}

TEST(FitByLoss, SaysHowManyColumnsThereAreAndTheErrorOnceItIsKnown) {
  FitOptions options = options_of(Loss::logistic);
  options.terms.quick_error = false;
  std::vector<FitProgress> steps;
  FitObserver observer;
  observer.on_step = [&](const FitProgress& step) { steps.push_back(step); };
  (void)fit(with_classes(120, 1), options, nullptr, nullptr, observer);
  bool is_known = false;
  for (const FitProgress& step : steps) {
    EXPECT_GT(step.basis_functions, 0U) << step.what;
    is_known = is_known || step.what.starts_with("comparing") || step.what.starts_with("estimating the error");
    EXPECT_EQ(std::isnan(step.validation_mse), !(step.validation_mse > 0.0));
    if (is_known) {
      EXPECT_GT(step.validation_mse, 0.0) << step.what;
    }
  }
  EXPECT_TRUE(is_known);
}

// Included terms are there from the start; nothing else is, where no time is left.
TEST(FitByLoss, EndsWithItsFirstModelWhereTheSecondsAreOver) {
  for (const auto& [loss, train] : of_each_loss(150)) {
    FitOptions options = options_of(loss);
    options.terms.quick_error = false;
    options.terms.budget_seconds = 1e-9;
    options.terms.include = {{"x1"}, {"x2"}};
    FitObserver observer;
    observer.on_step = [](const FitProgress& step) {
      EXPECT_FALSE(step.what.starts_with("estimating the error") || step.what.starts_with("comparing")) << step.what;
    };
    const FitResult result = fit(train, options, nullptr, nullptr, observer);
    EXPECT_LT(unexplained(result.model, train), 0.8) << name_of(loss);
    EXPECT_GT(result.validation_mse, 0.0);
    EXPECT_TRUE(std::isfinite(result.validation_mse));
    EXPECT_EQ(result.warnings.size(), 1U);
  }
}

}  // namespace fit_by_loss_test
}  // namespace shrimp

// Categories and missing cells as a caller of fit sees them.
#include <gtest/gtest.h>

#include <cmath>

#include "data/encode.hpp"
#include "shrimp/explain.hpp"
#include "support.hpp"

namespace shrimp {
namespace kinds_test {

using test::expect_parts;
using test::message_of;
using test::Random;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

FitOptions quick() {
  FitOptions options;
  options.terms.quick_error = true;
  options.machine.threads = 1;
  return options;
}

// y = an effect of the level, and a wave of x in one level alone.
Dataset with_category(std::size_t rows, std::uint64_t seed, double noise) {
  Random random(seed);
  Dataset data;
  data.target = "y";
  data.inputs = {"x", "color", "idle"};
  data.columns = {{}, {.kind = ColumnKind::category, .levels = {"red", "green", "blue"}}, {}};
  data.X = Matrix(rows, 3);
  for (std::size_t i = 0; i < rows; ++i) {
    const double level = static_cast<double>(i % 3);
    data.X(i, 0) = random();
    data.X(i, 1) = level;
    data.X(i, 2) = random();
    data.y.push_back((level == 1.0   ? 1.0
                      : level == 2.0 ? -0.5
                                     : 2.0 * std::sin(3.0 * data.X(i, 0))) +
                     noise * random());
  }
  return data;
}

bool has_term(const Model& model, const std::vector<std::string>& inputs) {
  for (const Term& term : model.terms) {
    std::vector<std::string> names;
    for (const std::uint32_t j : term.variables) names.push_back(model.inputs[j]);
    if (names == inputs && term.fraction > 0.05) return true;
  }
  return false;
}

double error_on(const Model& model, const Dataset& raw) {
  const Dataset data = encode(raw, model.inputs, model.columns);
  return test::mean_squared_error(model.predict(data.X), data.y);
}

TEST(FitOfKinds, FindsTheEffectsOfACategoryAloneAndTogetherWithANumber) {
  const FitResult result = fit(with_category(300, 1, 0.1), quick());
  EXPECT_EQ(result.model.columns[1].levels, (std::vector<std::string>{"blue", "green", "red"}));
  EXPECT_TRUE(has_term(result.model, {"color"}));
  EXPECT_TRUE(has_term(result.model, {"x", "color"}));
  EXPECT_FALSE(has_term(result.model, {"idle"}));
  EXPECT_LT(error_on(result.model, with_category(300, 2, 0.0)), 0.01);
}

// Diesel cars among many others: six rows of the same sign say little by their signs, and much by how far off they are.
TEST(FitOfKinds, FindsALevelOfFewRowsThatIsFarOff) {
  Random random(6);
  Dataset data;
  data.target = "y";
  data.inputs = {"x", "fuel"};
  data.columns = {{}, {.kind = ColumnKind::category, .levels = {"diesel", "petrol", "regular"}}};
  data.X = Matrix(180, 2);
  for (std::size_t i = 0; i < 180; ++i) {
    const double fuel = i % 30 == 0 ? 0.0 : static_cast<double>(1 + i % 2);
    data.X(i, 0) = random();
    data.X(i, 1) = fuel;
    data.y.push_back(data.X(i, 0) + (fuel == 0.0 ? 4.0 : 0.0) + 0.3 * random());
  }
  const FitResult result = fit(data, quick());
  EXPECT_TRUE(has_term(result.model, {"fuel"}));
  EXPECT_LT(error_on(result.model, data), 0.1);
}

TEST(FitOfKinds, ACategoryOfManyLevelsIsNotFoundInNoise) {
  Random random(3);
  Dataset data;
  data.target = "y";
  data.inputs = {"x", "who"};
  data.columns = {{}, {.kind = ColumnKind::category, .levels = {}}};
  for (int k = 0; k < 40; ++k) data.columns[1].levels.push_back("p" + std::to_string(k));
  data.X = Matrix(400, 2);
  for (std::size_t i = 0; i < 400; ++i) {
    data.X(i, 0) = random();
    data.X(i, 1) = static_cast<double>(i % 40);
    data.y.push_back(random());
  }
  EXPECT_TRUE(fit(data, quick()).model.terms.empty());
}

TEST(FitOfKinds, TheModelFileKeepsLevelsAndPredictsTheSame) {
  const Dataset data = with_category(150, 4, 0.1);
  const Model model = fit(data, quick()).model;
  const std::string text = to_json(model);
  expect_parts(text, {"\"format_version\": 5", "\"levels\":[\"blue\",\"green\",\"red\"]"});
  const Model read = model_from_json(text, "model.json");
  const Matrix X = encode(data, model.inputs, model.columns).X;
  EXPECT_EQ(model.predict(X), read.predict(X));
  EXPECT_EQ(to_json(read), text);
}

TEST(FitOfKinds, AnUnseenLevelTakesTheMeanEffect) {
  const Model model = fit(with_category(150, 5, 0.05), quick()).model;
  Matrix X(4, model.inputs.size());
  for (std::size_t level = 0; level < 3; ++level) X(level, 1) = static_cast<double>(level);
  X(3, 1) = missing;
  const std::vector<double> y = model.predict(X);
  EXPECT_NEAR(y[3], (y[0] + y[1] + y[2]) / 3.0, 1e-9);
}

Dataset with_missing(std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  Dataset data;
  data.target = "y";
  data.inputs = {"a", "b"};
  data.X = Matrix(rows, 2);
  for (std::size_t i = 0; i < rows; ++i) {
    data.X(i, 0) = random();
    data.X(i, 1) = random();
    const bool lacks = i % 4 == 0;
    data.y.push_back(data.X(i, 0) + (lacks ? 1.5 : std::sin(3.0 * data.X(i, 1))) + 0.05 * random());
    if (lacks) data.X(i, 1) = missing;
  }
  return data;
}

TEST(FitOfKinds, MissingCellsHaveAnEffectOfTheirOwn) {
  const FitResult result = fit(with_missing(300, 6), quick());
  EXPECT_TRUE(has_term(result.model, {"missing(b)"}));
  EXPECT_LT(error_on(result.model, with_missing(200, 7)), 0.01);
}

TEST(FitOfKinds, PartsOfARowThatLacksAnInputAddUpToItsPrediction) {
  const Dataset raw = with_missing(120, 8);
  const Model model = fit(raw, quick()).model;
  const Matrix X = encode(raw, model.inputs, model.columns).X;
  const std::vector<double> predicted = model.predict(X);
  const Matrix parts = term_values(model, X);
  for (std::size_t i = 0; i < 20; ++i) {
    double sum = 0.0;
    for (std::size_t k = 0; k < parts.cols(); ++k) sum += parts(i, k);
    EXPECT_NEAR(sum, predicted[i], 1e-9);
  }
}

TEST(FitOfKinds, OtherMethodsRefuseThemByName) {
  FitOptions options = quick();
  options.terms.quick_error = false;
  options.method = "shrimp";
  expect_parts(message_of<OptionError>([&] { (void)fit(with_category(60, 9, 0.1), options); }),
               {"method shrimp takes numbers", "\"color\" is a category", "method auto"});
  expect_parts(message_of<OptionError>([&] { (void)fit(with_missing(60, 9), options); }), {"\"b\" has missing cells"});
}

TEST(FitOfKinds, SlopesAreRefusedWhereAnInputIsMissing) {
  const Dataset raw = with_missing(60, 10);
  const Model model = fit(raw, quick()).model;
  const Matrix X = encode(raw, model.inputs, model.columns).X;
  expect_parts(message_of<DataError>([&] { (void)gradient(model, X); }), {"\"b\" is missing"});
}

}  // namespace kinds_test
}  // namespace shrimp

#include <filesystem>

#include "shrimp/classes.hpp"
#include "shrimp/errors.hpp"
#include "support.hpp"

namespace shrimp {
namespace class_model_test {

// f_a = 0.5 + x, f_b = −0.25 − 2x, f_c = −0.25 + x, on one input.
ClassModel three_lines() {
  ClassModel model;
  model.classes = {"a", "b", "c"};
  model.intercepts = {0.5, -0.25, -0.25};
  model.coefficients = {{1.0}, {-2.0}, {1.0}};
  model.fractions = {{1.0}, {1.0}, {1.0}};
  Model& shared = model.shared;
  shared.inputs = {"x"};
  shared.target = "kind";
  shared.method = "auto";
  shared.scaling = Scaling::none(1);
  const std::uint32_t input = 0;
  const double weight = 1.0;
  shared.dictionary.weights.append({&input, 1}, {&weight, 1});
  shared.dictionary.rows = {0};
  shared.dictionary.functions = {Function::identity};
  shared.terms = {{{0}, 1, 1.0, {}}};
  shared.options = {{"loss", "multinomial"}};
  shared.results = {{"rows", 10.0}};
  return model;
}

Matrix inputs() {
  Matrix X(3, 1);
  X(0, 0) = -1.0;
  X(1, 0) = 0.0;
  X(2, 0) = 500.0;
  return X;
}

TEST(ClassModel, HasTheProbabilitiesOfItsLinearPredictors) {
  const Matrix P = three_lines().predict_probabilities(inputs());
  const double total = std::exp(0.5) + 2.0 * std::exp(-0.25);
  EXPECT_NEAR(P(1, 0), std::exp(0.5) / total, 1e-14);
  EXPECT_NEAR(P(1, 2), std::exp(-0.25) / total, 1e-14);
  EXPECT_DOUBLE_EQ(P(2, 1), 0.0);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(P(i, 0) + P(i, 1) + P(i, 2), 1.0, 1e-14);
}

TEST(ClassModel, OfOneClassPredictsTheCentredLogarithmOfItsProbability) {
  const ClassModel model = three_lines();
  const Matrix P = model.predict_probabilities(inputs());
  for (std::size_t k = 0; k < 3; ++k) {
    const Model own = model.model_of(k);
    EXPECT_EQ(own.target, "logit(" + model.classes[k] + ")");
    const std::vector<double> f = own.predict(inputs());
    for (std::size_t i = 0; i < 2; ++i) {
      const double mean = (std::log(P(i, 0)) + std::log(P(i, 1)) + std::log(P(i, 2))) / 3.0;
      EXPECT_NEAR(f[i], std::log(P(i, k)) - mean, 1e-13);
    }
  }
}

TEST(ClassModel, ComesBackFromItsFile) {
  const ClassModel model = three_lines();
  const std::string path = std::filesystem::temp_directory_path() / "shrimp_class_model_test.json";
  save_model(model, path);
  const ClassModel again = load_class_model(path);
  EXPECT_EQ(to_json(again), to_json(model));
  EXPECT_EQ(again.coefficients, model.coefficients);
  EXPECT_TRUE(std::holds_alternative<ClassModel>(load_any_model(path)));
  test::expect_parts(test::message_of<ModelFileError>([&] { (void)load_model(path); }),
                     {"a model of several classes", "ShrimpClassifier.load"});
  std::filesystem::remove(path);
}

TEST(ClassModel, IsRefusedWhereItsListsHaveOtherLengths) {
  std::string text = to_json(three_lines());
  text.replace(text.find("[0.5,"), 5, "[");
  test::expect_parts(test::message_of<ModelFileError>([&] { (void)class_model_from_json(text, "m.json"); }),
                     {"m.json is damaged", "\"intercepts\"", "number of classes"});
}

TEST(ClassModel, OfAnEarlierVersionIsForPython) {
  const std::string text = R"({"format": "shrimp-classes", "format_version": 1, "classes": ["a"], "models": [],
                               "method": "auto", "target": "y", "inputs": []})";
  test::expect_parts(test::message_of<ModelFileError>([&] { (void)class_model_from_json(text, "m.json"); }),
                     {"m.json", "ShrimpClassifier.load"});
}

}  // namespace class_model_test
}  // namespace shrimp

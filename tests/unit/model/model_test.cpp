#include "shrimp/model.hpp"

#include "support.hpp"

namespace shrimp {
namespace model_test {

// f(x) = 10 + 3·(2 cos(z1) − 0.5 sin(0.5 z1 − z2)) with z = ((x1 − 1)/2, x2 + 1).
Model make_model() {
  Model model;
  model.inputs = {"a", "b"};
  model.target = "y";
  model.method = "shrimp";
  model.scaling = {{1.0, -1.0}, {2.0, 1.0}, 10.0, 3.0};
  model.dictionary.weights.append(std::vector<std::uint32_t>{0}, std::vector<double>{1.0});
  model.dictionary.weights.append(std::vector<std::uint32_t>{0, 1}, std::vector<double>{0.5, -1.0});
  model.dictionary.rows = {0, 1};
  model.dictionary.functions = {Function::cos, Function::sin};
  model.coefficients = {2.0, -0.5};
  return model;
}

TEST(Model, PredictsItsFormula) {
  const Matrix X = test::random_matrix(1500, 2, 1);
  const std::vector<double> f = make_model().predict(X);
  ASSERT_EQ(f.size(), 1500U);
  for (std::size_t i = 0; i < f.size(); ++i) {
    const double z1 = (X(i, 0) - 1.0) / 2.0;
    const double z2 = X(i, 1) + 1.0;
    EXPECT_NEAR(f[i], 10.0 + 3.0 * (2.0 * std::cos(z1) - 0.5 * std::sin(0.5 * z1 - z2)), 1e-13);
  }
}

TEST(Model, CountsTheRowsItHoldsAtTheEdge) {
  Model model = make_model();
  model.inputs.push_back("idle");
  model.scaling.input_mean.push_back(0.0);
  model.scaling.input_scale.push_back(1.0);
  Matrix X(4, 3);
  const double a[] = {-1.0, -1.5, 2.0, 9.0};
  const double b[] = {0.0, 0.0, 0.5, -9.0};
  std::ranges::copy(a, X.col(0).begin());
  std::ranges::copy(b, X.col(1).begin());
  std::ranges::fill(X.col(2), 99.0);
  EXPECT_EQ(clipped_rows(model, X).rows, 0U);
  EXPECT_EQ(clipping_warning(model, clipped_rows(model, X)), "");

  model.scaling.input_lowest = {-1.0, -0.5, 0.0};
  model.scaling.input_highest = {2.0, 0.5, 1.0};
  const ClippedRows clipped = clipped_rows(model, X);
  EXPECT_EQ(clipped.of, 4U);
  EXPECT_EQ(clipped.rows, 2U);
  EXPECT_EQ(clipped.by_input, (std::vector<std::size_t>{2, 1, 0}));  // No column looks at the third.
  EXPECT_EQ(clipping_warning(model, clipped),
            "2 of 4 rows lie outside the training range and were held at its edge: a (2), b (1).");
  EXPECT_THROW((void)clipped_rows(model, Matrix(4, 2)), std::invalid_argument);
}

TEST(Model, PredictsTheSameOnAnyNumberOfThreadsAndAnyPartOfTheRows) {
  const Matrix X = test::random_matrix(1500, 2, 2);
  const Model model = make_model();
  const std::vector<double> whole = model.predict(X, 1);
  EXPECT_EQ(whole, model.predict(X, 3));
  const std::vector<double> part = model.predict(MatrixView{X.data() + 700, 20, 2, 1500});
  EXPECT_TRUE(std::ranges::equal(part, std::span(whole).subspan(700, 20)));
}

TEST(Model, PredictsNothingForNoRows) { EXPECT_TRUE(make_model().predict(Matrix(0, 2)).empty()); }

TEST(Model, RefusesAnotherNumberOfInputs) {
  const Matrix X = test::random_matrix(3, 3, 3);
  const std::string message = test::message_of<std::invalid_argument>([&] { (void)make_model().predict(X); });
  test::expect_parts(message, {"3", "2"});
}

TEST(Model, TellsTheFormsOfInputsThatColumnsLookAt) {
  Model model = make_model();
  EXPECT_TRUE(input_forms(model).empty());
  model.inputs = {"a", "b", "idle"};
  model.scaling.input_warps = {Warp{Warp::Kind::log, false, {}, {}}, {}, Warp{Warp::Kind::log, false, {}, {}}};
  EXPECT_EQ(input_forms(model), (std::vector<std::pair<std::size_t, std::string>>{{0, "log"}}));
}

TEST(Model, NamesItsTerms) {
  EXPECT_EQ(make_model().term_name({{1}, 1, 0.5}), "b");
  EXPECT_EQ(make_model().term_name({{0, 1}, 1, 0.5}), "(a, b)");
}

TEST(Model, NamesTermsOfManyInputsInShort) {
  Model model;
  model.inputs = {"a", "b", "c", "d", "e", "f"};
  EXPECT_EQ(model.short_term_name({{1}, 1, 0.5}), "b");
  EXPECT_EQ(model.short_term_name({{0, 1, 3, 5}, 1, 0.5}), "(a, b, d, f)");
  EXPECT_EQ(model.short_term_name({{0, 1, 3, 4, 5}, 1, 0.5}), "(a, b, d, … 5 inputs)");
  EXPECT_EQ(model.term_name({{0, 1, 3, 4, 5}, 1, 0.5}), "(a, b, d, e, f)");
}

TEST(Model, WithoutColumnsIsTheMeanOfItsTarget) {
  Model model = make_model();
  model.dictionary = {};
  model.coefficients.clear();
  EXPECT_EQ(model.predict(test::random_matrix(2, 2, 4)), (std::vector<double>{10.0, 10.0}));
}

}  // namespace model_test
}  // namespace shrimp

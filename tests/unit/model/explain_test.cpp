#include "shrimp/explain.hpp"

#include "data/marginals.hpp"
#include "data/standardize.hpp"
#include "data/target_form.hpp"
#include "data/warp.hpp"
#include "features/bases.hpp"
#include "model/terms.hpp"
#include "support.hpp"

namespace shrimp {
namespace explain_test {

Dataset make_dataset(std::size_t rows) {
  Dataset data;
  data.inputs = {"a", "b", "c"};
  data.target = "y";
  data.X = test::random_matrix(rows, 3, 1);
  for (std::size_t i = 0; i < rows; ++i) {
    data.y.push_back(5.0 + std::sin(3.0 * data.X(i, 0)) + 2.0 * data.X(i, 0) * data.X(i, 1) + data.X(i, 2));
  }
  return data;
}

struct Case {
  std::string method;
  std::optional<Basis> basis;
  std::vector<int> orders;
};

// Some of each kind, and every basis that there is, with all columns kept.
const std::vector<Case> cases = [] {
  std::vector<Case> all = {{"shrimp", Basis::fourier, {1, 2}},
                           {"shrimp", Basis::cosine, {3}},
                           {"shrimp", Basis::relu, {2}},
                           {"min-l2", Basis::tanh, {1, 3}},
                           {"lasso", Basis::linear, {1}},
                           {"salsa", {}, {2}},
                           {"krr", {}, {3}},
                           {"ssam", {}, {1, 2}}};
  for (const BasisRow& row : all_bases()) all.push_back({"min-l2", row.basis, {1, 2}});
  return all;
}();

Model fit_case(const Case& own, std::size_t rows = 120) {
  FitOptions options;
  options.method = own.method;
  options.draw.basis = own.basis;
  options.orders = {own.orders};
  options.draw.features = 40;
  return fit(make_dataset(rows), options).model;
}

TEST(TermValues, SumToThePrediction) {
  const Matrix X = test::random_matrix(50, 3, 2);
  for (const Case& own : cases) {
    const Model model = fit_case(own);
    const Matrix values = term_values(model, X);
    ASSERT_EQ(values.cols(), 1 + model.terms.size()) << model.method;
    test::expect_near(test::times(values, std::vector<double>(values.cols(), 1.0)), model.predict(X), 1e-7);
  }
}

// With 60 rows the marginals are exact, so a main effect's mean over the training rows is zero. (tanh of three inputs
// is averaged over a sample.)
TEST(TermValues, OfMainEffectsHaveMeanZeroOverTheTrainingRows) {
  const Dataset train = make_dataset(60);
  for (const Case& own : cases) {
    if (own.basis == Basis::tanh && own.orders.back() == 3) continue;
    const Model model = fit_case(own, 60);
    const Matrix values = term_values(model, train.X);
    for (std::size_t k = 0; k < model.terms.size(); ++k) {
      if (model.terms[k].variables.size() != 1) continue;
      double mean = 0.0;
      for (const double value : values.col(1 + k)) mean += value / 60.0;
      EXPECT_NEAR(mean, 0.0, 1e-9) << model.method << ' ' << model.term_name(model.terms[k]);
    }
  }
}

TEST(TermValues, HaveTheSharesOfTheTerms) {
  const Dataset train = make_dataset(120);
  const Model model = fit_case(cases.front());
  const Matrix values = term_values(model, train.X);
  std::vector<double> variances;
  double total = 0.0;
  for (std::size_t k = 0; k < model.terms.size(); ++k) {
    double mean = 0.0;
    double squares = 0.0;
    for (const double value : values.col(1 + k)) mean += value / 120.0;
    for (const double value : values.col(1 + k)) squares += (value - mean) * (value - mean);
    variances.push_back(squares);
    total += squares;
  }
  for (std::size_t k = 0; k < variances.size(); ++k) EXPECT_NEAR(variances[k] / total, model.terms[k].fraction, 1e-9);
}

TEST(TermValues, DependOnTheInputsOfTheirTermAlone) {
  const Model model = fit_case(cases.front());
  Matrix X = test::random_matrix(20, 3, 3);
  const Matrix before = term_values(model, X);
  std::ranges::fill(X.col(2), 0.3);
  const Matrix after = term_values(model, X);
  for (std::size_t k = 0; k < model.terms.size(); ++k) {
    if (std::ranges::find(model.terms[k].variables, 2U) != model.terms[k].variables.end()) continue;
    test::expect_near(after.col(1 + k), before.col(1 + k), 1e-10);
  }
}

TEST(TermValues, SurviveTheModelFile) {
  const Matrix X = test::random_matrix(20, 3, 4);
  for (const Case& own : cases) {
    const Model model = fit_case(own);
    const Model read = model_from_json(to_json(model), "model");
    const Matrix a = term_values(model, X);
    const Matrix b = term_values(read, X);
    for (std::size_t k = 0; k < a.cols(); ++k) EXPECT_TRUE(std::ranges::equal(a.col(k), b.col(k)));
  }
}

TEST(TermValues, AreRefusedWithoutMarginals) {
  Model model = fit_case(cases.front());
  model.marginals.clear();
  const std::string message =
      test::message_of<std::invalid_argument>([&] { (void)term_values(model, test::random_matrix(2, 3, 1)); });
  test::expect_parts(message, {"marginal distributions", "Fit it again"});
}

TEST(Gradient, IsTheLimitOfDifferences) {
  const double h = 1e-5;
  for (const Case& own : cases) {
    const Model model = fit_case(own);
    const Matrix X = test::random_matrix(30, 3, 5);
    const Matrix G = gradient(model, X);
    for (std::size_t j = 0; j < 3; ++j) {
      Matrix above(X);
      Matrix below(X);
      for (std::size_t i = 0; i < 30; ++i) {
        above(i, j) += h;
        below(i, j) -= h;
      }
      const std::vector<double> up = model.predict(above);
      const std::vector<double> down = model.predict(below);
      for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(G(i, j), (up[i] - down[i]) / (2.0 * h), 1e-4) << model.method;
    }
  }
}

// Terms of up to three inputs and one of all; those that are not listed count to one that is.
TEST(TermValues, OfAKernelProductOnManyInputsSumToThePrediction) {
  const Matrix X = test::random_matrix(60, 7, 5);
  for (const Law law : {Law::normal, Law::student_t, Law::cauchy}) {
    Model model;
    model.inputs = {"a", "b", "c", "d", "e", "f", "g"};
    model.scaling = {std::vector<double>(7, 0.1), std::vector<double>(7, 2.0), 1.0, 3.0};
    model.dictionary =
        kernel_sections_on(test::random_matrix(15, 7, 6), {0, 1, 2, 4, 5, 6}, {0.5, 0.2, 1.0, 1.0, 0.3, 0.1, 0.8}, law);
    model.coefficients = test::random_vector(15, 7);
    model.marginals = marginals_of(X, {});
    const Matrix Z = scale_inputs(X, model.scaling);
    model.terms =
        make_terms(model.dictionary, scale_marginals(model.marginals, model.scaling), Z, {}, model.coefficients).terms;
    ASSERT_GT(model.terms.size(), 6U + 15U + 1U);
    std::erase_if(model.terms, [](const Term& term) { return term.variables.size() == 3; });
    const Matrix values = term_values(model, X);
    const std::vector<double> f = model.predict(X);
    for (std::size_t i = 0; i < X.rows(); ++i) {
      double sum = 0.0;
      for (std::size_t k = 0; k < values.cols(); ++k) sum += values(i, k);
      EXPECT_NEAR(sum, f[i], 1e-12);
    }
    for (std::size_t k = 0; k < model.terms.size(); ++k) {
      if (model.terms[k].variables.size() > 1) continue;
      double mean = 0.0;
      for (const double value : values.col(1 + k)) mean += value / 60.0;
      EXPECT_NEAR(mean, 0.0, 1e-12);
    }
  }
}

Model model_of_one_kernel_column() {
  Model model;
  model.inputs = {"a", "b"};
  model.target = "y";
  model.scaling = {{0.0, 1.0}, {1.0, 2.0}, 1.0, 1.0};
  model.dictionary.weights.append(std::vector<std::uint32_t>{0, 1}, std::vector<double>{0.5, -1.0});
  model.dictionary.rows = {0};
  model.dictionary.functions = {Function::kernel};
  model.dictionary.gamma = {1.0, 2.0};
  model.coefficients = {5.0};
  return model;
}

TEST(Gradient, OfKernelsOfEveryLawAndDegreeIsTheLimitOfDifferences) {
  const double h = 1e-6;
  const Matrix X = test::random_matrix(20, 4, 5);
  for (const Law law : {Law::normal, Law::student_t, Law::cauchy}) {
    for (const int degree : {0, 1, 3}) {
      Model model;
      model.inputs = {"a", "b", "c", "d"};
      model.scaling = {{0.1, 0.2, 0.3, 0.4}, {1.0, 2.0, 0.5, 1.5}, 1.0, 2.0};
      model.dictionary = kernel_sections(test::random_matrix(6, 4, 6), {0.5, 1.0, 0.2, 2.0}, 4);
      model.dictionary.kernel_order = degree;
      model.dictionary.kernel_law = law;
      model.coefficients = test::random_vector(6, 7);
      const Matrix G = gradient(model, X);
      for (std::size_t j = 0; j < 4; ++j) {
        Matrix above(X);
        Matrix below(X);
        for (double& value : above.col(j)) value += h;
        for (double& value : below.col(j)) value -= h;
        const std::vector<double> up = model.predict(above);
        const std::vector<double> down = model.predict(below);
        for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(G(i, j), (up[i] - down[i]) / (2.0 * h), 1e-7);
      }
    }
  }
}

TEST(Gradient, AtTheKinkOfALaplaceKernelIsNone) {
  Model model = model_of_one_kernel_column();
  model.dictionary.kernel_law = Law::cauchy;
  Matrix X(1, 2);
  X(0, 0) = 0.5;
  X(0, 1) = 3.0;
  const Matrix G = gradient(model, X);
  EXPECT_EQ(G(0, 0), 0.0);
  EXPECT_NEAR(G(0, 1), -5.0 * std::exp(-4.0), 1e-15);
}

TEST(Equation, OfALinearModelIsItsFormula) {
  Model model;
  model.inputs = {"a", "room size"};
  model.target = "y";
  model.scaling = {{1.0, 2.0}, {2.0, 0.5}, 10.0, 4.0};
  for (const std::uint32_t j : {0U, 1U}) {
    model.dictionary.weights.append(std::vector<std::uint32_t>{j}, std::vector<double>{1.0});
    model.dictionary.rows.push_back(j);
    model.dictionary.functions.push_back(Function::identity);
  }
  model.coefficients = {0.5, -1.0};
  EXPECT_EQ(equation(model), "y = 25 + 1*a - 8*`room size`");
}

TEST(Equation, WritesEveryKindOfColumn) {
  Model model;
  model.inputs = {"a", "b"};
  model.target = "y";
  model.scaling = {{0.0, 1.0}, {1.0, 2.0}, 1.0, 1.0};
  model.dictionary.weights.append(std::vector<std::uint32_t>{0, 1}, std::vector<double>{0.5, -1.0});
  model.dictionary.rows = {0, 0, 0, 0, 0};
  model.dictionary.functions = {Function::cos, Function::sin, Function::relu, Function::tanh, Function::kernel};
  model.dictionary.gamma = {1.0, 2.0};
  model.coefficients = {1.0, -2.0, 3.0, 4.0, 5.0};
  EXPECT_EQ(equation(model, 3),
            "y = 1 + 1*cos(0.5*a - 0.5*b + 0.5) - 2*sin(0.5*a - 0.5*b + 0.5) + 3*max(0, 0.5*a - 0.5*b + 0.5)"
            " + 4*tanh(0.5*a - 0.5*b + 0.5) + 5*exp(-1*(a - 0.5)^2 - 0.5*(b + 1)^2)");
  model.dictionary.kernel_order = 1;
  test::expect_parts(equation(model, 3), {"5*e1(exp(-1*(a - 0.5)^2), exp(-0.5*(b + 1)^2))"});
}

TEST(Equation, WritesKernelsOfOtherLawsInTheInputsOwnUnits) {
  Model model = model_of_one_kernel_column();
  model.dictionary.kernel_law = Law::cauchy;
  EXPECT_EQ(equation(model, 3), "y = 1 + 5*exp(-1*abs(a - 0.5) - 1*abs(b + 1))");
  model.dictionary.kernel_law = Law::student_t;
  EXPECT_EQ(equation(model, 3),
            "y = 1 + 5*(1 + 1*abs(a - 0.5))*(1 + 1*abs(b + 1))*exp(-1*abs(a - 0.5) - 1*abs(b + 1))");
  model.dictionary.kernel_order = 1;
  test::expect_parts(equation(model, 3),
                     {"e1((1 + 1*abs(a - 0.5))*exp(-1*abs(a - 0.5)), (1 + 1*abs(b + 1))*exp(-1*abs(b + 1)))"});
}

TEST(Equation, NamesEveryInputThatAColumnOfAnyFunctionLooksAt) {
  for (const FunctionRow& phi : all_functions()) {
    Model model;
    model.inputs = {"first", "second", "third"};
    model.target = "y";
    model.scaling = {{0.5, 0.0, 1.0}, {1.0, 1.0, 2.0}, 0.0, 1.0};
    model.dictionary.weights.append(std::vector<std::uint32_t>{0, 2}, std::vector<double>{0.5, -1.0});
    model.dictionary.rows = {0};
    model.dictionary.functions = {phi.function};
    model.dictionary.gamma = {1.0, 1.0, 1.0};
    model.coefficients = {3.0};
    const std::string text = equation(model);
    test::expect_parts(text, {"first", "third"});
    EXPECT_FALSE(test::contains(text, "second")) << text;
  }
}

TEST(Equation, RefusesToRoundToNothing) { EXPECT_THROW((void)equation(fit_case(cases.front()), 0), OptionError); }

// The columns of a fit on inputs a by its logarithm (below zero) and b by rank, with coefficients that do not cancel.
Model with_forms(const Case& own, TargetForm form) {
  Dataset data = make_dataset(120);
  for (double& x : data.X.col(0)) x = -std::exp(x);
  Scaling scaling = standardizing(data);
  limit_inputs(scaling, data.X, 0.1);
  warp_inputs(scaling, data, {log_warp(data.X.col(0)), rank_warp(data.X.col(1)), {}});
  Model model = fit_case(own);
  scaling.target_mean = 1.5;
  scaling.target_scale = 0.5;
  scaling.target_form = form;
  scaling.target_correction = 1.25;
  model.scaling = scaling;
  model.marginals = marginals_of(data.X, {});
  model.coefficients = test::random_vector(model.coefficients.size(), 7);
  const double size = norm(model.coefficients);
  for (double& c : model.coefficients) c /= size;
  return model;
}

// Rows within the range of the training rows.
Matrix rows_for_forms(std::size_t rows) {
  Matrix X = test::random_matrix(rows, 3, 5);
  for (double& x : X.col(0)) x = -std::exp(0.9 * x);
  return X;
}

constexpr TargetForm all_forms[] = {TargetForm::identity, TargetForm::log, TargetForm::sqrt};

TEST(TermValues, OfFormsSumToTheTargetInItsForm) {
  const Matrix X = rows_for_forms(50);
  for (const Case& own : cases) {
    for (const TargetForm form : all_forms) {
      const Model model = with_forms(own, form);
      const Matrix values = term_values(model, X);
      Scaling sums = model.scaling;
      sums.target_mean = 0.0;
      sums.target_scale = 1.0;
      std::vector<double> y = test::times(values, std::vector<double>(values.cols(), 1.0));
      for (double& value : y) value = target_value(sums, value);
      test::expect_near(y, model.predict(X), 1e-9);
    }
  }
}

TEST(Gradient, OfFormsIsTheLimitOfDifferences) {
  const double h = 1e-6;
  const Matrix X = rows_for_forms(30);
  for (const Case& own : cases) {
    if (own.basis == Basis::relu) continue;  // Kinks.
    for (const TargetForm form : all_forms) {
      const Model model = with_forms(own, form);
      const Matrix G = gradient(model, X);
      for (std::size_t j = 0; j < 3; ++j) {
        Matrix above(X);
        Matrix below(X);
        for (std::size_t i = 0; i < 30; ++i) {
          above(i, j) += h;
          below(i, j) -= h;
        }
        const std::vector<double> up = model.predict(above);
        const std::vector<double> down = model.predict(below);
        for (std::size_t i = 0; i < 30; ++i) {
          EXPECT_NEAR(G(i, j), (up[i] - down[i]) / (2.0 * h), 1e-6 * (1.0 + std::abs(G(i, j)))) << model.method;
        }
      }
    }
  }
}

TEST(Gradient, IsZeroBeyondLimitsAndKnots) {
  const Model model = with_forms(cases.front(), TargetForm::log);
  Matrix X(1, 3);
  for (const double beyond : {-1e9, 1e9}) {
    std::ranges::fill(std::span(X.data(), 3), beyond);
    const Matrix G = gradient(model, X);
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(G(0, j), 0.0);
  }
}

TEST(Equation, WritesFormsOfInputsAndTarget) {
  Model model;
  model.inputs = {"a", "b", "rank"};
  model.target = "y";
  model.scaling = {{0.5, 0.0, 1.0}, {0.25, 1.0, 2.0}, 1.0, 2.0};
  model.scaling.input_warps = {rank_warp(std::vector<double>{1.0, 2.0}), log_warp(std::vector<double>{-1.0}),
                               log_warp(std::vector<double>{1.0})};
  model.dictionary.weights.append(std::vector<std::uint32_t>{0, 1}, std::vector<double>{0.5, -1.0});
  model.dictionary.weights.append(std::vector<std::uint32_t>{2}, std::vector<double>{1.0});
  model.dictionary.rows = {0, 1, 0};
  model.dictionary.functions = {Function::cos, Function::identity, Function::kernel};
  model.dictionary.gamma = {1.0, 2.0, 1.0};
  model.coefficients = {1.5, 1.0, 0.5};
  const std::string sum =
      "0 + 1*log(`rank`) + 3*cos(2*rank(a) - 1*log(-b) - 1) + 1*exp(-16*(rank(a) - 0.625)^2 - 2*(log(-b) + 1)^2)";
  EXPECT_EQ(equation(model), "y = " + sum);
  model.scaling.target_form = TargetForm::log;
  model.scaling.target_correction = 1.0;
  EXPECT_EQ(equation(model), "y = exp(" + sum + ")");
  model.scaling.target_correction = 1.02;
  EXPECT_EQ(equation(model), "y = 1.02*exp(" + sum + ")");
  model.scaling.target_form = TargetForm::sqrt;
  model.scaling.target_correction = 0.0;
  EXPECT_EQ(equation(model), "y = max(0, " + sum + ")^2");
  model.scaling.target_correction = 0.1;
  EXPECT_EQ(equation(model), "y = max(0, " + sum + ")^2 + 0.1");
}

TEST(ShortEquation, IsOfInputsAsTheyEnter) {
  Model model;
  model.inputs = {"a", "b"};
  model.target = "y";
  model.scaling = {{0.0, 0.5}, {1.0, 0.25}, 1.0, 1.0};
  const std::vector<double> a = {1.0, 2.0, 4.0, 8.0};
  const std::vector<double> b = {0.0, 1.0, 10.0, 100.0};
  model.scaling.input_warps = {log_warp(a), rank_warp(b)};
  for (const std::uint32_t j : {0U, 1U}) {
    model.dictionary.weights.append(std::vector<std::uint32_t>{j}, std::vector<double>{1.0});
    model.dictionary.rows.push_back(j);
    model.dictionary.functions.push_back(Function::identity);
  }
  model.coefficients = {2.0, 0.5};
  const std::vector<double> equal(4, 0.25);
  model.marginals = {{a, equal}, {b, equal}};
  model.terms = {{{0}, 1, 0.8, {}}, {{1}, 1, 0.2, {}}};
  const std::string lines = "\n  + 2*log(a)  # a: 80 % of the variance\n  + 2*rank(b)  # b: 20 % of the variance";
  EXPECT_EQ(short_equation(model, 2), "y = 0" + lines);
  model.scaling.target_form = TargetForm::log;
  model.scaling.target_correction = 1.25;
  EXPECT_EQ(short_equation(model, 2), "y = 1.25*exp(0" + lines + "\n)");
}

}  // namespace explain_test
}  // namespace shrimp

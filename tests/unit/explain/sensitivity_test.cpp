#include "shrimp/sensitivity.hpp"

#include <bit>
#include <map>
#include <numbers>

#include "data/marginals.hpp"
#include "explain/quadrature.hpp"
#include "explain/sobol.hpp"
#include "shrimp/contributions.hpp"
#include "support.hpp"

namespace shrimp {
namespace sensitivity_test {

using Variables = std::vector<std::uint32_t>;
using Shares = std::map<Variables, double>;

struct Column {
  Variables variables;
  std::vector<double> weights;
  Function function;
  double coefficient;
  double phase = 0.0;
};

// A model of d inputs of five values, or three where there are many: few enough for every combination.
Model model_of(const std::vector<Column>& columns, std::size_t d) {
  Model model;
  model.target = "y";
  model.scaling = Scaling::none(d);
  const bool phased = std::ranges::any_of(columns, [](const Column& column) { return column.phase != 0.0; });
  for (std::size_t j = 0; j < d; ++j) {
    model.inputs.push_back("x" + std::to_string(j + 1));
    const double shift = 0.1 * static_cast<double>(j);
    if (d > 4) {
      model.marginals.push_back({{-1.0, shift, 1.3}, {0.3, 0.2, 0.5}});
    } else {
      model.marginals.push_back({{-1.0, -0.4, shift, 0.7, 1.3}, {0.1, 0.3, 0.2, 0.15, 0.25}});
    }
  }
  for (const Column& column : columns) {
    model.dictionary.rows.push_back(static_cast<std::uint32_t>(model.dictionary.weights.size()));
    model.dictionary.functions.push_back(column.function);
    model.dictionary.weights.append(column.variables, column.weights);
    if (phased) model.dictionary.weights.phases.push_back(column.phase);
    model.coefficients.push_back(column.coefficient);
  }
  return model;
}

// All combinations of the marginals' values with their masses.
struct Grid {
  explicit Grid(const Model& model) {
    std::size_t rows = 1;
    for (const Marginal& marginal : model.marginals) rows *= marginal.values.size();
    X = Matrix(rows, model.inputs.size());
    masses.assign(rows, 1.0);
    for (std::size_t i = 0; i < rows; ++i) {
      std::size_t rest = i;
      for (std::size_t j = 0; j < model.inputs.size(); ++j) {
        const Marginal& marginal = model.marginals[j];
        const std::size_t digit = rest % marginal.values.size();
        rest /= marginal.values.size();
        X(i, j) = marginal.values[digit];
        masses[i] *= marginal.masses[digit];
        digits.push_back(digit);
      }
    }
  }

  // E[f | x_v] at every row.
  [[nodiscard]] std::vector<double> mean_given(const std::vector<double>& f, unsigned v) const {
    std::map<std::vector<std::size_t>, std::pair<double, double>> sums;
    const auto key = [&](std::size_t i) {
      std::vector<std::size_t> own(digits.begin() + static_cast<std::ptrdiff_t>(i * X.cols()),
                                   digits.begin() + static_cast<std::ptrdiff_t>((i + 1) * X.cols()));
      for (std::size_t j = 0; j < X.cols(); ++j) {
        if ((v >> j & 1U) == 0) own[j] = 0;
      }
      return own;
    };
    for (std::size_t i = 0; i < f.size(); ++i) {
      auto& [sum, mass] = sums[key(i)];
      sum += masses[i] * f[i];
      mass += masses[i];
    }
    std::vector<double> mean;
    for (std::size_t i = 0; i < f.size(); ++i) mean.push_back(sums[key(i)].first / sums[key(i)].second);
    return mean;
  }

  Matrix X{};
  std::vector<double> masses;
  std::vector<std::size_t> digits;
};

// From the definition: f_u = Σ_{v ⊆ u} (−1)^{|u|−|v|} E[f | x_v], over every combination of values.
Shares shares_by_definition(const Model& model) {
  const Grid grid(model);
  const std::vector<double> f = model.predict(grid.X);
  const unsigned subsets = 1U << model.inputs.size();
  std::vector<std::vector<double>> means;
  for (unsigned v = 0; v < subsets; ++v) means.push_back(grid.mean_given(f, v));
  Shares shares;
  double total = 0.0;
  for (unsigned u = 1; u < subsets; ++u) {
    double variance = 0.0;
    for (std::size_t i = 0; i < f.size(); ++i) {
      double component = 0.0;
      for (unsigned v = 0; v < subsets; ++v) {
        if ((v & ~u) == 0) component += (std::popcount(u ^ v) % 2 == 0 ? 1.0 : -1.0) * means[v][i];
      }
      variance += grid.masses[i] * component * component;
    }
    Variables variables;
    for (std::uint32_t j = 0; j < model.inputs.size(); ++j) {
      if ((u >> j & 1U) != 0) variables.push_back(j);
    }
    shares[variables] = variance;
    total += variance;
  }
  for (auto& [variables, share] : shares) share /= total;
  return shares;
}

// First and total orders, and all terms that are listed.
void expect_the_definition(const Model& model, double tolerance = 1e-11) {
  const Shares expected = shares_by_definition(model);
  const Sensitivity found = sensitivity(model);
  double listed = 0.0;
  for (const TermSensitivity& term : found.terms) {
    EXPECT_NEAR(term.fraction.value, expected.at(term.variables), tolerance);
    listed += term.fraction.value;
  }
  EXPECT_NEAR(listed + found.unlisted, 1.0, tolerance);
  for (std::uint32_t j = 0; j < model.inputs.size(); ++j) {
    double total = 0.0;
    for (const auto& [variables, share] : expected) {
      if (std::ranges::find(variables, j) != variables.end()) total += share;
    }
    EXPECT_NEAR(found.inputs[j].first.value, expected.at({j}), tolerance) << "input " << j;
    EXPECT_NEAR(found.inputs[j].total.value, total, tolerance) << "input " << j;
  }
}

double share_of(const Sensitivity& found, const Variables& variables) {
  const auto term = std::ranges::find(found.terms, variables, &TermSensitivity::variables);
  return term == found.terms.end() ? 0.0 : term->fraction.value;
}

Model kernel_model(std::size_t d, int order, Law law, std::uint64_t seed) {
  Model model = model_of({}, d);
  const Matrix centres = test::random_matrix(7, d, seed);
  std::vector<double> gamma(d, 0.6);
  if (law == Law::normal) {
    model.dictionary = kernel_sections(centres, gamma, order);
  } else {
    Variables all(d);
    for (std::uint32_t j = 0; j < d; ++j) all[j] = j;
    model.dictionary = kernel_sections_on(centres, all, gamma, law);
  }
  model.coefficients = test::random_vector(7, seed + 1);
  return model;
}

TEST(SobolIndices, OfWavesLinesAndCurvesAreThoseOfTheDefinition) {
  expect_the_definition(model_of({{{0, 1}, {1.3, -0.7}, Function::cos, 1.0},
                                  {{0, 1}, {1.3, -0.7}, Function::sin, -0.4},
                                  {{1, 2, 3}, {0.9, 2.0, 1.1}, Function::sin, 0.8, 0.3},
                                  {{0, 3}, {1.0, -2.0}, Function::identity, 0.5},
                                  {{2}, {1.5}, Function::step, 0.7, 0.2},
                                  {{3}, {-1.1}, Function::relu, 0.6, 0.4}},
                                 4));
}

TEST(SobolIndices, OfColumnsThatShareAWeightVectorAreThoseOfTheDefinition) {
  Model model = model_of({{{0, 2}, {1.3, -0.7}, Function::cos, 1.0}, {{1}, {0.4}, Function::sin, 2.0}}, 3);
  model.dictionary.rows.push_back(0);
  model.dictionary.functions.push_back(Function::sin);
  model.coefficients.push_back(-1.7);
  expect_the_definition(model);
}

TEST(SobolIndices, OfCurvesOfSeveralInputsAreThoseOfTheDefinition) {
  expect_the_definition(model_of({{{0, 1}, {1.3, -0.7}, Function::relu, 1.0},
                                  {{0, 1, 2}, {0.4, 0.8, -1.5}, Function::tanh, 1.4},
                                  {{1, 3}, {0.5, 1.9}, Function::cos, 0.6},
                                  {{2}, {1.5}, Function::tanh, 0.7}},
                                 4));
}

TEST(SobolIndices, OfProductsOnManyInputsAreThoseOfTheDefinition) {
  expect_the_definition(model_of({{{0, 1, 2, 3, 4}, {1.3, -0.7, 0.6, 0.9, -1.2}, Function::cos, 1.0, 0.3},
                                  {{0, 1, 2, 4, 5}, {0.3, 0.7, 1.6, 0.8, 0.5}, Function::sin, -0.6, 0.1},
                                  {{0, 1}, {1.0, 2.0}, Function::cos, 0.4}},
                                 6));
}

TEST(SobolIndices, OfKernelSectionsAreThoseOfTheDefinition) {
  for (const Law law : {Law::normal, Law::student_t, Law::cauchy}) {
    expect_the_definition(kernel_model(3, 3, law, 3));
    expect_the_definition(kernel_model(6, 6, law, 5));
  }
  expect_the_definition(kernel_model(5, 2, Law::normal, 7));
}

TEST(SobolIndices, OfAKernelBesideWavesAreThoseOfTheDefinition) {
  Model model = kernel_model(6, 6, Law::normal, 11);
  model.dictionary.kernel_order = 0;
  const Model waves = model_of({{{0, 1}, {1.0, 2.0}, Function::cos, 0.4}, {{2}, {0.7}, Function::identity, 0.3}}, 6);
  model.dictionary.append(waves.dictionary);
  model.coefficients.insert(model.coefficients.end(), waves.coefficients.begin(), waves.coefficients.end());
  expect_the_definition(model);
}

// 128 values along each of three inputs make more coordinates than a tensor may have.
TEST(SobolIndices, OfSumsOfManyRoughProductsAddUpToTheVariance) {
  Model model = model_of({}, 3);
  const Matrix centres = test::random_matrix(150, 3, 3);
  model.dictionary = kernel_sections_on(centres, {0, 1, 2}, {2.0, 2.0, 2.0}, Law::cauchy);
  const Dictionary waves = model_of({{{0, 1, 2}, {1.0, 2.0, 3.0}, Function::sin, 0.5}}, 3).dictionary;
  model.dictionary.append(waves);
  model.coefficients = test::random_vector(151, 4);
  for (Marginal& marginal : model.marginals) {
    marginal = {test::random_vector(128, 7 + model.inputs.size()), std::vector<double>(128, 1.0 / 128.0)};
    std::ranges::sort(marginal.values);
  }
  const Sensitivity found = sensitivity(model);
  double listed = 0.0;
  for (const TermSensitivity& term : found.terms) listed += term.fraction.value;
  EXPECT_NEAR(listed, 1.0, 1e-12);
  Matrix X(20000, 3);
  test::Random random(5);
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t i = 0; i < X.rows(); ++i) {
      X(i, j) = model.marginals[j].values[static_cast<std::size_t>(64.0 * (1.0 + random()))];
    }
  }
  const std::vector<double> f = model.predict(X);
  double mean = 0.0;
  double square = 0.0;
  for (const double value : f) {
    mean += value / 20000.0;
    square += value * value / 20000.0;
  }
  EXPECT_NEAR(found.variance / (square - mean * mean), 1.0, 0.05);
}

// Of the first set each component is the length of a sum, of further ones a sum over pairs where that costs less.
TEST(SobolIndices, AreThoseOfAnyCoefficients) {
  for (const Law law : {Law::normal, Law::cauchy}) {
    Model model = kernel_model(5, 5, law, 3);
    model.dictionary.kernel_order = 0;
    const Model waves =
        model_of({{{0, 1}, {1.0, 2.0}, Function::cos, 0.4}, {{1, 2}, {0.7, 3.0}, Function::sin, 0.3}}, 5);
    model.dictionary.append(waves.dictionary);
    model.coefficients.insert(model.coefficients.end(), waves.coefficients.begin(), waves.coefficients.end());
    const std::vector<double> others = test::random_vector(model.coefficients.size(), 99);
    const SobolIndices indices(model, {});
    const Sensitivity expected = indices.of_each({others}).front();
    const Sensitivity found = indices.of_each({model.coefficients, others})[1];
    for (std::size_t j = 0; j < 5; ++j) {
      EXPECT_NEAR(found.inputs[j].first.value, expected.inputs[j].first.value, 1e-9);
      EXPECT_NEAR(found.inputs[j].total.value, expected.inputs[j].total.value, 1e-9);
    }
  }
}

// E exp(iwx) is sin(w)/w for x uniform on (−1, 1), exp(−w²/2) for x normal.
TEST(SobolIndices, OfACosineOfTwoInputsAreClosedForms) {
  const double v = 1.7;
  const double w = 40.0;
  const Model model = model_of({{{0, 1}, {v, w}, Function::cos, 3.0}}, 2);
  const auto check = [&](const char* laws, auto phi) {
    // cos(a+b), symmetric laws: E = φ(v)φ(w), E cos² = (1 + φ(2v)φ(2w))/2, E[f | x1] = cos(v x1) φ(w).
    const double mean = phi(v) * phi(w);
    const double all = 0.5 * (1.0 + phi(2.0 * v) * phi(2.0 * w)) - mean * mean;
    const double first = 0.5 * (1.0 + phi(2.0 * v)) * phi(w) * phi(w) - mean * mean;
    const double second = 0.5 * (1.0 + phi(2.0 * w)) * phi(v) * phi(v) - mean * mean;
    const Sensitivity found = sensitivity(model, parse_input_laws(laws, model));
    EXPECT_NEAR(found.variance, 9.0 * all, 1e-12);
    EXPECT_NEAR(found.inputs[0].first.value, first / all, 1e-12);
    EXPECT_NEAR(found.inputs[1].first.value, second / all, 1e-12);
    EXPECT_NEAR(found.inputs[0].total.value, 1.0 - second / all, 1e-12);
  };
  check("uniform(-1,1)", [](double t) { return std::sin(t) / t; });
  check("normal(0,1)", [](double t) { return std::exp(-0.5 * t * t); });
}

TEST(SobolIndices, OfAProductOfCurvesUnderUniformLawsAreClosedForms) {
  // (e^{-γx²})(e^{-γy²}), and the Laplace kernel with its kink inside: both by E κ and E κ², in closed form.
  Model gaussian = model_of({}, 2);
  gaussian.dictionary = kernel_sections_on(Matrix(1, 2), {0, 1}, {2.0, 2.0}, Law::normal);
  gaussian.coefficients = {1.0};
  Model laplace = model_of({}, 2);
  laplace.dictionary = kernel_sections_on(Matrix(1, 2), {0, 1}, {2.0, 2.0}, Law::cauchy);
  laplace.coefficients = {1.0};
  const auto check = [](const Model& model, double mean, double square) {
    const double v = square - mean * mean;
    const double all = square * square - mean * mean * mean * mean;
    const Sensitivity found = sensitivity(model, parse_input_laws("uniform(-1,1)", model));
    EXPECT_NEAR(found.variance, all, 1e-13);
    EXPECT_NEAR(found.inputs[0].first.value, v * mean * mean / all, 1e-12);
    EXPECT_NEAR(share_of(found, {0, 1}), v * v / all, 1e-12);
  };
  const double g = 2.0;
  check(gaussian, 0.5 * std::sqrt(std::numbers::pi / g) * std::erf(std::sqrt(g)),
        0.5 * std::sqrt(std::numbers::pi / (2.0 * g)) * std::erf(std::sqrt(2.0 * g)));
  check(laplace, (1.0 - std::exp(-g)) / g, (1.0 - std::exp(-2.0 * g)) / (2.0 * g));
}

TEST(SobolIndices, TakeLimitsAndFormsOfInputsIntoAccount) {
  // x1 is held at ±0.5, x2 enters by log, x3 by rank: of the columns' identity, variances in closed form.
  Model model = model_of({{{0}, {1.0}, Function::identity, 1.0},
                          {{1}, {1.0}, Function::identity, 1.0},
                          {{2}, {1.0}, Function::identity, 1.0}},
                         3);
  model.scaling.input_lowest = {-0.5, 1e-9, -5.0};
  model.scaling.input_highest = {0.5, 1e9, 5.0};
  model.scaling.input_warps.resize(3);
  model.scaling.input_warps[1].kind = Warp::Kind::log;
  model.scaling.input_warps[2] = {Warp::Kind::rank, false, {-1.0, 0.0, 1.0}, {0.1, 0.2, 0.9}};
  const Sensitivity found = sensitivity(model, parse_input_laws("uniform(-1,1),x2=uniform(1,2)", model));
  const double held = 2.0 * (0.125 / 3.0 + 0.5 * 0.25) / 2.0;
  const double log2 = std::log(2.0);
  const double log_mean = 2.0 * log2 - 1.0;
  const double logs = 2.0 * log2 * log2 - 2.0 * log_mean - log_mean * log_mean;
  // Linear from 0.1 to 0.2 on half of the range, from 0.2 to 0.9 on the other.
  const double rank_mean = 0.5 * 0.15 + 0.5 * 0.55;
  const double ranks = 0.5 * (0.15 * 0.15 + 0.01 / 12.0) + 0.5 * (0.55 * 0.55 + 0.49 / 12.0) - rank_mean * rank_mean;
  const double all = held + logs + ranks;
  EXPECT_NEAR(found.variance, all, 1e-13);
  EXPECT_NEAR(found.inputs[0].first.value, held / all, 1e-12);
  EXPECT_NEAR(found.inputs[1].first.value, logs / all, 1e-12);
  EXPECT_NEAR(found.inputs[2].total.value, ranks / all, 1e-12);
}

TEST(SobolIndices, KeepTheirDigitsWhereCoefficientsCancel) {
  // Two columns of coefficients 1e7 that differ by 1e-7 in w: about the derivative, −x sin(wx), and one that is left.
  const double h = 1e-7;
  const Model model = model_of({{{0}, {1.0 + h}, Function::cos, 0.5 / h},
                                {{0}, {1.0 - h}, Function::cos, -0.5 / h},
                                {{1}, {1.0}, Function::identity, 1.0}},
                               2);
  const Sensitivity found = sensitivity(model, parse_input_laws("uniform(-1,1)", model));
  // E x sin x = sin 1 − cos 1, E x² sin² x = 1/6 − sin(2)/8 − cos(2)/4 over (−1, 1).
  const double mean = std::sin(1.0) - std::cos(1.0);
  const double curve = 1.0 / 6.0 - std::sin(2.0) / 8.0 - std::cos(2.0) / 4.0 - mean * mean;
  EXPECT_NEAR(found.inputs[0].first.value, curve / (curve + 1.0 / 3.0), 1e-7);
}

TEST(SobolIndices, DoNotDependOnThreads) {
  const Model model = kernel_model(6, 6, Law::normal, 5);
  const Sensitivity one = sensitivity(model, {}, 1);
  const Sensitivity two = sensitivity(model, {}, 2);
  for (std::size_t j = 0; j < 6; ++j) EXPECT_EQ(one.inputs[j].total.value, two.inputs[j].total.value);
}

TEST(SobolIndices, OfAConstantModelAreNone) {
  const Sensitivity found = sensitivity(model_of({}, 2));
  EXPECT_EQ(found.variance, 0.0);
  EXPECT_TRUE(found.terms.empty());
  EXPECT_EQ(found.inputs[1].total.value, 0.0);
}

TEST(SobolIndices, AreRefusedWithoutMarginalsAndOfCurvesOfManyInputs) {
  Model bare = model_of({{{0}, {1.0}, Function::cos, 1.0}}, 1);
  bare.marginals.clear();
  test::expect_parts(test::message_of<std::invalid_argument>([&] { (void)sensitivity(bare); }),
                     {"marginal distributions of the inputs", "Fit it again"});
  const Model wide = model_of({{{0, 1, 2, 3}, {1.0, 1.0, 1.0, 1.0}, Function::tanh, 1.0}}, 4);
  test::expect_parts(test::message_of<OptionError>([&] { (void)sensitivity(wide); }), {"4 inputs", "fourier"});
}

TEST(CovarianceShares, OfALinearModelAreThoseOfTheCovariances) {
  Model model = model_of({{{0}, {1.0}, Function::identity, 2.0}, {{1}, {1.0}, Function::identity, -1.0}}, 2);
  model.terms = {{{0}, 1, 0.8, {}}, {{1}, 1, 0.2, {}}};
  // Four rows with variances 1 and 1 and covariance 0.6.
  Matrix X(4, 2);
  const double x1[] = {1.0, 1.0, -1.0, -1.0};
  const double e[] = {0.8, -0.8, 0.8, -0.8};
  for (std::size_t i = 0; i < 4; ++i) {
    X(i, 0) = x1[i];
    X(i, 1) = 0.6 * x1[i] + e[i];
  }
  const Sensitivity found = sensitivity_on(model, X);
  const double all = 4.0 + 1.0 - 2.0 * 2.0 * 0.6;
  EXPECT_NEAR(found.variance, all, 1e-12);
  EXPECT_NEAR(found.inputs[0].first.structural, 4.0 / all, 1e-12);
  EXPECT_NEAR(found.inputs[0].first.correlative, -1.2 / all, 1e-12);
  EXPECT_NEAR(found.inputs[1].total.value, (1.0 - 1.2) / all, 1e-12);
  EXPECT_NEAR(found.terms[0].fraction.value + found.terms[1].fraction.value, 1.0, 1e-12);
}

TEST(CovarianceShares, NeedTwoRows) {
  const Model model = model_of({{{0}, {1.0}, Function::identity, 2.0}}, 1);
  test::expect_parts(test::message_of<std::invalid_argument>([&] { (void)sensitivity_on(model, Matrix(1, 1)); }),
                     {"1 rows", "two rows or more"});
}

TEST(InputLaws, AreReadFromText) {
  const Model model = model_of({}, 3);
  const auto laws = parse_input_laws(" uniform , x2 = normal(3, 0.5)", model);
  EXPECT_EQ(laws[0].kind, InputLaw::Kind::uniform);
  EXPECT_FALSE(laws[0].first);
  EXPECT_EQ(laws[1].kind, InputLaw::Kind::normal);
  EXPECT_EQ(laws[1].second, 0.5);
  EXPECT_EQ(parse_input_laws("", model)[2].kind, InputLaw::Kind::empirical);
  Model odd = model_of({}, 2);
  odd.inputs = {"a,=b", "c=d"};
  const auto odd_laws = parse_input_laws("\"a,=b\"=uniform(0,1),c=d=normal", odd);
  EXPECT_EQ(odd_laws[0].kind, InputLaw::Kind::uniform);
  EXPECT_EQ(odd_laws[1].kind, InputLaw::Kind::normal);
}

TEST(InputLaws, ThatAreWrongAreRefused) {
  const Model model = model_of({}, 3);
  const std::pair<const char*, const char*> wrong[] = {{"x9=uniform(0,1)", "no input \"x9\""},
                                                       {"x1=beta(1,2)", "no distribution beta(1,2)"},
                                                       {"x1=uniform(2,1)", "not above the lower limit"},
                                                       {"x1=uniform(1,1)", "not above the lower limit"},
                                                       {"x1=uniform(1)", "two numbers"},
                                                       {"x1=uniform(0,a)", "\"a\" is not a number"},
                                                       {"x1=uniform(0,inf)", "not a number"},
                                                       {"x1=uniform(0,1", "not closed"},
                                                       {"x1=normal(0,0)", "not above 0"},
                                                       {"x1=empirical(0,1)", "no numbers"},
                                                       {"uniform,normal", "two distributions"},
                                                       {"x1=normal,x1=uniform", "two distributions"},
                                                       {"x1=", "inputs x1=: a distribution is missing"},
                                                       {"\"x1=normal", "quote"},
                                                       {",", "inputs ,: a distribution is missing"}};
  for (const auto& [text, part] : wrong) {
    test::expect_parts(test::message_of<OptionError>([&] { (void)parse_input_laws(text, model); }), {part});
  }
}

TEST(GaussLegendreRule, IsExactForPolynomials) {
  for (const std::size_t n : {1U, 2U, 5U, 16U, 64U}) {
    const GaussLegendre rule = gauss_legendre(n);
    for (std::size_t power = 0; power < 2 * n; ++power) {
      double sum = 0.0;
      for (std::size_t k = 0; k < n; ++k) sum += rule.weights[k] * std::pow(rule.nodes[k], static_cast<double>(power));
      EXPECT_NEAR(sum, power % 2 == 0 ? 2.0 / static_cast<double>(power + 1) : 0.0, 1e-14);
    }
  }
}

// Shapley values by their definition: the mean of v(u ∪ i) − v(u) over all orders, v(u) = E[f | x_u].
TEST(InputValues, AreShapleyValues) {
  const Model model = model_of({{{0, 1}, {1.3, -0.7}, Function::cos, 1.0},
                                {{1, 2, 3}, {0.9, 2.0, 1.1}, Function::sin, 0.8, 0.3},
                                {{0, 3}, {0.4, 0.8}, Function::relu, 1.4}},
                               4);
  const Grid grid(model);
  const std::vector<double> f = model.predict(grid.X);
  std::vector<std::vector<double>> v;
  for (unsigned u = 0; u < 16; ++u) v.push_back(grid.mean_given(f, u));
  const Matrix found = input_values(model, grid.X);
  const double weights[] = {1.0 / 4.0, 1.0 / 12.0, 1.0 / 12.0, 1.0 / 4.0};  // |u|! (3 − |u|)! / 4!
  for (std::size_t i = 0; i < f.size(); i += 37) {
    double sum = found(i, 0);
    for (unsigned j = 0; j < 4; ++j) {
      double value = 0.0;
      for (unsigned u = 0; u < 16; ++u) {
        if ((u >> j & 1U) == 0) value += weights[std::popcount(u)] * (v[u | 1U << j][i] - v[u][i]);
      }
      EXPECT_NEAR(found(i, 1 + j), value, 1e-12);
      sum += found(i, 1 + j);
    }
    EXPECT_NEAR(sum, f[i], 1e-12);
  }
}

}  // namespace sensitivity_test
}  // namespace shrimp

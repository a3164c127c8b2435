#include "model/terms.hpp"

#include <bit>
#include <functional>
#include <map>
#include <numbers>

#include "data/marginals.hpp"
#include "features/bases.hpp"
#include "model/components.hpp"
#include "solvers/kernel_ridge.hpp"
#include "support.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace terms_test {

using Shares = std::map<Variables, double>;
using Point = std::vector<double>;

// A full tensor grid: every input takes every level with every combination of the others, so the inputs are independent
// on its rows.
struct Grid {
  std::vector<std::vector<double>> levels;

  [[nodiscard]] std::size_t rows() const {
    std::size_t count = 1;
    for (const auto& axis : levels) count *= axis.size();
    return count;
  }

  [[nodiscard]] std::vector<std::size_t> digits(std::size_t row) const {
    std::vector<std::size_t> result;
    for (const auto& axis : levels) {
      result.push_back(row % axis.size());
      row /= axis.size();
    }
    return result;
  }

  [[nodiscard]] Matrix matrix() const {
    Matrix X(rows(), levels.size());
    for (std::size_t i = 0; i < X.rows(); ++i) {
      const std::vector<std::size_t> at = digits(i);
      for (std::size_t j = 0; j < levels.size(); ++j) X(i, j) = levels[j][at[j]];
    }
    return X;
  }
};

std::vector<double> spread(std::size_t count, double from, double to) {
  std::vector<double> levels;
  for (std::size_t k = 0; k < count; ++k) {
    levels.push_back(from + (to - from) * (static_cast<double>(k) + 0.5) / static_cast<double>(count));
  }
  return levels;
}

// E[f | x_v] at every row, by averaging over all rows that agree on v.
std::vector<double> conditional_mean(const Grid& grid, const std::vector<double>& f, unsigned v) {
  const auto key_of = [&](std::size_t row) {
    std::vector<std::size_t> key = grid.digits(row);
    for (std::size_t j = 0; j < key.size(); ++j) {
      if ((v >> j & 1U) == 0) key[j] = 0;
    }
    return key;
  };
  std::map<std::vector<std::size_t>, std::pair<double, double>> sums;
  for (std::size_t i = 0; i < f.size(); ++i) {
    auto& [sum, count] = sums[key_of(i)];
    sum += f[i];
    count += 1.0;
  }
  std::vector<double> mean;
  for (std::size_t i = 0; i < f.size(); ++i) mean.push_back(sums[key_of(i)].first / sums[key_of(i)].second);
  return mean;
}

// Sobol' indices of any function on the grid, from the definition: f_u = Σ_{v ⊆ u} (−1)^{|u|−|v|} E[f | x_v].
Shares sobol_indices(const Grid& grid, const std::function<double(const Point&)>& function) {
  const Matrix X = grid.matrix();
  std::vector<double> f;
  for (std::size_t i = 0; i < X.rows(); ++i) {
    Point x;
    for (std::size_t j = 0; j < X.cols(); ++j) x.push_back(X(i, j));
    f.push_back(function(x));
  }
  const unsigned subsets = 1U << grid.levels.size();
  std::vector<std::vector<double>> means;
  for (unsigned v = 0; v < subsets; ++v) means.push_back(conditional_mean(grid, f, v));
  Shares shares;
  double total = 0.0;
  for (unsigned u = 1; u < subsets; ++u) {
    double variance = 0.0;  // Components have mean zero.
    for (std::size_t i = 0; i < f.size(); ++i) {
      double component = 0.0;
      for (unsigned v = 0; v < subsets; ++v) {
        if ((v & ~u) == 0) component += (std::popcount(u ^ v) % 2 == 0 ? 1.0 : -1.0) * means[v][i];
      }
      variance += component * component;
    }
    Variables variables;
    for (std::uint32_t j = 0; j < grid.levels.size(); ++j) {
      if ((u >> j & 1U) != 0) variables.push_back(j);
    }
    shares[variables] = variance;
    total += variance;
  }
  for (auto& [variables, share] : shares) share /= total;
  return shares;
}

struct Column {
  Variables variables;
  std::vector<double> weights;
  Function function;
  double coefficient;
  double phase = 0.0;
};

std::vector<Term> shares_of(const Dictionary& dictionary, MatrixView X, std::span<const double> coefficients) {
  return make_terms(dictionary, marginals_of(X, {}), X, {}, coefficients).terms;
}

// One weight vector for every column.
std::vector<Term> terms_of(const std::vector<Column>& columns, MatrixView X) {
  Dictionary dictionary;
  std::vector<double> coefficients;
  const bool phased = std::ranges::any_of(columns, [](const Column& column) { return column.phase != 0.0; });
  for (const Column& column : columns) {
    dictionary.rows.push_back(static_cast<std::uint32_t>(dictionary.weights.size()));
    dictionary.functions.push_back(column.function);
    dictionary.weights.append(column.variables, column.weights);
    if (phased) dictionary.weights.phases.push_back(column.phase);
    coefficients.push_back(column.coefficient);
  }
  return shares_of(dictionary, X, coefficients);
}

double share_of(const std::vector<Term>& terms, const Variables& variables) {
  for (const Term& term : terms) {
    if (term.variables == variables) return term.fraction;
  }
  return 0.0;
}

void expect_shares(const std::vector<Term>& terms, const Shares& expected, double tolerance = 1e-12) {
  double sum = 0.0;
  for (const Term& term : terms) sum += term.fraction;
  EXPECT_NEAR(sum, 1.0, 1e-12);
  for (const auto& [variables, share] : expected) {
    std::string name;
    for (const std::uint32_t variable : variables) name += " x" + std::to_string(variable + 1);
    EXPECT_NEAR(share_of(terms, variables), share, tolerance) << name;
  }
}

TEST(Terms, OfEveryFunctionAreItsSobolIndices) {
  const Grid grid{{spread(9, -1.0, 2.0), spread(7, 0.0, 1.5), spread(5, -1.0, 1.0)}};
  for (const FunctionRow& phi : all_functions()) {
    if (phi.form == Form::kernel) continue;
    SCOPED_TRACE(phi.name);
    expect_shares(terms_of({{{0, 1, 2}, {1.3, -0.7, 0.9}, phi.function, 2.0, 0.4}}, grid.matrix()),
                  sobol_indices(grid, [&](const Point& x) {
                    double t = 1.3 * x[0] - 0.7 * x[1] + 0.9 * x[2] + 0.4;
                    phi.apply(std::span(&t, 1));
                    return t;
                  }));
  }
}

TEST(Terms, OfACosineOfTwoInputsAreItsSobolIndices) {
  const Grid grid{{spread(9, -1.0, 2.0), spread(7, 0.0, 1.5)}};
  const std::vector<Term> terms = terms_of({{{0, 1}, {1.3, -0.7}, Function::cos, 2.0}}, grid.matrix());
  expect_shares(terms, sobol_indices(grid, [](const Point& x) { return std::cos(1.3 * x[0] - 0.7 * x[1]); }));
}

TEST(Terms, OfOverlappingSupportsAreTheSobolIndicesOfTheSum) {
  const Grid grid{{spread(5, -1.0, 1.0), spread(6, -2.0, 0.5), spread(4, 0.0, 3.0)}};
  const auto f = [](const Point& x) {
    return 1.5 * std::cos(x[0] + 0.5 * x[1]) - 0.8 * std::sin(0.9 * x[1] - x[2]) + 0.3 * std::sin(2.0 * x[2]) +
           0.7 * std::cos(0.4 * x[0] + 0.6 * x[1] + x[2]);
  };
  const std::vector<Term> terms = terms_of({{{0, 1}, {1.0, 0.5}, Function::cos, 1.5},
                                            {{1, 2}, {0.9, -1.0}, Function::sin, -0.8},
                                            {{2}, {2.0}, Function::sin, 0.3},
                                            {{0, 1, 2}, {0.4, 0.6, 1.0}, Function::cos, 0.7}},
                                           grid.matrix());
  expect_shares(terms, sobol_indices(grid, f));
}

TEST(Terms, OfPhasedColumnsAreTheSobolIndices) {
  const Grid grid{{spread(8, -1.0, 1.0), spread(6, -1.0, 2.0)}};
  const auto f = [](const Point& x) { return std::cos(x[0] + x[1] + 0.4) + 2.0 * std::cos(1.7 * x[0] + 2.1); };
  const std::vector<Term> terms =
      terms_of({{{0, 1}, {1.0, 1.0}, Function::cos, 1.0, 0.4}, {{0}, {1.7}, Function::cos, 2.0, 2.1}}, grid.matrix());
  expect_shares(terms, sobol_indices(grid, f));
}

TEST(Terms, OfLinearColumnsAreTheSobolIndices) {
  const Grid grid{{spread(7, 5.0, 9.0), spread(6, -1.0, 2.0)}};
  const auto f = [](const Point& x) { return 3.0 * (x[0] - 0.5 * x[1]) + 2.0 * x[1]; };
  const std::vector<Term> terms =
      terms_of({{{0, 1}, {1.0, -0.5}, Function::identity, 3.0}, {{1}, {1.0}, Function::identity, 2.0}}, grid.matrix());
  expect_shares(terms, sobol_indices(grid, f));
}

TEST(Terms, OfReluColumnsAreTheSobolIndices) {
  const Grid grid{{spread(8, -1.0, 1.0), spread(8, -1.0, 2.0)}};
  const auto f = [](const Point& x) { return 2.0 * std::max(0.0, x[0] + 0.8 * x[1]) - std::max(0.0, -1.5 * x[1]); };
  const std::vector<Term> terms =
      terms_of({{{0, 1}, {1.0, 0.8}, Function::relu, 2.0}, {{1}, {-1.5}, Function::relu, -1.0}}, grid.matrix());
  expect_shares(terms, sobol_indices(grid, f));
}

TEST(Terms, OfTanhColumnsOfThreeInputsAreTheSobolIndices) {
  const Grid grid{{spread(4, -1.0, 2.0), spread(4, -2.0, 2.0), spread(4, 0.0, 1.5)}};
  const auto f = [](const Point& x) { return std::tanh(x[0] + 1.2 * x[1] - 0.7 * x[2]); };
  expect_shares(terms_of({{{0, 1, 2}, {1.0, 1.2, -0.7}, Function::tanh, 1.0}}, grid.matrix()), sobol_indices(grid, f));
}

// Averages over all rows of a larger table may be taken over some of them: to within three hundredths of the variance.
TEST(Terms, OfReluColumnsOnManyRowsAreCloseToTheSobolIndices) {
  const Grid grid{{spread(16, -1.0, 1.0), spread(16, -1.0, 2.0)}};
  const auto f = [](const Point& x) { return std::max(0.0, x[0] + 0.8 * x[1]); };
  expect_shares(terms_of({{{0, 1}, {1.0, 0.8}, Function::relu, 1.0}}, grid.matrix()), sobol_indices(grid, f), 0.03);
}

std::vector<double> full_period(std::size_t count) { return spread(count, -std::numbers::pi, std::numbers::pi); }

// cos(x1 + x2) + cos(x1 − x2) = 2 cos x1 cos x2: over a full period neither input does anything alone.
TEST(Terms, OfAPureInteractionGiveItTheWholeShare) {
  const Grid grid{{full_period(12), full_period(12)}};
  const std::vector<Term> terms =
      terms_of({{{0, 1}, {1.0, 1.0}, Function::cos, 1.0}, {{0, 1}, {1.0, -1.0}, Function::cos, 1.0}}, grid.matrix());
  ASSERT_FALSE(terms.empty());
  EXPECT_EQ(terms.front().variables, (Variables{0, 1}));
  EXPECT_NEAR(terms.front().fraction, 1.0, 1e-12);
  EXPECT_EQ(terms.front().basis_functions, 2U);
}

// Variances of cos x1 and 2 sin x2 over a full period are 1/2 and 2.
TEST(Terms, OfAnAdditiveModelAreItsVariances) {
  const Grid grid{{full_period(12), full_period(16)}};
  const std::vector<Term> terms =
      terms_of({{{0}, {1.0}, Function::cos, 1.0}, {{1}, {1.0}, Function::sin, 2.0}}, grid.matrix());
  expect_shares(terms, {{{0}, 0.2}, {{1}, 0.8}});
  EXPECT_EQ(terms.front().variables, Variables{1});
}

TEST(Terms, CarriedByLargerSupportsHaveNoColumnsOfTheirOwn) {
  const Grid grid{{spread(6, 0.0, 1.0), spread(6, 0.0, 1.0)}};
  const std::vector<Term> terms = terms_of({{{0, 1}, {1.0, 0.5}, Function::sin, 1.0}}, grid.matrix());
  ASSERT_EQ(terms.size(), 3U);
  for (const Term& term : terms) EXPECT_EQ(term.basis_functions, term.variables.size() == 2 ? 1U : 0U);
}

TEST(Terms, OfColumnsThatCancelGetNoShare) {
  const Grid grid{{spread(6, -1.0, 1.0), spread(6, -1.0, 1.0), spread(2, -1.0, 1.0)}};
  const std::vector<Term> terms = terms_of({{{0, 1}, {1.0, 2.0}, Function::cos, 1e3},
                                            {{0, 1}, {1.0, 2.0}, Function::cos, -1e3},
                                            {{2}, {1.0}, Function::sin, 1.0}},
                                           grid.matrix());
  expect_shares(terms, {{{0}, 0.0}, {{1}, 0.0}, {{0, 1}, 0.0}, {{2}, 1.0}});
}

// x2 has weight nothing in one column, and the other takes its effect away: only x1 is left.
TEST(Terms, OfColumnsThatCancelAcrossSupportsGetNoShare) {
  const Grid grid{{spread(6, -1.0, 1.0), spread(6, -1.0, 1.0)}};
  const std::vector<Term> terms =
      terms_of({{{0, 1}, {2.0, 3.0}, Function::identity, 5.0}, {{1}, {1.0}, Function::identity, -15.0}}, grid.matrix());
  expect_shares(terms, {{{0}, 1.0}, {{1}, 0.0}, {{0, 1}, 0.0}});
}

TEST(Terms, OfAModelThatDoesNotVaryHaveNoShare) {
  const Grid grid{{spread(6, -1.0, 1.0)}};
  for (const Term& term : terms_of({{{0}, {1.0}, Function::cos, 0.0}}, grid.matrix())) EXPECT_EQ(term.fraction, 0.0);
}

// Rows on the diagonal have the marginals of the full grid, but x1 and x2 are the same in each.
// Components take inputs as independent; how much they vary is seen on the rows at hand, where x1 = x2 makes
// cos(x1 − x2) a constant.
TEST(Terms, ShareOutTheVarianceOverTheTrainingRows) {
  const std::vector<double> levels = full_period(12);
  Matrix diagonal(12, 2);
  for (std::size_t i = 0; i < 12; ++i) diagonal(i, 0) = diagonal(i, 1) = levels[i];
  const std::vector<Term> terms =
      terms_of({{{0, 1}, {1.0, -1.0}, Function::cos, 1.0}, {{0}, {1.0}, Function::cos, 1.0}}, diagonal);
  expect_shares(terms, {{{0}, 1.0}, {{0, 1}, 0.0}});
}

TEST(Terms, CountARowAsOftenAsItsWeightSays) {
  const Matrix X = test::random_matrix(30, 2, 3);
  std::vector<double> weights;
  std::vector<std::size_t> repeated;
  for (std::size_t i = 0; i < X.rows(); ++i) {
    weights.push_back(static_cast<double>(i % 3));
    repeated.insert(repeated.end(), i % 3, i);
  }
  Matrix all(repeated.size(), 2);
  for (std::size_t k = 0; k < repeated.size(); ++k) {
    for (std::size_t j = 0; j < 2; ++j) all(k, j) = X(repeated[k], j);
  }
  Dictionary dictionary;
  dictionary.weights.append(Variables{0, 1}, std::vector<double>{1.0, -2.0});
  dictionary.rows = {0};
  dictionary.functions = {Function::sin};
  const std::vector<double> c = {1.5};
  const std::vector<Term> expected = shares_of(dictionary, all, c);
  const std::vector<Term> terms = make_terms(dictionary, marginals_of(X, weights), X, weights, c).terms;
  ASSERT_EQ(terms.size(), expected.size());
  for (std::size_t k = 0; k < terms.size(); ++k) {
    EXPECT_EQ(terms[k].variables, expected[k].variables);
    EXPECT_NEAR(terms[k].fraction, expected[k].fraction, 1e-13);
  }
}

TEST(Terms, DescendByShare) {
  const Grid grid{{spread(6, 0.0, 1.0), spread(6, 0.0, 1.0), spread(4, 0.0, 2.0)}};
  const std::vector<Term> terms =
      terms_of({{{0, 1}, {1.0, 2.0}, Function::sin, 1.0}, {{2}, {1.0}, Function::cos, 1.0}}, grid.matrix());
  EXPECT_TRUE(std::ranges::is_sorted(terms, std::greater<>(), &Term::fraction));
}

TEST(Terms, OfSupportsTooLargeToTakeApartStayWhole) {
  const std::vector<double> two = {-1.0, 1.0};
  const Grid grid{{two, two, two, two, two}};
  const std::vector<Term> terms =
      terms_of({{{0, 1, 2, 3, 4}, {1.0, 1.0, 1.0, 1.0, 1.0}, Function::sin, 1.0}}, grid.matrix());
  ASSERT_EQ(terms.size(), 1U);
  EXPECT_EQ(terms.front().variables.size(), 5U);
  EXPECT_NEAR(terms.front().fraction, 1.0, 1e-12);
}

// f on the rows, less all its components.
std::vector<double> remainder(const Dictionary& dictionary, MatrixView X, const std::vector<double>& c) {
  const Components components = anova_components(dictionary, c, marginals_of(X, {}), X).components;
  std::vector<double> rest = test::times(evaluate(dictionary, X), c);
  for (const auto& [variables, values] : components) {
    double mean = 0.0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      rest[i] -= values[i];
      mean += values[i] / static_cast<double>(rest.size());
    }
    if (variables.size() == 1) {
      EXPECT_NEAR(mean, 0.0, 1e-11);
    }
  }
  return rest;
}

TEST(KernelTerms, AddUpToTheModel) {
  for (const std::size_t d : {1U, 3U, 9U, 12U}) {
    const Matrix X = test::random_matrix(60, d, d);
    const Matrix Z = test::random_matrix(40, d, d + 1);
    const std::vector<double> c = test::random_vector(40, 2);
    for (int order = 1; order <= static_cast<int>(d); ++order) {
      const std::vector<double> gamma(d, 0.6);
      const std::vector<double> rest = remainder(kernel_sections(Z, gamma, order), X, c);
      test::expect_near(rest, std::vector<double>(60, 0.0), 1e-10);
    }
  }
}

TEST(KernelTerms, OfProductsOnManySupportsAddUpToTheModel) {
  const Matrix X = test::random_matrix(60, 6, 1);
  const Dictionary dictionary =
      kernel_sections_by_support(X, std::vector<double>(6, 1.0), std::vector<int>{1, 2, 5}, 200, 0);
  const std::vector<double> rest = remainder(dictionary, X, test::random_vector(dictionary.columns(), 2));
  test::expect_near(rest, std::vector<double>(60, 0.0), 1e-10);
}

TEST(KernelTerms, OfAProductAreTheSobolIndices) {
  const Grid grid{{spread(6, -1.0, 1.0), spread(7, -2.0, 0.5), spread(5, 0.0, 3.0)}};
  const auto kappa = [](const Point& x, std::size_t j, double centre, double gamma) {
    return std::exp(-gamma * std::pow(x[j] - centre, 2));
  };
  const auto f = [&](const Point& x) {
    return 2.0 * kappa(x, 0, 0.3, 1.0) * kappa(x, 1, -0.5, 0.5) * kappa(x, 2, 1.0, 2.0) -
           kappa(x, 0, -0.2, 1.0) * kappa(x, 2, 2.0, 2.0);
  };
  Dictionary dictionary;
  dictionary.weights.append(Variables{0, 1, 2}, std::vector<double>{0.3, -0.5, 1.0});
  dictionary.weights.append(Variables{0, 2}, std::vector<double>{-0.2, 2.0});
  dictionary.rows = {0, 1};
  dictionary.functions = {Function::kernel, Function::kernel};
  dictionary.gamma = {1.0, 0.5, 2.0};
  expect_shares(shares_of(dictionary, grid.matrix(), std::vector<double>{2.0, -1.0}), sobol_indices(grid, f));
}

TEST(KernelTerms, OfASymmetricPolynomialAreTheSobolIndices) {
  const Grid grid{{spread(4, -1.0, 1.0), spread(5, -2.0, 0.5), spread(4, 0.0, 3.0), spread(3, 0.0, 1.0)}};
  const std::vector<double> gamma = {1.0, 0.5, 2.0, 3.0};
  const Matrix Z = test::random_matrix(3, 4, 5);
  const std::vector<double> c = {1.0, -2.0, 0.7};
  for (int order = 1; order <= 4; ++order) {
    const Dictionary dictionary = kernel_sections(Z, gamma, order);
    const auto f = [&](const Point& x) {
      Matrix row(1, 4);
      for (std::size_t j = 0; j < 4; ++j) row(0, j) = x[j];
      return test::times(evaluate(dictionary, row), c).front();
    };
    expect_shares(shares_of(dictionary, grid.matrix(), c), sobol_indices(grid, f), 1e-11);
  }
}

// sin(2 x1) + x2², learned by the kernel of order 1 among ten inputs.
TEST(KernelTerms, OfAnAdditiveFunctionLearnedAtOrderOneAreMainEffects) {
  const Matrix X = test::random_matrix(200, 10, 6);
  std::vector<double> y;
  for (std::size_t i = 0; i < X.rows(); ++i) y.push_back(std::sin(2.0 * X(i, 0)) + X(i, 1) * X(i, 1));
  const std::vector<double> gamma = fixed_gamma(10, 1);
  const std::vector<double> alpha = KernelRidge(kernel_matrix(X, gamma, 1), y).solve(1e-3).alpha;
  const std::vector<Term> terms = shares_of(kernel_sections(X, gamma, 1), X, alpha);
  for (const Term& term : terms) EXPECT_EQ(term.variables.size(), 1U);
  EXPECT_EQ(terms.at(0).variables, Variables{0});
  EXPECT_EQ(terms.at(1).variables, Variables{1});
  EXPECT_GT(terms.at(0).fraction + terms.at(1).fraction, 0.99);
}

// Two sections of a product on five inputs, and a wave on two of them.
struct WideModel {
  explicit WideModel(Law law) {
    dictionary = kernel_sections_on(test::random_matrix(2, 5, 3), {0, 1, 2, 3, 4}, {0.5, 1.0, 0.3, 2.0, 0.7}, law);
    Dictionary wave;
    wave.weights.append(Variables{1, 3}, std::vector<double>{0.8, -0.6});
    wave.rows = {0};
    wave.functions = {Function::sin};
    dictionary.append(wave);
  }

  [[nodiscard]] double at(const Point& x) const {
    Matrix row(1, 5);
    for (std::size_t j = 0; j < 5; ++j) row(0, j) = x[j];
    return test::times(evaluate(dictionary, row), c).front();
  }

  Dictionary dictionary;
  std::vector<double> c = {1.5, -2.0, 0.3};
};

TEST(WideTerms, OfUpToThreeInputsAreTheSobolIndicesAndTheRestIsOneOfAllInputs) {
  const Grid grid{{spread(3, -1.0, 1.0), spread(4, -2.0, 0.5), spread(2, 0.0, 3.0), spread(3, 0.0, 1.0), {-1.0, 0.4}}};
  for (const Law law : {Law::normal, Law::student_t, Law::cauchy}) {
    const WideModel model(law);
    Shares expected = sobol_indices(grid, [&](const Point& x) { return model.at(x); });
    double above = 0.0;
    std::erase_if(expected, [&](const auto& own) {
      above += own.first.size() > 3 ? own.second : 0.0;
      return own.first.size() > 3;
    });
    expected[{0, 1, 2, 3, 4}] = above;
    const Matrix X = grid.matrix();
    const TermShares shares = make_terms(model.dictionary, marginals_of(X, {}), X, {}, model.c);
    EXPECT_EQ(shares.terms.size(), 5U + 10U + 10U + 1U);
    expect_shares(shares.terms, expected);
    ASSERT_TRUE(shares.above_three);
    EXPECT_NEAR(*shares.above_three, above, 1e-12);
    for (const Term& term : shares.terms) {
      const std::size_t waves = term.variables == Variables{1, 3} ? 1 : 0;
      EXPECT_EQ(term.basis_functions, term.variables.size() == 5 ? 2 : waves);
    }
  }
}

// Of 45 inputs not all pairs are listed, nor all triples: what is not is in the term of all.
TEST(WideTerms, OfManyInputsAddUpToTheModel) {
  const std::size_t d = 45;
  const Matrix X = test::random_matrix(60, d, 7);
  std::vector<double> gamma;
  for (std::size_t j = 0; j < d; ++j) gamma.push_back(0.02 / static_cast<double>(1 + j));
  const Dictionary dictionary = kernel_sections(test::random_matrix(30, d, 8), gamma, static_cast<int>(d));
  const std::vector<double> c = test::random_vector(30, 9);
  test::expect_near(remainder(dictionary, X, c), std::vector<double>(60, 0.0), 1e-12);
  const Components components = anova_components(dictionary, c, marginals_of(X, {}), X).components;
  std::map<std::size_t, std::size_t> sizes;
  for (const auto& [variables, values] : components) ++sizes[variables.size()];
  EXPECT_EQ(sizes, (std::map<std::size_t, std::size_t>{{0, 1}, {1, 45}, {2, 780}, {3, 560}, {45, 1}}));
  // Inputs with larger γ do more.
  EXPECT_TRUE(components.contains(Variables{0, 1, 2}));
  EXPECT_FALSE(components.contains(Variables{42, 43, 44}));
}

// exp(−γ Σ (x_j − z_j)²) with one centre: independent factors, whose variances tell those of all orders.
TEST(WideTerms, KnowTheShareAboveThreeWhereNotAllTriplesAreListed) {
  const std::size_t d = 24;
  Matrix X(64, d);
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t i = 0; i < 64; ++i) X(i, j) = (i >> j % 6 & 1U) != 0 ? 1.0 : -1.0;
  }
  // With the centre at −1, κ is 1 or exp(−4γ).
  Matrix centre(1, d);
  for (std::size_t j = 0; j < d; ++j) centre(0, j) = -1.0;
  const double gamma = 0.2;
  const Dictionary dictionary = kernel_sections(centre, std::vector<double>(d, gamma), static_cast<int>(d));
  const std::vector<double> c = {1.0};
  const Anova anova = anova_components(dictionary, c, marginals_of(X, {}), X);
  // The same by the definition, with E_k of all inputs at each row.
  const double far = std::exp(-4.0 * gamma);
  const double mean = 0.5 * (1.0 + far);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    std::vector<long double> E(d + 1, 0.0L);
    E[0] = 1.0L;
    for (std::size_t j = 0; j < d; ++j) {
      const long double factor = (X(i, j) > 0.0 ? far : 1.0) - mean;
      for (std::size_t k = d; k > 0; --k) E[k] = mean * E[k] + factor * E[k - 1];
      E[0] *= mean;
    }
    long double above = 0.0L;
    for (std::size_t k = 4; k <= d; ++k) above += E[k];
    EXPECT_NEAR(anova.above_three.begin()->second[i], static_cast<double>(above), 1e-13);
  }
}

TEST(WideTerms, AreTheSameOnAnyNumberOfThreads) {
  const Matrix X = test::random_matrix(150, 20, 9);
  const Dictionary dictionary = kernel_sections(X, std::vector<double>(20, 0.05), 20);
  const std::vector<double> c = test::random_vector(150, 10);
  const auto shares_on = [&](int threads) {
    const ThreadScope scope(threads);
    return make_terms(dictionary, marginals_of(X, {}), X, {}, c);
  };
  const TermShares one = shares_on(1);
  const TermShares three = shares_on(3);
  EXPECT_EQ(one.above_three, three.above_three);
  ASSERT_EQ(one.terms.size(), three.terms.size());
  for (std::size_t k = 0; k < one.terms.size(); ++k) {
    EXPECT_EQ(one.terms[k].variables, three.terms[k].variables);
    EXPECT_EQ(one.terms[k].fraction, three.terms[k].fraction);
  }
}

TEST(WideTerms, HaveNoShareAboveThreeWhereColumnsHaveFewInputsOrStayWhole) {
  const Matrix X = test::random_matrix(60, 6, 9);
  const auto above = [&](const Variables& support, Function function) {
    Dictionary dictionary;
    dictionary.weights.append(support, std::vector<double>(support.size(), 0.5));
    dictionary.rows = {0};
    dictionary.functions = {function};
    return make_terms(dictionary, marginals_of(X, {}), X, {}, std::vector<double>{1.0}).above_three;
  };
  EXPECT_FALSE(above({0, 1, 2}, Function::cos));
  EXPECT_TRUE(above({0, 1, 2, 3}, Function::cos));
  EXPECT_FALSE(above({0, 1, 2, 3, 4}, Function::tanh));
}

TEST(WideTerms, ThatTheSampleMadeCountToTheTermOfAllInputs) {
  const std::vector<Term> terms{
      {{0, 1, 2, 3, 4}, 9, 0.5, {}}, {{0}, 0, 0.4, {}}, {{1, 2}, 0, 0.0995, {}}, {{3}, 0, 0.0005, {}}};
  const std::vector<Term> left = without_what_the_sample_made(terms, 400);
  ASSERT_EQ(left.size(), 3U);
  EXPECT_DOUBLE_EQ(left[0].fraction, 0.5005);
  EXPECT_DOUBLE_EQ(left[0].fraction + left[1].fraction + left[2].fraction, 1.0);
}

TEST(KernelTerms, AreTheSameOnAnyNumberOfThreads) {
  const Matrix X = test::random_matrix(150, 20, 9);
  const Dictionary dictionary = kernel_sections(X, std::vector<double>(20, 0.1), 3);
  const std::vector<double> c = test::random_vector(150, 10);
  const auto terms_on = [&](int threads) {
    const ThreadScope scope(threads);
    return shares_of(dictionary, X, c);
  };
  const std::vector<Term> one = terms_on(1);
  const std::vector<Term> three = terms_on(3);
  EXPECT_EQ(one.size(), 20U + 190U + 1140U);
  ASSERT_EQ(one.size(), three.size());
  for (std::size_t k = 0; k < one.size(); ++k) {
    EXPECT_EQ(one[k].variables, three[k].variables);
    EXPECT_EQ(one[k].fraction, three[k].fraction);
  }
}

TEST(KernelTerms, StandBesideOthers) {
  const Grid grid{{spread(8, -1.0, 1.0), spread(6, -1.0, 2.0)}};
  Dictionary dictionary;
  dictionary.weights.append(Variables{0, 1}, std::vector<double>{0.5, -1.0});
  dictionary.rows = {0, 0};
  dictionary.functions = {Function::cos, Function::kernel};
  dictionary.gamma = {1.0, 0.5};
  const auto f = [](const Point& x) {
    return std::cos(0.5 * x[0] - x[1]) + 2.0 * std::exp(-std::pow(x[0] - 0.5, 2) - 0.5 * std::pow(x[1] + 1.0, 2));
  };
  expect_shares(shares_of(dictionary, grid.matrix(), std::vector<double>{1.0, 2.0}), sobol_indices(grid, f));
}

// 24 % beside 400 rows: 0.06 % is one standard error, squared.
TEST(Terms, ThatTheSampleAloneMadeAreNone) {
  const std::vector<Term> terms{
      {{0, 2}, 9, 0.24, {}}, {{0}, 3, 0.7587, {}}, {{2}, 0, 0.001, {}}, {{1, 2}, 5, 0.0003, {}}};
  const std::vector<Term> left = without_what_the_sample_made(terms, 400);
  ASSERT_EQ(left.size(), 3U);
  EXPECT_EQ(left[1].variables, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_DOUBLE_EQ(left[1].fraction, 0.241);
  EXPECT_EQ(without_what_the_sample_made(terms, 4000).size(), 4U);
}

}  // namespace terms_test
}  // namespace shrimp

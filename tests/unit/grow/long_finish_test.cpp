// Models of long tables and weak terms of them, by rows that are had all at once.
#include "grow/long_finish.hpp"

#include <gtest/gtest.h>

#include "grow/column_sums.hpp"
#include "grow/weak_terms.hpp"
#include "support.hpp"

namespace shrimp {
namespace long_finish_test {

using test::Random;

Rows some(const Rows& rows, std::size_t first, std::size_t last) {
  std::vector<std::size_t> which;
  for (std::size_t i = first; i < last; ++i) which.push_back(i);
  return gather(rows, which);
}

// The last two tenths choose and tell.
LongRows in_blocks(const Rows& rows) {
  LongRows result;
  result.rows = rows.size();
  result.choosing = some(rows, rows.size() * 8 / 10, rows.size() * 9 / 10);
  result.telling = some(rows, rows.size() * 9 / 10, rows.size());
  result.sum_up = [&rows](const ScaledDictionary& columns, const SumOptions& options) {
    const auto blocks = [&](const std::function<void(const Rows&)>& body) {
      for (std::size_t first = 0; first < rows.size(); first += 300) {
        body(some(rows, first, std::min(rows.size(), first + 300)));
      }
    };
    return sum_columns(columns, blocks, options);
  };
  return result;
}

Rows linear_rows(std::size_t m, bool weighted) {
  Random random(5);
  Rows rows;
  rows.X = test::random_matrix(m, 3, 1);
  for (std::size_t i = 0; i < m; ++i) {
    rows.y.push_back(1.0 + 2.0 * rows.X(i, 0) - rows.X(i, 1) + 0.5 * rows.X(i, 2) + 0.3 * random());
    if (weighted) rows.weights.push_back(1.0 + 0.9 * random());
  }
  return rows;
}

Grown lines(std::size_t inputs) {
  Grown grown;
  TermShape line;
  for (std::uint32_t j = 0; j < inputs; ++j) line.variables.push_back(j);
  grown.terms = {line};
  grown.lambda = 0.5;
  grown.deviations.assign(inputs, 1.0);
  return grown;
}

// Ridge regression with a free constant, by LAPACK's least squares with rows √λ I below.
std::vector<double> ridge_oracle(const Rows& rows, double lambda) {
  const std::size_t m = rows.size();
  const std::size_t n = rows.X.cols() + 1;
  Matrix A(m + n - 1, n);
  std::vector<double> b(m + n - 1, 0.0);
  for (std::size_t i = 0; i < m; ++i) {
    const double root = rows.weights.empty() ? 1.0 : std::sqrt(rows.weights[i]);
    A(i, 0) = root;
    for (std::size_t j = 1; j < n; ++j) A(i, j) = root * rows.X(i, j - 1);
    b[i] = root * rows.y[i];
  }
  for (std::size_t j = 1; j < n; ++j) A(m + j - 1, j) = std::sqrt(lambda);
  const auto rows_of_A = static_cast<lapack_int>(A.rows());
  EXPECT_EQ(LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', rows_of_A, static_cast<lapack_int>(n), 1, A.data(), rows_of_A,
                          b.data(), rows_of_A),
            0);
  b.resize(n);
  return b;
}

TEST(LongFinish, FitsAllRowsByRidgeRegression) {
  for (const bool weighted : {false, true}) {
    const Rows rows = linear_rows(2000, weighted);
    const LongRows blocks = in_blocks(rows);
    const LongFinished result = finish_long(blocks, lines(3), {}, {}, {});
    ASSERT_EQ(result.all.coefficients.size(), 3U);
    const std::vector<double> oracle = ridge_oracle(rows, result.all.ridge);
    EXPECT_NEAR(result.all.constant, oracle[0], 1e-10);
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(result.all.coefficients[j], oracle[j + 1], 1e-10);
    const std::vector<double> without = ridge_oracle(some(rows, 0, 1800), result.judged.ridge);
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(result.judged.coefficients[j], without[j + 1], 1e-10);
    double squares = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double gap = rows.y[i] - oracle[0];
      for (std::size_t j = 0; j < 3; ++j) gap -= oracle[j + 1] * rows.X(i, j);
      squares += (weighted ? rows.weights[i] : 1.0) * gap * gap;
    }
    EXPECT_NEAR(result.train_mse, squares / rows.total_weight(), 1e-10);
  }
}

TEST(LongFinish, DropsColumnsThatDoNothing) {
  Rows rows = linear_rows(4000, false);
  for (std::size_t i = 0; i < rows.size(); ++i) rows.y[i] -= 0.5 * rows.X(i, 2) - rows.X(i, 1);
  const LongFinished result = finish_long(in_blocks(rows), lines(3), {}, {}, {});
  EXPECT_EQ(result.all.dictionary.columns(), 1U);
  EXPECT_EQ(result.all.records.size(), 4U);
  EXPECT_EQ(result.all.records[result.all.chosen].basis_functions, 1U);
}

TEST(LongFinish, TakesMoreFeaturesWhereTheyHelp) {
  Random random(7);
  Rows rows;
  rows.X = test::random_matrix(6000, 1, 3);
  for (std::size_t i = 0; i < 6000; ++i) rows.y.push_back(std::sin(25.0 * rows.X(i, 0)) + 0.01 * random());
  Grown grown;
  grown.terms = {{{0}, {8.0}, 0, 1.0}};
  grown.lambda = 1e-4;
  grown.deviations = {0.58};
  const LongFinished result = finish_long(in_blocks(rows), grown, {}, {}, {});
  EXPECT_GT(result.all.basis_functions_drawn, 2 * weights_of(grown.terms.front()));
  EXPECT_LT(result.all.error, 2e-4);
}

TEST(LongFinish, FitsTheMeanWhereThereAreNoTerms) {
  const Rows rows = linear_rows(1000, false);
  Grown nothing;
  nothing.deviations.assign(3, 1.0);
  const LongFinished result = finish_long(in_blocks(rows), nothing, {}, {}, {});
  double mean = 0.0;
  for (const double y : rows.y) mean += y / 1000.0;
  EXPECT_NEAR(result.all.constant, mean, 1e-12);
  EXPECT_TRUE(result.all.coefficients.empty());
}

GrowOptions seeded(std::uint64_t seed) {
  GrowOptions options;
  options.seed = seed;
  return options;
}

TEST(WeakTerms, AreFoundOnMoreRows) {
  Random random(11);
  Rows rows = linear_rows(12000, false);
  // A pair of one part in seventy of the noise's variance.
  for (std::size_t i = 0; i < rows.size(); ++i) rows.y[i] += 0.06 * rows.X(i, 0) * rows.X(i, 2);
  Grown grown = lines(3);
  add_weak_terms(grown, rows, seeded(1), {});
  ASSERT_EQ(grown.terms.size(), 2U);
  EXPECT_EQ(grown.terms.back().variables, (Support{0, 2}));
}

TEST(WeakTerms, AreNotFoundInNoise) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Rows rows;
    rows.X = test::random_matrix(5000, 6, 100 + seed);
    rows.y = test::random_vector(5000, 200 + seed);
    Grown grown;
    grown.deviations.assign(6, 0.58);
    add_weak_terms(grown, rows, seeded(seed), {});
    EXPECT_TRUE(grown.terms.empty());
  }
}

TEST(WeakTerms, HeedWhatIsExcluded) {
  Rows rows = linear_rows(12000, false);
  for (std::size_t i = 0; i < rows.size(); ++i) rows.y[i] += 0.5 * rows.X(i, 0) * rows.X(i, 2);
  Grown grown = lines(3);
  GrowOptions options = seeded(1);
  options.exclude = {{0, 2}};
  options.max_order = 2;
  add_weak_terms(grown, rows, options, {});
  for (const TermShape& term : grown.terms) EXPECT_NE(term.variables, (Support{0, 2}));
}

}  // namespace long_finish_test
}  // namespace shrimp

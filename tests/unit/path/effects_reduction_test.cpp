#include "path/effects_reduction.hpp"

#include "linalg/dense.hpp"
#include "path/dictionary_rows.hpp"
#include "path/prune_paths.hpp"
#include "support.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace effects_reduction_test {

using test::random_vector;

/// Rows of a dictionary, and a target.
struct Example {
  std::shared_ptr<const Dictionary> dictionary;
  Matrix X;
  std::vector<double> factors;
  std::vector<double> y;

  [[nodiscard]] DictionaryRows rows(std::size_t first, std::size_t count, bool stored = true) const {
    std::vector<std::size_t> which = all_columns(count);
    for (std::size_t& i : which) i += first;
    Matrix part = gather_rows(X, which);
    std::vector<double> own;
    for (const std::size_t i : which) {
      if (!factors.empty()) own.push_back(factors[i]);
    }
    return {dictionary, std::move(part), std::move(own), stored};
  }

  [[nodiscard]] std::span<const double> target(std::size_t first, std::size_t count) const {
    return std::span(y).subspan(first, count);
  }
};

struct Kind {
  std::size_t rows = 900;
  std::vector<int> orders = {2};
  std::size_t features = 120;
  double sigma2 = 0.5;
  Basis basis = Basis::fourier;
  bool weighted = false;
};

Example make(const Kind& kind, std::uint64_t seed = 1) {
  FeatureOptions options;
  options.orders = kind.orders;
  options.features = kind.features;
  options.sigma2 = kind.sigma2;
  options.basis = kind.basis;
  options.seed = seed;
  Example example;
  example.X = test::random_matrix(kind.rows, 3, seed);
  example.dictionary = std::make_shared<Dictionary>(make_dictionary(draw_weights(3, options), kind.basis));
  example.y = random_vector(kind.rows, seed + 1);
  if (kind.weighted) {
    for (const double value : random_vector(kind.rows, seed + 2)) example.factors.push_back(1.5 + value);
  }
  return example;
}

/// That M c ≈ b stands for A c ≈ y: the same singular values, and the same error of any c.
void expect_stands_for(const Reduction& reduction, const RowSpace& rows, std::span<const double> y) {
  const Matrix A = rows.gather(reduction.order);
  const std::vector<double> expected = singular_values(Matrix(A));
  std::vector<double> found = singular_values(Matrix(*reduction.M));
  ASSERT_LE(found.size(), expected.size());
  found.resize(expected.size(), 0.0);  // Directions below rounding may be missing.
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-13 * expected[0]);
  for (const std::uint64_t seed : {11, 12, 13}) {
    const std::vector<double> c = random_vector(A.cols(), seed);
    const double error = std::pow(norm(test::difference(test::times(A, c), {y.begin(), y.end()})), 2.0);
    const double reduced = std::pow(norm(test::difference(test::times(*reduction.M, c), reduction.b)), 2.0);
    EXPECT_NEAR(reduced + reduction.rest, error, 1e-12 * error);
  }
}

TEST(EffectsReduction, StandsForTheRowsItWasMadeOf) {
  for (const Kind& kind :
       {Kind{}, Kind{.weighted = true}, Kind{.orders = {1, 2}}, Kind{.sigma2 = 4.0}, Kind{.sigma2 = 0.01}}) {
    const Example example = make(kind);
    const DictionaryRows rows = example.rows(0, 900);
    const auto reduction = reduce_by_effects(rows, *example.dictionary, example.target(0, 900));
    ASSERT_TRUE(reduction) << kind.sigma2;
    EXPECT_LT(reduction->M->rows(), 320);
    expect_stands_for(*reduction, rows, example.target(0, 900));
  }
}

TEST(EffectsReduction, TakesInputsOfFewValues) {
  Example example = make({});
  for (std::size_t i = 0; i < 900; ++i) {
    example.X(i, 0) = 0.7;
    example.X(i, 1) = static_cast<double>(i % 2);
  }
  const DictionaryRows rows = example.rows(0, 900);
  const auto reduction = reduce_by_effects(rows, *example.dictionary, example.y);
  ASSERT_TRUE(reduction);
  EXPECT_LT(reduction->M->rows(), 100);
  expect_stands_for(*reduction, rows, example.y);
}

// What is left of y must not drown in the rounding of a Gram matrix.
TEST(EffectsReduction, KeepsTheDigitsOfAnExactFit) {
  Example example = make({});
  const DictionaryRows rows = example.rows(0, 900);
  const std::vector<double> c = random_vector(240, 5);
  example.y = rows.combine(all_columns(240), c);
  const auto reduction = reduce_by_effects(rows, *example.dictionary, example.y);
  ASSERT_TRUE(reduction);
  std::vector<double> in_order;
  for (const std::size_t k : reduction->order) in_order.push_back(c[k]);
  const double scale = norm(example.y);
  EXPECT_LT(std::sqrt(reduction->rest), 1e-13 * scale);
  EXPECT_LT(norm(test::difference(test::times(*reduction->M, in_order), reduction->b)), 1e-13 * scale);
}

TEST(EffectsReduction, IsATriangleButForTheSharedRows) {
  const Example example = make({});
  const DictionaryRows rows = example.rows(0, 900);
  const auto reduction = reduce_by_effects(rows, *example.dictionary, example.y);
  ASSERT_TRUE(reduction);
  EXPECT_TRUE(reduction->ranked);
  const std::size_t extra = reduction->M->rows() - reduction->M->cols();
  for (std::size_t j = 0; j < 100; ++j) {
    for (std::size_t i = j + 1 + extra + 60; i < reduction->M->rows(); ++i) EXPECT_EQ((*reduction->M)(i, j), 0.0);
  }
}

TEST(EffectsReduction, TakesMoreRows) {
  for (const bool weighted : {false, true}) {
    const Example example = make({.rows = 1000, .weighted = weighted});
    const DictionaryRows train = example.rows(0, 900);
    const DictionaryRows more = example.rows(900, 100);
    const auto reduction = reduce_by_effects(train, *example.dictionary, example.target(0, 900));
    ASSERT_TRUE(reduction && reduction->extension);
    const auto extended = reduction->extension->extend(more, example.target(900, 100));
    ASSERT_TRUE(extended);
    expect_stands_for(*extended, example.rows(0, 1000), example.target(0, 1000));
  }
}

TEST(EffectsReduction, LeavesOtherColumnsToTheOrthogonalReduction) {
  const auto reduces = [](const Example& example) {
    const DictionaryRows rows = example.rows(0, example.X.rows());
    const bool reduced = reduce_by_effects(rows, *example.dictionary, example.y).has_value();
    const Reduction any = rows.reduce(example.y);
    expect_stands_for(any, rows, example.y);
    return reduced;
  };
  EXPECT_TRUE(reduces(make({})));
  EXPECT_FALSE(reduces(make({.rows = 600})));
  EXPECT_FALSE(reduces(make({.orders = {3}})));
  EXPECT_FALSE(reduces(make({.features = 240, .basis = Basis::tanh})));
  EXPECT_FALSE(reduces(make({.features = 60})));  // Fewer than what the functions of one input take.
  Example twins = make({});
  for (std::size_t i = 0; i < 900; ++i) twins.X(i, 1) = twins.X(i, 0) * (1.0 + 1e-9 * twins.X(i, 2));
  EXPECT_FALSE(reduces(twins));
}

// Whichever column it stands in, also one that would follow from others.
TEST(EffectsReduction, LeavesNumbersThatAreNotFiniteToBeRefused) {
  for (const std::size_t input : {0, 2}) {
    Example example = make({});
    example.X(7, input) = std::numeric_limits<double>::infinity();
    const DictionaryRows rows = example.rows(0, 900);
    EXPECT_FALSE(reduce_by_effects(rows, *example.dictionary, example.y));
    EXPECT_THROW((void)rows.reduce(example.y), std::invalid_argument);
  }
}

TEST(EffectsReduction, DoesNotNeedAStored) {
  const Example example = make({.weighted = true});
  const DictionaryRows stored = example.rows(0, 900);
  const DictionaryRows rows = example.rows(0, 900, false);
  const auto expected = reduce_by_effects(stored, *example.dictionary, example.y);
  const auto found = reduce_by_effects(rows, *example.dictionary, example.y);
  ASSERT_TRUE(expected && found);
  EXPECT_EQ(found->b, expected->b);
}

TEST(EffectsReduction, GivesTheSameBitsOnAnyNumberOfThreads) {
  const Example example = make({});
  const DictionaryRows rows = example.rows(0, 900);
  std::vector<Reduction> reductions;
  for (const int threads : {1, 2, 3}) {
    const ThreadScope scope(threads);
    reductions.push_back(*reduce_by_effects(rows, *example.dictionary, example.y));
  }
  for (const Reduction& other : reductions) {
    EXPECT_EQ(other.b, reductions[0].b);
    EXPECT_EQ(other.order, reductions[0].order);
    EXPECT_TRUE(std::equal(other.M->data(), other.M->data() + other.M->rows() * 240, reductions[0].M->data()));
  }
}

// The first step over rows that are not known to be a dictionary's.
PathStep solve_without_effects(MatrixView A, std::span<const double> y) {
  PathStep result;
  visit_prune_path(A, y, PathOptions(), [&](const PathStep& step) {
    result = step;
    return false;
  });
  return result;
}

// Every step of a path over the reduction against LAPACK on the columns themselves, no larger an error, and against the
// orthogonal reduction of them, the same rank up to what lies at the cut-off.
TEST(EffectsReduction, FitsAsLapackDoesAllAlongThePath) {
  for (const double noise : {0.0, 1.0}) {
    for (const double sigma2 : {0.5, 4.0}) {
      Example example = make({.sigma2 = sigma2});
      for (std::size_t i = 0; i < 900; ++i) {
        example.y[i] = noise * example.y[i] + std::cos(example.X(i, 0)) * example.X(i, 1) + std::exp(example.X(i, 2));
      }
      const auto rows = std::shared_ptr<const RowSpace>(new DictionaryRows(example.rows(0, 900)));
      PathOptions options;
      options.spectrum = true;
      PrunePaths(rows, example.y, options).visit(drop_smallest(0.3), [&](const PathStep& step) {
        const Matrix A = rows->gather(step.columns);
        const test::LeastSquares expected = test::gelsy(A, example.y);
        const double error = norm(test::difference(test::times(A, step.coefficients), example.y));
        const std::vector<double> sigma = singular_values(Matrix(A));
        const double rounding = 1e-14 * (norm(example.y) + sigma.front() * norm(step.coefficients));
        EXPECT_LE(error, expected.residual * (1.0 + 1e-9) + rounding) << step.columns.size();
        EXPECT_NEAR(std::sqrt(900.0 * step.train_mse), error, 1e-9 * error + rounding) << step.columns.size();
        const PathStep plain = solve_without_effects(A, example.y);
        EXPECT_NEAR(static_cast<double>(step.rank), static_cast<double>(plain.rank), 2.0);
        EXPECT_LE(norm(step.coefficients), 3.0 * norm(plain.coefficients)) << step.columns.size();
        const auto count = static_cast<double>(step.columns.size());
        EXPECT_NEAR(step.lambda_max, sigma.front() * sigma.front() / count, 1e-10 * step.lambda_max);
        EXPECT_NEAR(step.lambda_min, sigma.back() * sigma.back() / count, 1e-12 * step.lambda_max);
        return true;
      });
    }
  }
}

TEST(EffectsReduction, ServesRidgeRegression) {
  const Example example = make({});
  const auto rows = std::shared_ptr<const RowSpace>(new DictionaryRows(example.rows(0, 900)));
  const Matrix A = rows->gather(all_columns(240));
  PathOptions options;
  options.ridge = 0.1;
  PrunePaths paths(rows, example.y, options);
  PrunePaths plain(std::make_shared<DenseRows>(MatrixView(A)), example.y, options);
  std::vector<std::vector<double>> found;
  for (PrunePaths* path : {&paths, &plain}) {
    path->visit(drop_smallest(0.3), [&](const PathStep& step) {
      found.push_back(step.coefficients);
      return true;
    });
  }
  const std::size_t steps = found.size() / 2;
  for (std::size_t k = 0; k < steps; ++k) test::expect_near(found[k], found[steps + k], 1e-9);
}

TEST(ReducedRows, AnswerToThePlacesOfTheColumnsInA) {
  const Example example = make({});
  const DictionaryRows rows = example.rows(0, 900);
  const Reduction reduction = *reduce_by_effects(rows, *example.dictionary, example.y);
  const ReducedRows reduced(reduction);
  const Columns P = {3, 40, 41, 239};
  const std::vector<double> c = {1.0, -2.0, 0.5, 3.0};
  EXPECT_NEAR(norm(reduced.combine(P, c)), norm(rows.combine(P, c)), 1e-11);
  test::expect_near(reduced.project(P, reduction.b), rows.project(P, example.y), 1e-11);
  std::vector<double> moved(P.size());
  const std::vector<double> sum = reduced.project_and_combine(P, reduction.b, moved);
  EXPECT_NEAR(norm(sum), norm(rows.combine(P, moved)), 1e-9 * norm(sum));
  EXPECT_NEAR(norm(reduced.gather(P).col(2)), norm(rows.gather(P).col(2)), 1e-11);
  EXPECT_EQ(reduced.reduce(reduction.b).M, reduction.M);
}

}  // namespace effects_reduction_test
}  // namespace shrimp

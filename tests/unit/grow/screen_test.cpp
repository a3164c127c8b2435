#include "grow/screen.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "support.hpp"

namespace shrimp {
namespace screen_test {

using test::random_matrix;
using test::random_vector;

constexpr std::size_t m = 600;
constexpr double level = 0.01;

std::vector<double> values(const Matrix& X, double (*f)(const double*)) {
  std::vector<double> y;
  for (std::size_t i = 0; i < X.rows(); ++i) {
    std::vector<double> x;
    for (std::size_t j = 0; j < X.cols(); ++j) x.push_back(X(i, j));
    y.push_back(f(x.data()));
  }
  return y;
}

std::vector<ScoredSupport> find(const Matrix& X, std::span<const double> r, std::size_t order,
                                std::vector<bool> excluded = {}) {
  excluded.resize(X.cols(), false);
  ScreenedSets sets;
  sets.order = order;
  sets.level = level;
  sets.excluded_inputs = excluded;
  return Screen(X, {}, 0).find(r, sets);
}

TEST(Screen, FindsAPairWithoutMainEffects) {
  const Matrix X = random_matrix(m, 30, 1);
  const auto found = find(X, values(X, [](const double* x) { return x[3] * x[17]; }), 2);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().variables, (Support{3, 17}));
  EXPECT_LT(found.front().chance, 1e-6);
}

TEST(Screen, FindsEvenAndOddEffectsOfOneInput) {
  const Matrix X = random_matrix(m, 30, 2);
  const auto found = find(X, values(X, [](const double* x) { return x[5] + 2 * x[9] * x[9]; }), 1);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE((found[0].variables == Support{5} && found[1].variables == Support{9}) ||
              (found[0].variables == Support{9} && found[1].variables == Support{5}));
}

TEST(Screen, FindsATriple) {
  const Matrix X = random_matrix(m, 12, 3);
  const auto found = find(X, values(X, [](const double* x) { return x[0] * x[4] * x[11]; }), 3);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().variables, (Support{0, 4, 11}));
  const auto pairs = find(X, values(X, [](const double* x) { return x[0] * x[4] * x[11]; }), 2);
  EXPECT_TRUE(pairs.empty());
}

TEST(Screen, FindsNothingInNoise) {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix X = random_matrix(200, 20, 100 + seed);
    const std::vector<double> noise = random_vector(200, 200 + seed);
    for (const std::size_t order : {1, 2, 3}) found += find(X, noise, order).size();
  }
  EXPECT_LE(found, 2U);
}

// Noise whose size depends on an input says nothing of the mean.
TEST(Screen, IsNotFooledByNoiseOfUnevenSize) {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix X = random_matrix(300, 10, 300 + seed);
    std::vector<double> noise = random_vector(300, 400 + seed);
    for (std::size_t i = 0; i < noise.size(); ++i) noise[i] *= std::exp(2.0 * X(i, 0));
    for (const std::size_t order : {1, 2}) found += find(X, noise, order).size();
  }
  EXPECT_LE(found, 2U);
}

TEST(Screen, LeavesOutExcludedAndConstantInputs) {
  Matrix X = random_matrix(m, 6, 4);
  std::ranges::fill(X.col(2), 7.0);
  const std::vector<double> r = values(X, [](const double* x) { return x[0] * x[1] + x[0]; });
  std::vector<bool> excluded(6, false);
  excluded[0] = true;
  EXPECT_TRUE(find(X, r, 1, excluded).empty());
  EXPECT_TRUE(find(X, r, 2, excluded).empty());
  for (const ScoredSupport& support : find(X, r, 2)) {
    EXPECT_EQ(std::ranges::find(support.variables, 2U), support.variables.end());
  }
}

// Sets that are in a model already must not take the place of others.
TEST(Screen, LeavesOutExcludedSets) {
  const Matrix X = random_matrix(m, 8, 6);
  const std::vector<double> r = values(X, [](const double* x) { return 3.0 * x[0] * x[1] + x[2] * x[3]; });
  ScreenedSets sets;
  sets.order = 2;
  sets.most = 1;
  sets.excluded_inputs.assign(8, false);
  ASSERT_EQ(Screen(X, {}, 0).find(r, sets).front().variables, (Support{0, 1}));
  sets.excluded = {{0, 1}};
  const auto found = Screen(X, {}, 0).find(r, sets);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().variables, (Support{2, 3}));
}

// The products over single rows as they are defined, for every pair and triple.
double score_of(const Matrix& U, std::span<const double> r, const Support& variables, std::size_t p) {
  double best = 0.0;
  for (std::size_t highest = 1; highest <= p; highest *= 2) {
    double sum_of_squares = 0.0;
    std::size_t count = 1;
    for (std::size_t l = 0; l < variables.size(); ++l) count *= highest;
    for (std::size_t number = 0; number < count; ++number) {
      double sum = 0.0;
      double squares = 0.0;
      for (std::size_t i = 0; i < U.rows(); ++i) {
        double v = r[i];
        for (std::size_t l = 0, rest = number; l < variables.size(); ++l, rest /= highest) {
          v *= U(i, 4 * variables[l] + rest % highest);
        }
        sum += v;
        squares += v * v;
      }
      sum_of_squares += sum * sum / squares;
    }
    best = std::max(best, chi_square_surprise(sum_of_squares, count));
  }
  return best;
}

// Orthonormal cosines of the ranks, by Gram and Schmidt.
Matrix cosines_of_ranks(const Matrix& X) {
  const std::size_t rows = X.rows();
  Matrix U(rows, 4 * X.cols());
  for (std::size_t j = 0; j < X.cols(); ++j) {
    for (std::size_t a = 0; a < 4; ++a) {
      const auto u = U.col(4 * j + a);
      for (std::size_t i = 0; i < rows; ++i) {
        std::size_t below = 0;
        for (std::size_t k = 0; k < rows; ++k) below += X(k, j) < X(i, j) ? 1 : 0;
        u[i] = std::cos(M_PI * static_cast<double>(a + 1) * (static_cast<double>(below) + 0.5) /
                        static_cast<double>(rows));
      }
      const auto take_out = [&](auto&& v) {
        double product = 0.0;
        double square = 0.0;
        for (std::size_t i = 0; i < rows; ++i) product += u[i] * v(i), square += v(i) * v(i);
        for (std::size_t i = 0; i < rows; ++i) u[i] -= product / square * v(i);
      };
      take_out([](std::size_t) { return 1.0; });
      for (std::size_t b = 0; b < a; ++b) take_out([&](std::size_t i) { return U(i, 4 * j + b); });
    }
  }
  return U;
}

TEST(Screen, ScoresEverySetOnceByItsDefinition) {
  const Matrix X = random_matrix(80, 53, 7);  // More than a tile of inputs, and more than all triples are taken of.
  const std::vector<double> r = random_vector(80, 8);
  const Matrix U = cosines_of_ranks(X);
  for (const std::size_t order : {1, 2, 3}) {
    ScreenedSets sets;
    sets.order = order;
    sets.level = 2.0;
    sets.most = 100000;
    sets.likely = {3, 17, 50};
    sets.excluded_inputs.assign(53, false);
    const auto found = Screen(X, {}, 0).find(r, sets);
    std::set<Support> seen;
    for (const ScoredSupport& support : found) seen.insert(support.variables);
    EXPECT_EQ(seen.size(), found.size());
    const std::size_t around = 3 * 50 * 49 / 2 + 3 * 50 + 1;  // One, two or three of the likely inputs.
    EXPECT_EQ(found.size(), order == 1 ? 53U : order == 2 ? 53U * 52U / 2U : around);
    for (std::size_t k = 0; k < found.size(); k += 97) {
      EXPECT_NEAR(found[k].score, score_of(U, r, found[k].variables, order == 3 ? 2 : 4), 1e-8 * (1 + found[k].score));
    }
  }
}

// By mathematics: a set's chance below a level happens so often where there is nothing.
TEST(Screen, KeepsItsLevel) {
  constexpr int tables = 300;
  for (const std::size_t order : {1, 2}) {
    int below = 0;
    for (std::uint64_t seed = 0; seed < tables; ++seed) {
      const Matrix X = random_matrix(100, 8, 1000 + seed);
      ScreenedSets sets;
      sets.order = order;
      sets.level = 0.1;
      sets.excluded_inputs.assign(8, false);
      below += Screen(X, {}, seed).find(random_vector(100, 2000 + seed), sets).empty() ? 0 : 1;
    }
    EXPECT_GT(below, 0.04 * tables);
    EXPECT_LT(below, 0.14 * tables);
  }
}

GroupStarts blocks_of(std::size_t rows, std::size_t size) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < rows; i += size) starts.push_back(i);
  starts.push_back(rows);
  return std::make_shared<const std::vector<std::size_t>>(std::move(starts));
}

// Rows that are alike with their neighbours are no evidence each by itself.
TEST(Screen, IsNotFooledByRowsThatAreAlikeWithinTheirGroups) {
  std::size_t found_by_rows = 0;
  std::size_t found_by_groups = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Matrix X = random_matrix(400, 6, 500 + seed);
    std::vector<double> r = random_vector(400, 600 + seed);
    const auto smooth = [](std::span<double> x) {
      for (std::size_t i = 1; i < x.size(); ++i) x[i] = 0.9 * x[i - 1] + x[i];
    };
    smooth(r);
    for (std::size_t j = 0; j < 6; ++j) smooth(X.col(j));
    ScreenedSets sets;
    sets.level = level;
    sets.excluded_inputs.assign(6, false);
    for (const std::size_t order : {1, 2}) {
      sets.order = order;
      found_by_rows += Screen(X, {}, 0).find(r, sets).empty() ? 0 : 1;
      found_by_groups += Screen(X, blocks_of(400, 20), 0).find(r, sets).empty() ? 0 : 1;
    }
  }
  EXPECT_GT(found_by_rows, 20U);
  EXPECT_LE(found_by_groups, 2U);
}

TEST(Screen, FindsByGroupsWhatIsThere) {
  const Matrix X = random_matrix(m, 10, 9);
  const std::vector<double> r = values(X, [](const double* x) { return x[2] * x[7] + 0.3 * x[1]; });
  ScreenedSets sets;
  sets.order = 2;
  sets.excluded_inputs.assign(10, false);
  const auto found = Screen(X, blocks_of(m, 12), 0).find(r, sets);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().variables, (Support{2, 7}));
}

TEST(Screen, GivesUpWhenAskedTo) {
  const Matrix X = random_matrix(m, 10, 9);
  ScreenedSets sets;
  sets.order = 2;
  sets.excluded_inputs.assign(10, false);
  sets.is_over = [] { return true; };
  EXPECT_TRUE(Screen(X, {}, 0).find(values(X, [](const double* x) { return x[2] * x[7]; }), sets).empty());
}

TEST(FlipSigns, KeepsSizesAndFlipsGroupsTogether) {
  const Matrix X = random_matrix(100, 2, 4);
  const std::vector<double> r = random_vector(100, 5);
  const Screen screen(X, blocks_of(100, 10), 1);
  const std::vector<double> flipped = screen.flip_signs(r, 2, 3);
  EXPECT_NE(flipped, r);
  EXPECT_EQ(flipped, screen.flip_signs(r, 2, 3));
  EXPECT_NE(flipped, screen.flip_signs(r, 2, 4));
  for (std::size_t i = 0; i < r.size(); ++i) EXPECT_EQ(flipped[i] / r[i], flipped[i / 10 * 10] / r[i / 10 * 10]);
}

}  // namespace screen_test
}  // namespace shrimp

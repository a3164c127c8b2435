#include <set>

#include "path/prune.hpp"
#include "shrimp/path.hpp"
#include "support.hpp"

namespace shrimp {
namespace prune_rules_test {

using namespace test;

struct Problem {
  Matrix A = random_matrix(20, 60, 1);
  std::vector<double> y = random_vector(20, 2);
};

std::vector<std::size_t> sizes_of(const std::vector<PathStep>& path) {
  std::vector<std::size_t> sizes;
  for (const PathStep& step : path) sizes.push_back(step.columns.size());
  return sizes;
}

TEST(PruneRules, RateZeroDropsOneColumnAStep) {
  const Problem problem;
  PathOptions options;
  options.prune_rate = 0.0;
  const auto path = prune_path(problem.A, problem.y, options);
  ASSERT_EQ(path.size(), 60U);
  for (std::size_t t = 0; t < path.size(); ++t) EXPECT_EQ(path[t].columns.size(), 60 - t);
  for (std::size_t t = 1; t < path.size(); ++t) {
    const auto& before = path[t - 1];
    std::size_t smallest = 0;
    for (std::size_t k = 1; k < before.columns.size(); ++k) {
      if (std::abs(before.coefficients[k]) < std::abs(before.coefficients[smallest])) smallest = k;
    }
    const auto& left = path[t].columns;
    EXPECT_EQ(std::ranges::count(left, before.columns[smallest]), 0) << "step " << t;
  }
}

TEST(PruneRules, WithoutRefitCoefficientsStayWhatTheyWere) {
  const Problem problem;
  PathOptions options;
  options.refit = false;
  const auto path = prune_path(problem.A, problem.y, options);
  EXPECT_EQ(sizes_of(path), path_sizes(60, 0.2));
  const PathStep& first = path.front();
  for (const PathStep& step : path) {
    double largest_dropped = 0.0;
    double smallest_kept = std::numeric_limits<double>::infinity();
    std::size_t k = 0;
    for (std::size_t j = 0; j < first.columns.size(); ++j) {
      if (k < step.columns.size() && step.columns[k] == j) {
        EXPECT_EQ(step.coefficients[k], first.coefficients[j]);
        smallest_kept = std::min(smallest_kept, std::abs(first.coefficients[j]));
        ++k;
      } else {
        largest_dropped = std::max(largest_dropped, std::abs(first.coefficients[j]));
      }
    }
    EXPECT_EQ(k, step.columns.size());
    EXPECT_LE(largest_dropped, smallest_kept);
    const auto predicted = times(columns_of(problem.A, step.columns), step.coefficients);
    EXPECT_NEAR(step.train_mse, mean_squared_error(predicted, problem.y), 1e-13);
  }
}

TEST(PruneRules, RandomPruningRefitsNestedSetsOfTheSameSizes) {
  const Problem problem;
  PathOptions options;
  options.drop = Drop::random;
  std::set<std::vector<std::size_t>> seen;
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    options.seed = seed;
    const auto path = prune_path(problem.A, problem.y, options);
    EXPECT_EQ(sizes_of(path), path_sizes(60, 0.2));
    for (std::size_t t = 1; t < path.size(); ++t) {
      EXPECT_TRUE(std::ranges::includes(path[t - 1].columns, path[t].columns));
      const auto oracle = gelsy(columns_of(problem.A, path[t].columns), problem.y).coefficients;
      expect_near(path[t].coefficients, oracle, 1e-9);
    }
    EXPECT_EQ(path[3].columns, prune_path(problem.A, problem.y, options)[3].columns);
    seen.insert(path[3].columns);
  }
  EXPECT_EQ(seen.size(), 3U);
}

TEST(PruneRules, RandomPruningDropsEveryColumnEquallyOften) {
  const Matrix A = random_matrix(4, 10, 3);
  const std::vector<double> y = random_vector(4, 4);
  PathOptions options;
  options.drop = Drop::random;
  options.prune_rate = 0.5;
  options.threads = 1;
  std::vector<int> kept(10, 0);
  constexpr int runs = 400;
  for (int seed = 0; seed < runs; ++seed) {
    options.seed = static_cast<std::uint64_t>(seed);
    visit_prune_path(A, y, options, [&](const PathStep& step) {
      if (step.columns.size() != 5) return true;
      for (const std::size_t column : step.columns) ++kept[column];
      return false;
    });
  }
  for (const int count : kept) EXPECT_NEAR(count, runs / 2, 5 * std::sqrt(runs) / 2);
}

TEST(SequentialThresholds, EndWhenEveryCoefficientIsAboveTheThreshold) {
  const Matrix A = random_matrix(50, 12, 5);
  std::vector<double> truth(12, 0.0);
  truth[2] = 1.5;
  truth[7] = -0.7;
  std::vector<double> y = times(A, truth);
  const std::vector<double> noise = random_vector(50, 6);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += 0.05 * noise[i];
  const PathStep step = threshold_sequentially(A, y, 0.3);
  EXPECT_EQ(step.columns, (std::vector<std::size_t>{2, 7}));
  expect_near(step.coefficients, gelsy(columns_of(A, step.columns), y).coefficients, 1e-12);
  EXPECT_EQ(step.penalty, 0.3);
}

TEST(SequentialThresholds, MayLeaveNothing) {
  const Problem problem;
  const PathStep step = threshold_sequentially(problem.A, problem.y, 1e6);
  EXPECT_TRUE(step.columns.empty());
  EXPECT_NEAR(step.train_mse, std::pow(norm(problem.y), 2) / 20.0, 1e-14);
}

TEST(SequentialThresholds, OfZeroKeepEverything) {
  const Problem problem;
  EXPECT_EQ(threshold_sequentially(problem.A, problem.y, 0.0).columns.size(), 60U);
  EXPECT_THROW((void)threshold_sequentially(problem.A, problem.y, -1.0), std::invalid_argument);
  EXPECT_THROW((void)threshold_sequentially(problem.A, problem.y, std::nan("")), std::invalid_argument);
}

TEST(PruneRules, DropTheSmallestOfTheColumnsThatMayGo) {
  PathStep step;
  step.columns = {0, 2, 3, 5, 8};
  step.coefficients = {0.1, -3.0, 0.2, 5.0, -4.0};
  std::vector<bool> kept(9, false);
  kept[0] = true;
  EXPECT_EQ(drop_smallest_but(kept, 0.5).keep(step), (std::vector<std::size_t>{0, 3, 4}));
  kept[5] = kept[8] = kept[2] = true;
  EXPECT_EQ(drop_smallest_but(kept, 0.5).keep(step), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(drop_smallest_but(std::vector<bool>(9, false), 0.4).keep(step), drop_smallest(0.4).keep(step));
}

}  // namespace prune_rules_test
}  // namespace shrimp

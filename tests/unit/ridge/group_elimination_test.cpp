#include "ridge/group_elimination.hpp"

#include "linalg/dense.hpp"
#include "solvers/minimum_norm.hpp"
#include "support.hpp"

namespace shrimp {
namespace group_elimination_test {

// The least of ‖Rc − b‖² + λ‖c‖² over the columns of some groups, by LAPACK on stacked rows.
double least_objective(const RidgeProblem& problem, const ColumnGroups& groups, const std::vector<bool>& left) {
  std::vector<std::size_t> columns;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (left[g]) columns.insert(columns.end(), groups[g].begin(), groups[g].end());
  }
  if (columns.empty()) return squared_norm(problem.b);
  Matrix penalty(columns.size(), columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k) penalty(k, k) = std::sqrt(problem.ridge);
  const Matrix A = stack_rows(gather_columns(problem.R, columns), penalty);
  std::vector<double> b = problem.b;
  b.resize(A.rows(), 0.0);
  const std::vector<double> c = solve_minimum_norm(Matrix(A), b, 1e-15).coefficients;
  add_scaled(b, -1.0, multiply(A, c));
  return squared_norm(b);
}

std::vector<bool> by_trying_all(const RidgeProblem& problem, const ColumnGroups& groups, const Gains& gains) {
  std::vector<bool> left(groups.size(), true);
  for (;;) {
    const std::vector<double> gain = gains(left);
    const double now = least_objective(problem, groups, left);
    std::pair<double, std::size_t> least{INFINITY, groups.size()};
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (!left[g] || !(gain[g] > 0.0)) continue;
      std::vector<bool> without = left;
      without[g] = false;
      least = std::min(least, {(least_objective(problem, groups, without) - now) / gain[g], g});
    }
    if (least.second == groups.size()) return left;
    left[least.second] = false;
  }
}

// Columns that can nearly stand for each other, so that magnitudes mislead.
RidgeProblem problem_of(std::size_t rows, std::size_t columns, double ridge, std::uint64_t seed) {
  RidgeProblem problem{test::random_matrix(rows, columns, seed), test::random_vector(rows, seed + 1), ridge};
  for (std::size_t k = 0; k + 1 < columns; k += 3) {
    for (std::size_t i = 0; i < rows; ++i) problem.R(i, k + 1) = problem.R(i, k) + 0.01 * problem.R(i, k + 1);
  }
  for (std::size_t k = 0; k < columns; k += 4) add_scaled(problem.b, 3.0, problem.R.col(k));
  return problem;
}

Gains down_to(std::size_t groups) {
  return [groups](const std::vector<bool>& left) {
    const bool enough = static_cast<std::size_t>(std::ranges::count(left, true)) <= groups;
    return std::vector<double>(left.size(), enough ? 0.0 : 1.0);
  };
}

TEST(GroupElimination, DropsWhatTryingAllDrops) {
  for (const double ridge : {1e-3, 0.5}) {
    const RidgeProblem problem = problem_of(60, 24, ridge, 7);
    ColumnGroups single;
    for (std::size_t k = 0; k < 24; ++k) single.push_back({k});
    EXPECT_EQ(eliminate_groups(problem, single, down_to(5)), by_trying_all(problem, single, down_to(5)));
    const ColumnGroups several = {{0, 1, 2, 3}, {4}, {5, 6, 7}, {8, 9, 10, 11, 12}, {13, 14}, {15, 16, 17, 18, 19, 20},
                                  {21, 22, 23}};
    EXPECT_EQ(eliminate_groups(problem, several, down_to(2)), by_trying_all(problem, several, down_to(2)));
  }
}

TEST(GroupElimination, WeighsTheCostByWhatIsGained) {
  const RidgeProblem problem = problem_of(50, 12, 0.1, 11);
  const ColumnGroups groups = {{0, 1, 2, 3, 4, 5}, {6}, {7}, {8, 9}, {10}, {11}};
  const Gains columns_above_four = [&](const std::vector<bool>& left) {
    std::size_t count = 0;
    for (std::size_t g = 0; g < left.size(); ++g) count += left[g] ? groups[g].size() : 0;
    std::vector<double> gains;
    for (const auto& group : groups) {
      gains.push_back(count > 4 ? static_cast<double>(std::min(group.size(), count - 4)) : 0.0);
    }
    return gains;
  };
  EXPECT_EQ(eliminate_groups(problem, groups, columns_above_four), by_trying_all(problem, groups, columns_above_four));
}

TEST(GroupElimination, GoesOnWithoutRidgeAndWithColumnsThatOthersStandFor) {
  RidgeProblem problem{test::random_matrix(40, 12, 3), std::vector<double>(40, 0.0), 0.0};
  for (std::size_t k = 6; k < 12; ++k) std::ranges::copy(problem.R.col(k - 6), problem.R.col(k).begin());
  add_scaled(problem.b, 1.0, problem.R.col(4));
  add_scaled(problem.b, -2.0, problem.R.col(1));
  ColumnGroups single;
  for (std::size_t k = 0; k < 12; ++k) single.push_back({k});
  const std::vector<bool> left = eliminate_groups(problem, single, down_to(2));
  EXPECT_LT(least_objective(problem, single, left), 1e-12 * squared_norm(problem.b));
}

}  // namespace group_elimination_test
}  // namespace shrimp

#include <map>

#include "path/prune_paths.hpp"
#include "support.hpp"

namespace shrimp {
namespace prune_path_test {

using test::columns_of;
using test::gelsy;
using test::message_of;
using test::random_matrix;
using test::random_matrix_of_rank;
using test::random_vector;

// Paper, Fig. "support recovery": N = 10000 weight vectors, p = 0.2.
TEST(PrunePath, FollowsThePublishedSizes) {
  const std::vector<std::size_t> published = {20000, 16000, 12800, 10240, 8192, 6554, 5243, 4194, 3355,
                                              2684,  2147,  1718,  1374,  1099, 879,  703,  562};
  const std::vector<std::size_t> sizes = path_sizes(20000, 0.2);
  ASSERT_GT(sizes.size(), 33U);
  EXPECT_TRUE(std::ranges::equal(published, std::span(sizes).first(published.size())));
  EXPECT_EQ(sizes[28], 38U);
  EXPECT_EQ(sizes[33], 12U);
  EXPECT_EQ(sizes.back(), 1U);
}

TEST(PrunePath, DropsAtLeastOneColumnAndNeverAll) {
  EXPECT_EQ(path_sizes(5, 0.01), (std::vector<std::size_t>{5, 4, 3, 2, 1}));
  EXPECT_EQ(path_sizes(5, 0.99), (std::vector<std::size_t>{5, 1}));
  EXPECT_EQ(path_sizes(1, 0.2), (std::vector<std::size_t>{1}));
}

TEST(PrunePath, VisitsTheSizesItAnnounces) {
  const Matrix A = random_matrix(12, 40, 1);
  for (const double rate : {0.05, 0.2, 0.5, 0.9}) {
    PathOptions options;
    options.prune_rate = rate;
    std::vector<std::size_t> sizes;
    for (const PathStep& step : prune_path(A, random_vector(12, 2), options)) sizes.push_back(step.columns.size());
    EXPECT_EQ(sizes, path_sizes(40, rate)) << "p = " << rate;
  }
}

struct Problem {
  const char* name;
  Matrix A;
};

std::vector<Problem> make_problems() {
  std::vector<Problem> problems;
  problems.push_back({"wide", random_matrix(25, 80, 3)});
  problems.push_back({"very wide", random_matrix(6, 150, 4)});
  problems.push_back({"tall", random_matrix(80, 25, 5)});
  problems.push_back({"square", random_matrix(30, 30, 6)});
  problems.push_back({"wide and rank-deficient", random_matrix_of_rank(25, 80, 9, 7)});
  problems.push_back({"tall and rank-deficient", random_matrix_of_rank(80, 25, 9, 8)});
  problems.push_back({"one row", random_matrix(1, 20, 9)});
  problems.push_back({"one column", random_matrix(20, 1, 10)});
  Matrix twins = random_matrix(15, 40, 11);
  for (std::size_t j = 0; j < 20; ++j) std::ranges::copy(twins.col(j), twins.col(j + 20).begin());
  problems.push_back({"with every column twice", std::move(twins)});
  return problems;
}

// Against LAPACK's dgelsy on the columns of the step: same residual, norm and rank.
void expect_minimum_norm(const PathStep& step, MatrixView A, const std::vector<double>& y) {
  SCOPED_TRACE(std::to_string(step.columns.size()) + " columns");
  const Matrix A_P = columns_of(A, step.columns);
  const test::LeastSquares oracle = gelsy(A_P, y);
  ASSERT_EQ(step.coefficients.size(), step.columns.size());
  EXPECT_EQ(step.rank, oracle.rank);
  EXPECT_NEAR(norm(step.coefficients), norm(oracle.coefficients), 1e-9 * norm(oracle.coefficients));
  const double residual = norm(test::difference(test::times(A_P, step.coefficients), y));
  EXPECT_NEAR(residual, oracle.residual, 1e-10 * norm(y));
  EXPECT_NEAR(step.train_mse, std::pow(residual, 2) / static_cast<double>(y.size()), 1e-12 * norm(y));
  test::expect_near(step.coefficients, oracle.coefficients, 1e-9 * norm(oracle.coefficients));
}

TEST(PrunePath, EveryStepIsTheMinimumNormSolution) {
  for (const Problem& problem : make_problems()) {
    SCOPED_TRACE(problem.name);
    const std::vector<double> y = random_vector(problem.A.rows(), 12);
    for (const PathStep& step : prune_path(problem.A, y)) expect_minimum_norm(step, problem.A, y);
  }
}

// The columns that stay, by sorting all of them: smallest |c| first, ties by index.
std::vector<std::size_t> survivors(const PathStep& step, std::size_t kept) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t k = 0; k < step.columns.size(); ++k) {
    order.emplace_back(std::abs(step.coefficients[k]), step.columns[k]);
  }
  std::ranges::sort(order);
  std::vector<std::size_t> result;
  for (std::size_t k = order.size() - kept; k < order.size(); ++k) result.push_back(order[k].second);
  std::ranges::sort(result);
  return result;
}

TEST(PrunePath, DropsTheColumnsOfSmallestCoefficient) {
  for (const Problem& problem : make_problems()) {
    SCOPED_TRACE(problem.name);
    const std::vector<PathStep> steps = prune_path(problem.A, random_vector(problem.A.rows(), 13));
    EXPECT_EQ(steps.front().columns.size(), problem.A.cols());
    for (std::size_t t = 1; t < steps.size(); ++t) {
      EXPECT_EQ(steps[t].columns, survivors(steps[t - 1], steps[t].columns.size())) << "step " << t;
    }
    EXPECT_EQ(steps.back().columns.size(), 1U);
  }
}

// On the unit matrix c = y exactly, so equal |y| are exact ties: the lower index goes first.
TEST(PrunePath, BreaksTiesByIndex) {
  constexpr std::size_t n = 10;
  Matrix identity(n, n);
  std::vector<double> y(n, 1.0);
  for (std::size_t i = 0; i < n; ++i) {
    identity(i, i) = 1.0;
    if (i % 3 == 0) y[i] = -1.0;
  }
  for (const PathStep& step : prune_path(identity, y)) {
    for (std::size_t k = 0; k < step.columns.size(); ++k) EXPECT_EQ(step.columns[k], n - step.columns.size() + k);
  }
}

std::vector<double> eigenvalues(Matrix symmetric) {
  const auto n = static_cast<lapack_int>(symmetric.rows());
  std::vector<double> values(symmetric.rows());
  EXPECT_EQ(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', n, symmetric.data(), n, values.data()), 0);
  return values;
}

// A_P A_Pᵀ/N_t or, once N_t < m, A_Pᵀ A_P/N_t, formed entry by entry.
Matrix scaled_gram(MatrixView A) {
  const bool wide = A.cols >= A.rows;
  const std::size_t n = wide ? A.rows : A.cols;
  const std::size_t inner = wide ? A.cols : A.rows;
  Matrix G(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < inner; ++k) G(i, j) += wide ? A(i, k) * A(j, k) : A(k, i) * A(k, j);
      G(i, j) /= static_cast<double>(A.cols);
    }
  }
  return G;
}

TEST(PrunePath, ReportsTheExtremeEigenvaluesOfEveryStep) {
  PathOptions options;
  options.spectrum = true;
  for (const Problem& problem : make_problems()) {
    SCOPED_TRACE(problem.name);
    for (const PathStep& step : prune_path(problem.A, random_vector(problem.A.rows(), 14), options)) {
      const std::vector<double> expected = eigenvalues(scaled_gram(columns_of(problem.A, step.columns)));
      EXPECT_NEAR(step.lambda_max, expected.back(), 1e-12 * expected.back());
      EXPECT_NEAR(step.lambda_min, expected.front(), 1e-12 * expected.back());
    }
  }
}

TEST(PrunePath, ReportsNoSpectrumUnasked) {
  for (const PathStep& step : prune_path(random_matrix(5, 8, 1), random_vector(5, 2))) {
    EXPECT_EQ(step.lambda_max, 0.0);
    EXPECT_EQ(step.lambda_min, 0.0);
  }
}

TEST(PrunePath, DoesNotDependOnAskingForTheSpectrum) {
  const Matrix A = random_matrix(20, 50, 2);
  const std::vector<double> y = random_vector(20, 3);
  PathOptions options;
  options.spectrum = true;
  const std::vector<PathStep> with = prune_path(A, y, options);
  const std::vector<PathStep> without = prune_path(A, y);
  ASSERT_EQ(with.size(), without.size());
  for (std::size_t t = 0; t < with.size(); ++t) EXPECT_EQ(with[t].columns, without[t].columns);
}

void expect_same_path(const std::vector<PathStep>& actual, const std::vector<PathStep>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t t = 0; t < actual.size(); ++t) {
    EXPECT_EQ(actual[t].columns, expected[t].columns) << "step " << t;
    EXPECT_EQ(actual[t].rank, expected[t].rank) << "step " << t;
    test::expect_near(actual[t].coefficients, expected[t].coefficients, 1e-9 * norm(expected[t].coefficients));
  }
}

TEST(PrunePath, DoesNotDependOnGroups) {
  for (const Problem& problem : make_problems()) {
    SCOPED_TRACE(problem.name);
    const std::vector<double> y = random_vector(problem.A.rows(), 18);
    const std::vector<PathStep> expected = prune_path(problem.A, y);
    for (const std::uint32_t groups : {1U, 3U, 10U}) {
      std::vector<std::uint32_t> group_of(problem.A.cols());
      for (std::size_t j = 0; j < group_of.size(); ++j) group_of[j] = static_cast<std::uint32_t>(j) % groups;
      PathOptions options;
      options.groups = group_of;
      expect_same_path(prune_path(problem.A, y, options), expected);
    }
  }
}

// Four groups of forty columns, each of rank six: what compressing groups is for, with a clear gap to the noise.
TEST(PrunePath, OfGroupsOfLowRankIsTheMinimumNormSolution) {
  for (const std::size_t rows : {15U, 60U}) {
    Matrix A(rows, 160);
    std::vector<std::uint32_t> group_of;
    for (std::uint32_t g = 0; g < 4; ++g) {
      const Matrix part = random_matrix_of_rank(rows, 40, 6, 30 + 2 * g);
      std::copy_n(part.data(), rows * 40, A.col(40 * g).data());
      group_of.insert(group_of.end(), 40, g);
    }
    PathOptions options;
    options.groups = group_of;
    const std::vector<double> y = random_vector(rows, 19);
    for (const PathStep& step : prune_path(A, y, options)) expect_minimum_norm(step, A, y);
  }
}

// Fourier columns with the pair of inputs that each looks at for its group.
struct GroupedFeatures {
  Matrix A;
  std::vector<std::uint32_t> group_of;

  GroupedFeatures() {
    FeatureOptions features;
    features.features = 300;
    const Dictionary dictionary = make_dictionary(draw_weights(3, features), Basis::fourier);
    A = evaluate(dictionary, random_matrix(60, 3, 19));
    for (std::size_t k = 0; k < dictionary.columns(); ++k) {
      group_of.push_back(dictionary.support(k)[0] + dictionary.support(k)[1]);  // 1, 2, 3 for the three pairs.
    }
  }
};

// σ_max/σ_min
double condition(Matrix A) {
  std::vector<double> values(std::min(A.rows(), A.cols()));
  const auto m = static_cast<lapack_int>(A.rows());
  const auto n = static_cast<lapack_int>(A.cols());
  EXPECT_EQ(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', m, n, A.data(), m, values.data(), nullptr, 1, nullptr, 1), 0);
  return values.front() / values.back();
}

// Such columns are nearly dependent, so what is cut off may differ; but where a step's columns are independent, a
// hundred times above the tolerance, nothing is cut off and the solution is unique.
void expect_least_squares_where_independent(MatrixView A, const PathOptions& options) {
  const std::vector<double> y = random_vector(A.rows, 20);
  for (const PathStep& step : prune_path(A, y, options)) {
    const Matrix A_P = columns_of(A, step.columns);
    if (A_P.cols() >= A_P.rows() || condition(Matrix(A_P)) > std::min(1e6, 0.01 / options.rank_tolerance)) continue;
    const std::vector<double> oracle = gelsy(A_P, y).coefficients;
    EXPECT_LT(norm(test::difference(step.coefficients, oracle)), 1e-4 * norm(oracle))
        << step.columns.size() << " columns, tolerance " << options.rank_tolerance;
  }
}

TEST(PrunePath, OfFeaturesIsLeastSquaresOnceColumnsAreIndependent) {
  const GroupedFeatures features;
  for (const double tolerance : {0.0, 1e-10, 1e-8, 1e-6}) {
    PathOptions options;
    options.rank_tolerance = tolerance;
    expect_least_squares_where_independent(features.A, options);
    options.groups = features.group_of;
    expect_least_squares_where_independent(features.A, options);
  }
}

// min ‖A c − y‖² + λ‖c‖² is least squares on A with √λ·I below it.
test::LeastSquares ridge_oracle(MatrixView A, const std::vector<double>& y, double lambda) {
  Matrix stacked(A.rows + A.cols, A.cols);
  for (std::size_t j = 0; j < A.cols; ++j) {
    std::ranges::copy(A.col(j), stacked.col(j).begin());
    stacked(A.rows + j, j) = std::sqrt(lambda);
  }
  std::vector<double> padded = y;
  padded.resize(A.rows + A.cols, 0.0);
  return gelsy(stacked, padded);
}

void expect_ridge_solution(const PathStep& step, MatrixView A, const std::vector<double>& y) {
  const std::vector<double> oracle = ridge_oracle(columns_of(A, step.columns), y, step.ridge).coefficients;
  test::expect_near(step.coefficients, oracle, 1e-9 * norm(oracle));
}

TEST(PrunePath, WithRidgeIsRidgeRegressionAtEveryStep) {
  for (const Problem& problem : make_problems()) {
    SCOPED_TRACE(problem.name);
    const std::vector<double> y = random_vector(problem.A.rows(), 21);
    for (const double ridge : {1e-3, 1.0, 100.0}) {
      PathOptions options;
      options.ridge = ridge;
      for (const PathStep& step : prune_path(problem.A, y, options)) {
        EXPECT_EQ(step.ridge, ridge);
        expect_ridge_solution(step, problem.A, y);
      }
    }
  }
}

TEST(PrunePath, WithCrossValidatedRidgeIsRidgeRegressionWithTheReportedRidge) {
  PathOptions options;
  options.ridge_by_gcv = true;
  for (const Problem& problem : make_problems()) {
    SCOPED_TRACE(problem.name);
    const std::vector<double> y = random_vector(problem.A.rows(), 22);
    for (const PathStep& step : prune_path(problem.A, y, options)) {
      EXPECT_GE(step.ridge, 0.0);
      if (step.ridge > 1e-10) expect_ridge_solution(step, problem.A, y);
    }
  }
}

TEST(PrunePath, ReadsViewsWithAStride) {
  const Matrix whole = random_matrix(30, 20, 15);
  const MatrixView part{whole.data() + 5, 10, 20, 30};
  const std::vector<double> y = random_vector(10, 16);
  expect_same_path(prune_path(part, y), prune_path(Matrix(part), y));
}

// y is made of columns 3 and 17 alone, and there are more rows than needed to tell.
// Wide, tall, and of low rank: what one path makes of the equations does not reach the next.
TEST(PrunePaths, GoTheSameWayAgain) {
  const Matrix wide = random_matrix(30, 80, 1);
  const Matrix tall = random_matrix(80, 30, 2);
  const Matrix of_low_rank = random_matrix_of_rank(40, 60, 10, 3);
  for (const MatrixView A : {MatrixView(wide), MatrixView(tall), MatrixView(of_low_rank)}) {
    PrunePaths paths(std::make_shared<DenseRows>(A), random_vector(A.rows, 4), PathOptions());
    std::vector<std::vector<double>> found;
    for (int time = 0; time < 2; ++time) {
      paths.visit(drop_smallest(0.3), [&](const PathStep& step) {
        found.push_back(step.coefficients);
        return true;
      });
    }
    const std::size_t steps = found.size() / 2;
    for (std::size_t k = 0; k < steps; ++k) EXPECT_EQ(found[k], found[steps + k]);
  }
}

TEST(PrunePath, FindsTheColumnsThatMadeTheTarget) {
  const Matrix A = random_matrix(60, 40, 17);
  std::vector<double> y(60);
  for (std::size_t i = 0; i < 60; ++i) y[i] = 2.0 * A(i, 3) - A(i, 17);
  const std::vector<PathStep> steps = prune_path(A, y);
  const PathStep& two = steps[steps.size() - 2];
  EXPECT_EQ(two.columns, (std::vector<std::size_t>{3, 17}));
  test::expect_near(two.coefficients, std::vector<double>{2.0, -1.0}, 1e-12);
  EXPECT_LT(two.train_mse, 1e-28);
}

TEST(PrunePath, StopsWhereTheVisitorSaysSo) {
  std::size_t visits = 0;
  visit_prune_path(random_matrix(10, 30, 1), random_vector(10, 2), {}, [&](const PathStep&) { return ++visits < 3; });
  EXPECT_EQ(visits, 3U);
}

TEST(PrunePath, PassesOnWhatTheVisitorThrows) {
  const auto run = [] {
    visit_prune_path(random_matrix(10, 30, 1), random_vector(10, 2), {},
                     [](const PathStep&) -> bool { throw Interrupted(); });
  };
  EXPECT_THROW(run(), Interrupted);
}

TEST(PrunePath, CutsOffDirectionsBelowTheTolerance) {
  Matrix A(2, 2);
  A(0, 0) = 1.0;
  A(1, 1) = 1e-6;
  PathOptions options;
  options.rank_tolerance = 1e-4;
  const std::vector<PathStep> steps = prune_path(A, std::vector<double>{1.0, 1.0}, options);
  EXPECT_EQ(steps.front().rank, 1U);
  EXPECT_EQ(steps.back().columns, std::vector<std::size_t>{0});
}

std::string refusal(MatrixView A, const std::vector<double>& y, const PathOptions& options = {}) {
  return message_of<std::invalid_argument>([&] { (void)prune_path(A, y, options); });
}

TEST(PrunePath, RefusesNonFiniteInput) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double inf = std::numeric_limits<double>::infinity();
  Matrix A = random_matrix(4, 6, 1);
  std::vector<double> y = random_vector(4, 2);
  A(2, 5) = nan;
  A(3, 1) = -inf;
  test::expect_parts(refusal(A, y), {"A(3, 1)", "-inf"});
  A(3, 1) = 0.0;
  test::expect_parts(refusal(A, y), {"A(2, 5)", "nan"});
  A(2, 5) = 0.0;
  y[2] = inf;
  y[3] = nan;
  test::expect_parts(refusal(A, y), {"y[2]", "inf"});
}

TEST(PrunePath, RefusesSizesThatDisagree) {
  test::expect_parts(refusal(random_matrix(4, 6, 1), random_vector(5, 2)), {"5", "4"});
  EXPECT_NE(refusal(Matrix(4, 0), random_vector(4, 2)), "");
  EXPECT_NE(refusal(Matrix(0, 4), {}), "");
}

TEST(PrunePath, RefusesOptionsOutOfRange) {
  const Matrix A = random_matrix(4, 6, 1);
  const std::vector<double> y = random_vector(4, 2);
  for (const double rate : {1.0, -0.5, 2.0, std::nan("")}) {
    PathOptions options;
    options.prune_rate = rate;
    test::expect_parts(refusal(A, y, options), {"prune rate"});
  }
  for (const double tolerance : {-1e-3, 1.0, std::nan("")}) {
    PathOptions options;
    options.rank_tolerance = tolerance;
    test::expect_parts(refusal(A, y, options), {"rank tolerance"});
  }
  for (const double ridge : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    PathOptions options;
    options.ridge = ridge;
    test::expect_parts(refusal(A, y, options), {"ridge"});
  }
  const std::vector<std::uint32_t> too_few(5, 0);
  PathOptions options;
  options.groups = too_few;
  test::expect_parts(refusal(A, y, options), {"group"});
}

}  // namespace prune_path_test
}  // namespace shrimp

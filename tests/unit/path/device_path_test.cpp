// Prune paths on every device, with the processor's path as oracle.
#include <cmath>
#include <numeric>

#include "linalg/devices.hpp"
#include "path/device_path_solver.hpp"
#include "path/device_rows.hpp"
#include "path/dictionary_rows.hpp"
#include "path/prune_paths.hpp"
#include "path/refit.hpp"
#include "support.hpp"

namespace shrimp {
namespace device_path_test {

using test::random_matrix;
using test::random_vector;

struct Case {
  std::shared_ptr<const Dictionary> dictionary;
  Matrix X;
  std::vector<double> y;
  std::vector<double> factors;
};

Case make_case(std::size_t rows, std::size_t inputs, std::size_t features, int order) {
  FeatureOptions options;
  options.orders = {order};
  options.features = features;
  Case result{std::make_shared<Dictionary>(make_dictionary(draw_weights(inputs, options), Basis::fourier)),
              random_matrix(rows, inputs, 1),
              random_vector(rows, 2),
              {}};
  for (double& x : std::span(result.X.data(), rows * inputs)) x *= 3.0;
  for (std::size_t i = 0; i < rows; ++i) result.y[i] = 0.1 * result.y[i] + std::sin(result.X(i, 0)) * result.X(i, 1);
  return result;
}

class DevicePath : public test::DeviceTest {
 protected:
  static std::shared_ptr<const RowSpace> on_host(const Case& from) {
    return std::make_shared<DictionaryRows>(from.dictionary, Matrix(from.X), from.factors, true);
  }
  [[nodiscard]] static std::shared_ptr<const RowSpace> on(const std::shared_ptr<Device>& device, const Case& from,
                                                          bool store = true) {
    return std::make_shared<DeviceRows>(device, from.dictionary, from.X, from.factors, store);
  }

  static std::vector<PathStep> path(const std::shared_ptr<const RowSpace>& A, const Case& from,
                                    const PathOptions& options = {}) {
    std::vector<PathStep> steps;
    PrunePaths(A, from.y, options).visit(drop_smallest(0.2), [&](const PathStep& step) {
      steps.push_back(step);
      return true;
    });
    return steps;
  }

  static void expect_same(const std::vector<PathStep>& found, const std::vector<PathStep>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t t = 0; t < expected.size(); ++t) {
      ASSERT_EQ(found[t].columns, expected[t].columns) << "step " << t;
      EXPECT_EQ(found[t].rank, expected[t].rank);
      EXPECT_EQ(found[t].ridge, expected[t].ridge);
      double size = 0.0;
      for (const double c : expected[t].coefficients) size = std::max(size, std::abs(c));
      test::expect_near(found[t].coefficients, expected[t].coefficients, 1e-9 * size);
      EXPECT_NEAR(found[t].train_mse, expected[t].train_mse, 1e-9 * expected[t].train_mse + 1e-24);
    }
  }
};

TEST_P(DevicePath, IsTheProcessorsFromManyColumnsToOne) {
  const Case wide = make_case(120, 30, 400, 2);
  expect_same(path(on(shared_device(), wide), wide), path(on_host(wide), wide));
}

TEST_P(DevicePath, IsTheProcessorsOfWeightedRowsAndWithARidge) {
  Case wide = make_case(120, 30, 300, 2);
  for (const double value : random_vector(120, 3)) wide.factors.push_back(1.5 + value);
  PathOptions options;
  options.ridge = 0.3;
  expect_same(path(on(shared_device(), wide), wide, options), path(on_host(wide), wide, options));
}

TEST_P(DevicePath, IsTheProcessorsOfTallEquations) {
  const Case tall = make_case(800, 30, 60, 2);
  PathOptions options;
  expect_same(path(on(shared_device(), tall), tall), path(on_host(tall), tall));
  options.ridge = 0.3;
  expect_same(path(on(shared_device(), tall), tall, options), path(on_host(tall), tall, options));
}

TEST_P(DevicePath, HasTheSameBitsEveryTime) {
  const Case wide = make_case(120, 30, 400, 2);
  const std::vector<PathStep> first = path(on(shared_device(), wide), wide);
  const std::vector<PathStep> second = path(on(shared_device(), wide), wide);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t t = 0; t < first.size(); ++t) EXPECT_EQ(first[t].coefficients, second[t].coefficients);
}

TEST_P(DevicePath, IsTheSameWhereFeaturesAreComputedAnew) {
  const Case wide = make_case(120, 30, 400, 2);
  expect_same(path(on(shared_device(), wide, false), wide), path(on_host(wide), wide));
  const Case tall = make_case(800, 30, 60, 2);
  expect_same(path(on(shared_device(), tall, false), tall), path(on_host(tall), tall));
}

TEST_P(DevicePath, DoesWithSmallerBlocksAndAtLastWithoutTheDevice) {
  const Case wide = make_case(120, 30, 400, 2);  // A has 768 kB, a Gram matrix 115 kB.
  const std::vector<PathStep> expected = path(on_host(wide), wide);
  for (const std::size_t bytes : {1000000ul, 600000ul, 300000ul, 150000ul, 60000ul}) {
    expect_same(path(on(scarce(bytes), wide), wide), expected);
  }
}

// Smooth functions of one input: directions have to be cut off.
TEST_P(DevicePath, LeavesColumnsThatDependOnEachOtherToTheProcessor) {
  for (const std::size_t rows : {60ul, 500ul}) {
    Case smooth = make_case(rows, 2, 120, 1);
    for (std::size_t i = 0; i < rows; ++i) smooth.y[i] = std::cos(smooth.X(i, 0)) + smooth.X(i, 1);
    const std::vector<PathStep> found = path(on(shared_device(), smooth), smooth);
    const std::vector<PathStep> expected = path(on_host(smooth), smooth);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t t = 0; t < 5; ++t) {
      EXPECT_LT(found[t].rank, found[t].columns.size());
      EXPECT_LT(found[t].train_mse, 1e-20);
    }
  }
}

TEST_P(DevicePath, HandsATriangleToTheHostAndGoesOnFromThere) {
  const Case tall = make_case(500, 2, 60, 1);  // 120 columns.
  const auto A = on(shared_device(), tall);
  DevicePathSolver solver(A, tall.y, {});
  const PathSolution first = solver.solve(all_columns(A->cols()));
  EXPECT_TRUE(solver.is_on_host());
  EXPECT_LT(first.rank, A->cols());
  const Columns few = {3, 40, 90};
  const PathSolution second = solver.solve(few);
  const Matrix A_P = A->gather(few);
  std::vector<double> gap = test::times(A_P, second.coefficients);
  for (std::size_t i = 0; i < gap.size(); ++i) gap[i] -= tall.y[i];
  EXPECT_NEAR(second.residual, squared_norm(gap), 1e-10 * second.residual);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(std::inner_product(gap.begin(), gap.end(), A_P.col(k).begin(), 0.0), 0.0, 1e-9);
  }
}

TEST_P(DevicePath, SeveralRatesShareTheirStart) {
  const Case wide = make_case(80, 20, 150, 2);
  PrunePaths paths(on(shared_device(), wide), wide.y, {});
  PrunePaths expected(on_host(wide), wide.y, {});
  for (const double rate : {0.2, 0.4}) {
    std::vector<PathStep> found;
    std::vector<PathStep> own;
    const auto into = [](std::vector<PathStep>& steps) {
      return [&steps](const PathStep& step) {
        steps.push_back(step);
        return true;
      };
    };
    paths.visit(drop_smallest(rate), into(found), rate == 0.2);
    expected.visit(drop_smallest(rate), into(own), rate == 0.2);
    expect_same(found, own);
  }
}

TEST_P(DevicePath, RowsAnswerTheHostAsThoseOfADictionaryDo) {
  Case wide = make_case(90, 10, 80, 2);
  for (const double value : random_vector(90, 3)) wide.factors.push_back(1.5 + value);
  const auto expected = on_host(wide);
  const Columns P = {0, 3, 4, 40, 70, 89};
  const std::vector<double> c = random_vector(P.size(), 4);
  const std::vector<double> z = random_vector(90, 5);
  for (const auto& rows : {on(shared_device(), wide), on(shared_device(), wide, false), on(scarce(20000), wide)}) {
    test::expect_near(rows->combine(P, c), expected->combine(P, c), 1e-12);
    test::expect_near(rows->project(P, z), expected->project(P, z), 1e-12);
    const Matrix G = rows->gram(P);
    const Matrix G_expected = expected->gram(P);
    for (std::size_t j = 0; j < G.cols(); ++j)
      test::expect_near(G.col(j).subspan(j), G_expected.col(j).subspan(j), 1e-12);
    const std::vector<std::size_t> any_order = {40, 3, 89};
    const Matrix some = rows->gather(any_order);
    for (std::size_t k = 0; k < 3; ++k) test::expect_near(some.col(k), expected->gather(any_order).col(k), 1e-14);
    EXPECT_EQ(rows->combine({}, {}), std::vector<double>(90));
  }
}

TEST_P(DevicePath, NamesAnEntryThatIsNoNumber) {
  Case wide = make_case(20, 5, 30, 2);
  wide.X(7, 2) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(path(on(shared_device(), wide), wide), std::invalid_argument);
}

SHRIMP_TEST_EVERY_DEVICE(DevicePath);

}  // namespace device_path_test
}  // namespace shrimp

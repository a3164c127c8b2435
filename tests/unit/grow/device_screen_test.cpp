// What the search for terms gives to a device beside kernels, with the processor as oracle.
#include <cmath>

#include "data/split.hpp"
#include "grow/screen.hpp"
#include "linalg/devices.hpp"
#include "ridge/elimination_path.hpp"
#include "support.hpp"

namespace shrimp {
namespace device_screen_test {

using test::random_matrix;
using test::random_vector;

class SearchOnDevices : public test::DeviceTest {};

TEST_P(SearchOnDevices, ScoresPairsOfVeryManyInputsAsTheProcessorDoes) {
  constexpr std::size_t inputs = 130;  // Of four functions each: two tiles.
  const Matrix X = random_matrix(120, inputs, 1);
  std::vector<double> residual = random_vector(120, 2);
  for (std::size_t i = 0; i < 120; ++i) residual[i] += 6.0 * X(i, 3) * X(i, 120);
  ScreenedSets sets;
  sets.order = 2;
  sets.level = 2.0;
  sets.most = 20;
  sets.excluded_inputs.assign(inputs, false);
  const auto expected = Screen(X, {}, 0).find(residual, sets);
  ASSERT_EQ(expected.front().variables, (Support{3, 120}));
  for (const std::size_t bytes : {0ul, 3000000ul}) {
    const auto found = Screen(X, {}, 0, nullptr, scarce(bytes)).find(residual, sets);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_EQ(found[k].variables, expected[k].variables);
      EXPECT_NEAR(found[k].score, expected[k].score, 1e-8);
      EXPECT_EQ(found[k].chance, expected[k].chance);
    }
  }
}

TEST_P(SearchOnDevices, PrunesUnderARidgeAsTheProcessorDoes) {
  const Matrix A = random_matrix(500, 260, 3);
  const std::vector<double> y = random_vector(500, 4);
  std::vector<double> weights = random_vector(500, 5);
  for (double& weight : weights) weight += 1.5;
  const EliminationRule rule{std::vector<bool>(260, false), 0.5};
  const std::vector<RowSplit> folds = fold(y.size(), 3, 7);
  const ValidatedPath expected = EliminationPath(Matrix(A), y, weights, 0.2).validate(rule, folds);
  for (const std::size_t bytes : {0ul, 2000000ul, 1000ul}) {
    const ValidatedPath found = EliminationPath(Matrix(A), y, weights, 0.2, {}, scarce(bytes)).validate(rule, folds);
    ASSERT_EQ(found.steps.size(), expected.steps.size());
    for (std::size_t t = 0; t < found.steps.size(); ++t) {
      EXPECT_EQ(found.steps[t].columns, expected.steps[t].columns);
      test::expect_near(found.steps[t].coefficients, expected.steps[t].coefficients, 1e-9);
      EXPECT_NEAR(found.errors[t].mean, expected.errors[t].mean, 1e-9);
    }
  }
}

SHRIMP_TEST_EVERY_DEVICE(SearchOnDevices);

}  // namespace device_screen_test
}  // namespace shrimp

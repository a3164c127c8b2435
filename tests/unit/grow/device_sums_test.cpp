// Sums over rows on every device, with those of the processor as oracle.
#include "grow/device_sums.hpp"

#include <cmath>

#include "grow/column_sums.hpp"
#include "grow/long_finish.hpp"
#include "linalg/devices.hpp"
#include "support.hpp"

namespace shrimp {
namespace device_sums_test {

using test::random_matrix;
using test::random_vector;

Rows curved_rows(std::size_t m, bool weighted) {
  Rows rows;
  rows.X = random_matrix(m, 2, 1);
  const std::vector<double> noise = random_vector(m, 2);
  const std::vector<double> weights = random_vector(m, 3);
  for (std::size_t i = 0; i < m; ++i) {
    rows.y.push_back(1.0 + std::sin(3.0 * rows.X(i, 0)) + rows.X(i, 1) + 0.1 * noise[i]);
    if (weighted) rows.weights.push_back(1.0 + 0.9 * weights[i]);
  }
  return rows;
}

// A curve of the first input and a line in the second.
Grown curve_and_line() {
  Grown grown;
  grown.terms = {{{0}, {2.0}, 0, 1.0}};
  grown.lambda = 1e-3;
  grown.deviations = {0.58, 0.58};
  return grown;
}

Rows some(const Rows& rows, std::size_t first, std::size_t last) {
  std::vector<std::size_t> which;
  for (std::size_t i = first; i < last; ++i) which.push_back(i);
  return gather(rows, which);
}

class OnDevices : public test::DeviceTest {};

TEST_P(OnDevices, SumsOfRowsAreThoseOfTheProcessor) {
  for (const auto& [weighted, lacks] : {std::pair(false, false), std::pair(true, false), std::pair(true, true)}) {
    Rows rows = curved_rows(700, weighted);
    Grown grown = curve_and_line();
    if (lacks) {
      auto kinds = std::make_shared<InputKinds>();
      kinds->marginals.assign(2, {{-0.5, 0.5}, {0.5, 0.5}});
      grown.kinds = kinds;
      rows.X(3, 0) = std::numeric_limits<double>::quiet_NaN();
    }
    const ScaledDictionary drawn(grown, 1);
    const auto in_blocks = [&rows = rows](const std::function<void(const Rows&)>& body) {
      body(some(rows, 0, 300));
      body(some(rows, 300, 700));
      body(Rows());
    };
    const NormalEquations found = sum_columns(drawn, in_blocks, {shared_device(), {}});
    const Matrix columns = drawn.evaluate_at(rows.X);
    Matrix A(700, columns.cols() + 1);
    std::vector<double> y = rows.y;
    for (std::size_t i = 0; i < 700; ++i) {
      const double root = weighted ? std::sqrt(rows.weights[i]) : 1.0;
      A(i, 0) = root;
      y[i] *= root;
      for (std::size_t j = 0; j < columns.cols(); ++j) A(i, j + 1) = root * columns(i, j);
    }
    NormalEquations expected(A.cols());
    expected.add(A, y, rows.total_weight());
    EXPECT_EQ(found.rows, 700u);
    EXPECT_NEAR(found.weight, expected.weight, 1e-10);
    EXPECT_NEAR(found.target.squares, expected.target.squares, 1e-10);
    test::expect_near(found.target.products, expected.target.products, 1e-10);
    for (std::size_t j = 0; j < A.cols(); ++j) {
      test::expect_near(found.G.col(j).subspan(j), expected.G.col(j).subspan(j), 1e-10);
    }
  }
}

TEST_P(OnDevices, LongTablesAreFittedAsByTheProcessorAlsoWhereMemoryRunsOut) {
  const Rows rows = curved_rows(3000, true);
  LongRows blocks;
  blocks.rows = rows.size();
  blocks.choosing = some(rows, 2400, 2700);
  blocks.telling = some(rows, 2700, 3000);
  const auto in_blocks = [&rows](const std::function<void(const Rows&)>& body) {
    body(some(rows, 0, 200));
    body(some(rows, 200, 2800));  // Larger than a scarce device has room for.
    body(some(rows, 2800, 3000));
  };
  blocks.sum_up = [&in_blocks](const ScaledDictionary& columns, const SumOptions& options) {
    return sum_columns(columns, in_blocks, options);
  };
  const LongFinished expected = finish_long(blocks, curve_and_line(), {}, {}, {});
  for (const std::size_t bytes : {0ul, 1000000ul, 1000ul}) {
    FinishOptions options;
    options.device = scarce(bytes);
    const LongFinished found = finish_long(blocks, curve_and_line(), {}, options, {});
    EXPECT_EQ(found.all.dictionary.columns(), expected.all.dictionary.columns());
    EXPECT_NEAR(found.all.constant, expected.all.constant, 1e-6);
    EXPECT_NEAR(found.train_mse, expected.train_mse, 1e-9);
    EXPECT_NEAR(found.all.error, expected.all.error, 1e-9);
  }
}

SHRIMP_TEST_EVERY_DEVICE(OnDevices);

}  // namespace device_sums_test
}  // namespace shrimp

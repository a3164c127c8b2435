#include "grow/kernel_tuning.hpp"

#include <gtest/gtest.h>

#include "support.hpp"

namespace shrimp {
namespace kernel_tuning_test {

// y = sin(2 u1) + u2 u3 beside three inputs that do nothing, brought to mean 0 and variance 1.
KernelRows wave_and_product(std::size_t m, double noise, std::uint64_t seed) {
  KernelRows rows;
  rows.U = test::random_matrix(m, 6, seed);
  for (std::size_t k = 0; k < 6 * m; ++k) rows.U.data()[k] *= std::sqrt(3.0);  // Deviation 1.
  test::Random random(seed + 1);
  double mean = 0.0;
  for (std::size_t i = 0; i < m; ++i) {
    rows.y.push_back(std::sin(2.0 * rows.U(i, 1)) + rows.U(i, 2) * rows.U(i, 4) + noise * std::sqrt(3.0) * random());
    mean += rows.y.back() / static_cast<double>(m);
  }
  double variance = 0.0;
  for (const double y : rows.y) variance += std::pow(y - mean, 2) / static_cast<double>(m);
  for (double& y : rows.y) y = (y - mean) / std::sqrt(variance);
  return rows;
}

KernelTuning tuning_of(std::size_t columns) {
  return {std::vector<double>(columns, 30.0), 30, false, [] { return false; }};
}

TEST(TuneKernel, ClimbsAndFindsTheNoise) {
  const KernelRows rows = wave_and_product(200, 0.3, 1);
  KernelShape shape = usual_shape(6, Law::normal);
  const double before = kernel_evidence(rows, shape)->value;
  tune_kernel(rows, shape, tuning_of(6));
  EXPECT_GT(kernel_evidence(rows, shape)->value, before + 20.0);
  EXPECT_NEAR(shape.noise, 0.3 * 0.3 / (0.5 + 1.0 + 0.3 * 0.3), 0.03);  // Over the target's variance.
  for (const std::size_t idle : {0, 3, 5}) {
    for (const std::size_t busy : {1, 2, 4}) EXPECT_LT(shape.scales[idle], 0.5 * shape.scales[busy]);
  }
}

TEST(TuneKernel, LeavesNoiseThatIsGivenAsItIs) {
  const KernelRows rows = wave_and_product(100, 0.3, 3);
  KernelShape shape = usual_shape(6, Law::cauchy);
  shape.noise = 0.37;
  KernelTuning tuning = tuning_of(6);
  tuning.noise_is_fixed = true;
  tune_kernel(rows, shape, tuning);
  EXPECT_NEAR(shape.noise, 0.37, 1e-12);
  EXPECT_NE(shape.scales[1], usual_shape(6, Law::cauchy).scales[1]);
}

TEST(TuneKernel, KeepsScalesWithinTheirLimits) {
  const KernelRows rows = wave_and_product(100, 0.1, 5);
  KernelShape shape = usual_shape(6, Law::normal);
  KernelTuning tuning = tuning_of(6);
  tuning.largest_scales.assign(6, 0.4);
  tune_kernel(rows, shape, tuning);
  for (const double scale : shape.scales) EXPECT_LE(scale, 0.4 + 1e-12);
}

TEST(TuneKernel, EndsAtOnceWhereItIsOver) {
  const KernelRows rows = wave_and_product(100, 0.1, 5);
  KernelShape shape = usual_shape(6, Law::normal);
  KernelTuning tuning = tuning_of(6);
  int asked = 0;
  tuning.is_over = [&] { return ++asked > 0; };
  tune_kernel(rows, shape, tuning);
  EXPECT_LE(asked, 2);
  EXPECT_GT(asked, 0);
}

TEST(DropIdleInputs, KeepsTheInputsThatMatter) {
  KernelRows rows = wave_and_product(250, 0.1, 7);
  const KernelRows all = wave_and_product(250, 0.1, 7);
  KernelShape shape = usual_shape(6, Law::normal);
  KernelTuning tuning = tuning_of(6);
  tuning.largest_scales = {10.0, 11.0, 12.0, 13.0, 14.0, 15.0};
  tune_kernel(rows, shape, tuning);
  const double before = kernel_evidence(rows, shape)->value;
  drop_idle_inputs(rows, shape, tuning);
  EXPECT_EQ(shape.variables, (Support{1, 2, 4}));
  EXPECT_EQ(tuning.largest_scales, (std::vector<double>{11.0, 12.0, 14.0}));
  ASSERT_EQ(rows.U.cols(), 3U);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows.U(i, 2), all.U(i, 4));
  EXPECT_GT(kernel_evidence(rows, shape)->value, before - 0.5 * 3);
}

TEST(DropIdleInputs, KeepsAllWhereAllMatter) {
  KernelRows rows = wave_and_product(100, 0.1, 9);
  KernelShape shape = usual_shape(6, Law::normal);
  shape.scales = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
  KernelTuning tuning = tuning_of(6);
  drop_idle_inputs(rows, shape, tuning);
  EXPECT_EQ(shape.variables.size(), 6U);
}

TEST(KeepLargest, KeepsInputsOfTheLargestScalesInTheirOrder) {
  KernelRows rows = wave_and_product(30, 0.1, 11);
  const KernelRows all = wave_and_product(30, 0.1, 11);
  KernelShape shape = usual_shape(6, Law::normal);
  shape.variables = {3, 5, 8, 9, 10, 20};
  shape.scales = {0.1, 0.9, 0.2, 0.8, 0.3, 0.7};
  KernelTuning tuning = tuning_of(6);
  keep_largest(3, rows, shape, tuning);
  EXPECT_EQ(shape.variables, (Support{5, 9, 20}));
  EXPECT_EQ(shape.scales, (std::vector<double>{0.9, 0.8, 0.7}));
  EXPECT_EQ(tuning.largest_scales.size(), 3U);
  ASSERT_EQ(rows.U.cols(), 3U);
  EXPECT_EQ(rows.U(7, 1), all.U(7, 3));
  keep_largest(5, rows, shape, tuning);
  EXPECT_EQ(shape.variables.size(), 3U);
}

}  // namespace kernel_tuning_test
}  // namespace shrimp

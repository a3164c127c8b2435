// Kernels of all inputs on every device, with the processor as oracle; also where memory runs out.
#include "grow/device_kernel.hpp"

#include <cmath>
#include <limits>

#include "grow/kernel_finish.hpp"
#include "linalg/devices.hpp"
#include "support.hpp"

namespace shrimp {
namespace device_kernel_test {

using test::random_matrix;
using test::random_vector;

constexpr Law laws[] = {Law::normal, Law::student_t, Law::cauchy};
constexpr std::size_t m = fewest_kernel_rows_for_a_device;

KernelRows some_rows(bool with_all) {
  KernelRows rows;
  rows.U = random_matrix(m, 3, 1);
  rows.y = random_vector(m, 2);
  for (std::size_t i = 0; i < m; ++i) rows.y[i] += rows.U(i, 0) * rows.U(i, 1);
  if (!with_all) return rows;
  rows.weights = random_vector(m, 3);
  for (double& weight : rows.weights) weight = 1.0 + 0.9 * weight;
  rows.base = Matrix(m, m);
  const Matrix Phi = random_matrix(m, 4, 4);
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t i = k; i < m; ++i) {
      for (std::size_t j = 0; j < 4; ++j) rows.base(i, k) += Phi(i, j) * Phi(k, j);
    }
  }
  return rows;
}

class KernelsOnDevices : public test::DeviceTest {};

TEST_P(KernelsOnDevices, HaveTheEvidenceOfTheProcessor) {
  for (const Law law : laws) {
    const KernelShape shape{{0, 1, 2}, {1.3, 0.7, 0.2}, law, 1.5, 0.15};
    KernelRows rows = some_rows(law != Law::normal);
    const auto expected = kernel_evidence(rows, shape);
    put_on(shared_device(), rows);
    ASSERT_NE(rows.on_device, nullptr);
    const auto found = kernel_evidence(rows, shape);
    ASSERT_TRUE(expected && found);
    EXPECT_NEAR(found->value, expected->value, 1e-9);
    test::expect_near(found->slopes, expected->slopes, 1e-9);
  }
}

TEST_P(KernelsOnDevices, OfNoInputsAndOfSingularMatricesAnswerAsOnTheProcessor) {
  KernelRows rows = some_rows(false);
  rows.U = Matrix(m, 0);
  KernelShape nothing;
  nothing.amplitude = 0.0;
  nothing.noise = 0.4;
  const auto expected = kernel_evidence(rows, nothing);
  put_on(shared_device(), rows);
  EXPECT_NEAR(kernel_evidence(rows, nothing)->value, expected->value, 1e-9);
  nothing.noise = 0.0;
  EXPECT_FALSE(kernel_evidence(rows, nothing));
  EXPECT_FALSE(kernel_left_out(rows, nothing));
}

TEST_P(KernelsOnDevices, LeaveOutRowsAndGroupsAsTheProcessorDoes) {
  const KernelShape shape{{0, 1, 2}, {1.3, 0.7, 0.2}, Law::student_t, 1.5, 0.15};
  for (const bool grouped : {false, true}) {
    KernelRows rows = some_rows(true);
    if (grouped) rows.starts = std::make_shared<const std::vector<std::size_t>>(std::vector<std::size_t>{0, 9, 100, m});
    const auto expected = kernel_left_out(rows, shape);
    put_on(shared_device(), rows);
    const auto found = kernel_left_out(rows, shape);
    ASSERT_TRUE(expected && found);
    test::expect_near(found->alpha, expected->alpha, 1e-10);
    test::expect_near(found->predictions, expected->predictions, 1e-10);
  }
}

TEST_P(KernelsOnDevices, AreTheProcessorsWhereMemoryIsShortOrRowsAreFew) {
  const KernelShape shape{{0, 1, 2}, {1.3, 0.7, 0.2}, Law::normal, 1.5, 0.15};
  KernelRows rows = some_rows(false);
  const auto expected = kernel_evidence(rows, shape);
  put_on(scarce(1000), rows);  // Not even the rows have room,
  EXPECT_EQ(rows.on_device, nullptr);
  put_on(scarce(300000), rows);  // or they have, and the kernel has not.
  EXPECT_NE(rows.on_device, nullptr);
  EXPECT_EQ(kernel_evidence(rows, shape)->value, expected->value);
  EXPECT_TRUE(kernel_left_out(rows, shape));
  KernelRows few;
  few.U = random_matrix(20, 1, 1);
  few.y = random_vector(20, 2);
  put_on(shared_device(), few);
  EXPECT_EQ(few.on_device, nullptr);
}

Rows curved_rows(std::size_t count, bool weighted, bool lacks) {
  Rows rows;
  rows.X = random_matrix(count, 3, 5);
  rows.y = random_vector(count, 6);
  for (std::size_t i = 0; i < count; ++i) rows.y[i] = std::sin(2.0 * rows.X(i, 0) + rows.X(i, 1)) + 0.2 * rows.y[i];
  for (std::size_t i = 0; weighted && i < count; ++i) rows.weights.push_back(1.0 + static_cast<double>(i % 3));
  if (lacks) rows.X(7, 1) = std::numeric_limits<double>::quiet_NaN();
  return rows;
}

Finished a_line() {
  Finished terms;
  const std::uint32_t last = 2;
  const double slope = 1.0;
  terms.dictionary.weights.append(std::span(&last, 1), std::span(&slope, 1));
  terms.dictionary.rows = {0};
  terms.dictionary.functions = {Function::identity};
  terms.coefficients = {1.0};
  terms.scales = {0.8};
  return terms;
}

TEST_P(KernelsOnDevices, SectionsAreFittedAsByTheProcessorAlsoWhereMemoryRunsOut) {
  const Finished terms = a_line();
  for (const auto& [weighted, lacks] : {std::pair(false, false), std::pair(true, true)}) {
    const Rows rows = curved_rows(400, weighted, lacks);
    AllInputs found;
    found.shape = {{0, 1}, {1.6, 1.0}, Law::student_t, 1.4, 0.05};
    found.deviations = {0.5, 0.6, 0.7};
    found.beside_terms = true;
    if (lacks) {
      auto kinds = std::make_shared<InputKinds>();
      kinds->marginals.assign(3, {{-0.5, 0.5}, {0.5, 0.5}});
      found.kinds = kinds;
    }
    SectionOptions options;
    options.fewest_centres = 30;
    options.most_centres = 60;
    const std::function<bool()> never = [] { return false; };
    const SectionModels expected = finish_with_sections(rows, &rows, found, terms, options, never);
    for (const std::size_t bytes : {0ul, 100000ul, 1000ul}) {
      options.device = scarce(bytes);
      const SectionModels models = finish_with_sections(rows, &rows, found, terms, options, never);
      EXPECT_EQ(models.judged.records.size(), expected.judged.records.size());
      EXPECT_NEAR(models.judged.error, expected.judged.error, 1e-9);
      EXPECT_EQ(models.judged.ridge, expected.judged.ridge);
      const Matrix A = evaluate(expected.all.dictionary, rows.X);
      test::expect_near(test::times(A, models.all.coefficients), test::times(A, expected.all.coefficients), 1e-7);
    }
  }
}

SHRIMP_TEST_EVERY_DEVICE(KernelsOnDevices);

}  // namespace device_kernel_test
}  // namespace shrimp

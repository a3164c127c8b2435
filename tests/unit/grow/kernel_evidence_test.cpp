#include "grow/kernel_evidence.hpp"

#include <gtest/gtest.h>

#include "grow/kernel_oracle.hpp"
#include "support.hpp"

namespace shrimp {
namespace kernel_evidence_test {

constexpr Law laws[] = {Law::normal, Law::student_t, Law::cauchy};

// More than a tile of 32 columns, and no multiple of it.
KernelRows some_rows(bool weighted, bool beside_others) {
  constexpr std::size_t m = 75;
  KernelRows rows;
  rows.U = test::random_matrix(m, 3, 1);
  test::Random random(2);
  for (std::size_t i = 0; i < m; ++i) rows.y.push_back(rows.U(i, 0) * rows.U(i, 1) + 0.5 * random());
  for (std::size_t i = 0; weighted && i < m; ++i) rows.weights.push_back(1.0 + 0.9 * random());
  if (beside_others) {
    const Matrix Phi = test::random_matrix(m, 4, 3);
    rows.base = Matrix(m, m);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t k = 0; k <= i; ++k) {
        for (std::size_t j = 0; j < 4; ++j) rows.base(i, k) += Phi(i, j) * Phi(k, j);
      }
    }
  }
  return rows;
}

KernelShape some_shape(Law law) { return {{0, 1, 2}, {1.3, 0.7, 0.2}, law, 1.5, 0.15}; }

TEST(KernelEvidence, IsTheLogarithmOfTheTargetsDensity) {
  for (const Law law : laws) {
    for (const bool weighted : {false, true}) {
      for (const bool beside_others : {false, true}) {
        const KernelRows rows = some_rows(weighted, beside_others);
        const KernelShape shape = some_shape(law);
        Matrix K = test::prior_covariance(rows, shape);
        for (std::size_t i = 0; i < rows.size(); ++i) K(i, i) += test::noise_variance(rows, shape, i);
        const test::PlainSolution plain = test::solve_plainly(std::move(K), rows.y);
        double expected = -0.5 * plain.log_determinant;
        for (std::size_t i = 0; i < rows.size(); ++i) expected -= 0.5 * rows.y[i] * plain.alpha[i];
        const auto evidence = kernel_evidence(rows, shape);
        ASSERT_TRUE(evidence);
        EXPECT_NEAR(evidence->value, expected, 1e-8);
      }
    }
  }
}

TEST(KernelEvidence, HasTheSlopesOfItsDifferences) {
  constexpr double h = 1e-5;
  for (const Law law : laws) {
    for (const bool with_all : {false, true}) {
      const KernelRows rows = some_rows(with_all, with_all);
      const KernelShape shape = some_shape(law);
      const auto evidence = kernel_evidence(rows, shape);
      ASSERT_TRUE(evidence);
      ASSERT_EQ(evidence->slopes.size(), 5U);  // Three scales, the amplitude, the noise's deviation.
      for (std::size_t k = 0; k < 5; ++k) {
        const auto moved = [&](double by) {
          KernelShape other = shape;
          if (k < 3) other.scales[k] *= std::exp(by);
          if (k == 3) other.amplitude *= std::exp(by);
          if (k == 4) other.noise *= std::exp(2.0 * by);
          return kernel_evidence(rows, other)->value;
        };
        EXPECT_NEAR(evidence->slopes[k], (moved(h) - moved(-h)) / (2.0 * h), 1e-5) << k;
      }
    }
  }
}

TEST(KernelEvidence, OfNoInputsIsThatOfAConstant) {
  KernelRows rows = some_rows(false, false);
  rows.U = Matrix(rows.size(), 0);
  const KernelShape shape{{}, {}, Law::normal, 0.0, 0.4};
  // det(σ²I + 11ᵀ) = σ^2m (1 + m/σ²), and its inverse by Sherman and Morrison.
  const auto m = static_cast<double>(rows.size());
  double sum = 0.0;
  double squares = 0.0;
  for (const double y : rows.y) {
    sum += y;
    squares += y * y;
  }
  const double quadratic = (squares - sum * sum / (0.4 + m)) / 0.4;
  EXPECT_NEAR(kernel_evidence(rows, shape)->value,
              -0.5 * quadratic - 0.5 * (m * std::log(0.4) + std::log(1.0 + m / 0.4)), 1e-9);
}

TEST(KernelLeftOut, PredictsEveryRowAsAFitWithoutIt) {
  for (const Law law : laws) {
    for (const bool with_all : {false, true}) {
      const KernelRows rows = some_rows(with_all, with_all);
      const KernelShape shape = some_shape(law);
      const auto left_out = kernel_left_out(rows, shape);
      ASSERT_TRUE(left_out);
      double sum = 0.0;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double expected = test::predict_plainly(rows, shape, {i}).front();
        EXPECT_NEAR(left_out->predictions[i], expected, 1e-8);
        const double weight = with_all ? rows.weights[i] : 1.0;
        EXPECT_NEAR(left_out->errors.squares[i], weight * std::pow(rows.y[i] - expected, 2), 1e-8);
        sum += left_out->errors.squares[i];
      }
      EXPECT_NEAR(left_out->errors.mean, sum / static_cast<double>(rows.size()), 1e-12);
    }
  }
}

TEST(KernelLeftOut, PredictsEveryGroupAsAFitWithoutIt) {
  KernelRows rows = some_rows(true, true);
  const std::vector<std::size_t> starts{0, 1, 10, 40, rows.size()};
  rows.starts = std::make_shared<const std::vector<std::size_t>>(starts);
  for (const Law law : laws) {
    const KernelShape shape = some_shape(law);
    const auto left_out = kernel_left_out(rows, shape);
    ASSERT_TRUE(left_out);
    for (std::size_t g = 0; g + 1 < starts.size(); ++g) {
      std::vector<std::size_t> group;
      for (std::size_t i = starts[g]; i < starts[g + 1]; ++i) group.push_back(i);
      const std::vector<double> expected = test::predict_plainly(rows, shape, group);
      for (std::size_t k = 0; k < group.size(); ++k) EXPECT_NEAR(left_out->predictions[group[k]], expected[k], 1e-8);
    }
    EXPECT_EQ(left_out->errors.starts, rows.starts);
  }
}

TEST(KernelShape, HasItsCovariancesAsSections) {
  const Matrix X = test::random_matrix(20, 4, 5);
  const Matrix centres = test::random_matrix(6, 4, 6);
  const std::vector<double> deviations{0.5, 3.0, 2.0, 0.25};
  for (const Law law : laws) {
    const KernelShape shape{{0, 2, 3}, {1.3, 0.7, 0.2}, law, 7.0, 0.1};
    const Matrix sections = evaluate(sections_of(shape, deviations, centres), X);
    ASSERT_EQ(sections.cols(), 6U);
    for (std::size_t i = 0; i < 20; ++i) {
      for (std::size_t k = 0; k < 6; ++k) {
        double expected = 1.0;
        for (std::size_t l = 0; l < 3; ++l) {
          const std::uint32_t j = shape.variables[l];
          expected *= test::covariance(law, shape.scales[l] * std::abs(X(i, j) - centres(k, j)) / deviations[j]);
        }
        EXPECT_NEAR(sections(i, k), expected, 1e-14);
      }
    }
  }
}

}  // namespace kernel_evidence_test
}  // namespace shrimp

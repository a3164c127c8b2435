#include "grow/smoother.hpp"

#include <gtest/gtest.h>

#include "linalg/dense.hpp"
#include "support.hpp"

namespace shrimp {
namespace {

using test::random_matrix;
using test::random_vector;

constexpr std::size_t m = 40;
constexpr double lambda = 0.3;

// Ridge with a constant that is not penalised, by LAPACK's least squares on the rows and λ's rows below them.
double predict_row(MatrixView A, std::span<const double> y, std::span<const double> weights, std::size_t left_out) {
  const std::size_t n = A.cols + 1;
  const std::size_t rows = A.rows - 1 + A.cols;
  Matrix stacked(rows, n);
  std::vector<double> right(std::max(rows, n), 0.0);
  std::size_t k = 0;
  for (std::size_t i = 0; i < A.rows; ++i) {
    if (i == left_out) continue;
    const double root = weights.empty() ? 1.0 : std::sqrt(weights[i]);
    stacked(k, 0) = root;
    for (std::size_t j = 0; j < A.cols; ++j) stacked(k, j + 1) = root * A(i, j);
    right[k++] = root * y[i];
  }
  for (std::size_t j = 0; j < A.cols; ++j) stacked(k + j, j + 1) = std::sqrt(lambda);
  EXPECT_EQ(LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', static_cast<int>(rows), static_cast<int>(n), 1, stacked.data(),
                          static_cast<int>(rows), right.data(), static_cast<int>(right.size())),
            0);
  double value = right[0];
  for (std::size_t j = 0; j < A.cols; ++j) value += right[j + 1] * A(left_out, j);
  return value;
}

double error_by_leaving_out(MatrixView A, std::span<const double> y, std::span<const double> weights = {}) {
  double sum = 0.0;
  double total = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double gap = y[i] - predict_row(A, y, weights, i);
    const double weight = weights.empty() ? 1.0 : weights[i];
    sum += weight * gap * gap;
    total += weight;
  }
  return sum / total;
}

Matrix beside(const Matrix& A, const Matrix& B) {
  Matrix both(A.rows(), A.cols() + B.cols());
  std::copy_n(A.data(), A.rows() * A.cols(), both.data());
  std::copy_n(B.data(), B.rows() * B.cols(), both.data() + A.rows() * A.cols());
  return both;
}

class SmootherTest : public ::testing::Test {
 protected:
  Matrix A = random_matrix(m, 5, 1);
  Matrix B = random_matrix(m, 3, 2);
  Matrix C = random_matrix(m, 60, 3);  // More columns than rows.
  std::vector<double> y = random_vector(m, 4);
  std::vector<double> roots;

  [[nodiscard]] Smoother smoother(std::initializer_list<const Matrix*> blocks) const {
    Smoother result(y, roots, lambda);
    for (const Matrix* block : blocks) result.add(centred(result, *block));
    return result;
  }

  [[nodiscard]] static Matrix centred(const Smoother& smoother, const Matrix& block) {
    Matrix copy(block);
    smoother.centre(copy);
    return copy;
  }
};

TEST_F(SmootherTest, PredictsEveryRowAsAFitToTheOthersDoes) {
  EXPECT_NEAR(smoother({&A}).error(), error_by_leaving_out(A, y), 1e-12);
  EXPECT_NEAR(smoother({&A, &B}).error(), error_by_leaving_out(beside(A, B), y), 1e-12);
  EXPECT_NEAR(smoother({&C}).error(), error_by_leaving_out(C, y), 1e-10);
}

TEST_F(SmootherTest, WithoutColumnsPredictsTheMeanOfTheOtherRows) {
  EXPECT_NEAR(smoother({}).error(), error_by_leaving_out(Matrix(m, 0), y), 1e-12);
}

TEST_F(SmootherTest, TakesWeightsOfRows) {
  std::vector<double> weights = random_vector(m, 5);
  for (double& weight : weights) {
    weight = 1.5 + weight;
    roots.push_back(std::sqrt(weight));
  }
  EXPECT_NEAR(smoother({&A, &B}).error(), error_by_leaving_out(beside(A, B), y, weights), 1e-12);
}

TEST_F(SmootherTest, KnowsWhatABlockMoreOrLessWouldDo) {
  const Smoother one = smoother({&A});
  const Smoother both = smoother({&A, &B});
  EXPECT_NEAR(one.errors_with(centred(one, B)).mean, both.error(), 1e-12);
  EXPECT_NEAR(both.without(1).errors.mean, one.error(), 1e-12);
  const Smoother::Without without = both.without(0);
  EXPECT_NEAR(both.errors_with(centred(both, C), &without).mean, smoother({&B, &C}).error(), 1e-10);
}

TEST_F(SmootherTest, ForgetsABlockThatIsRemovedOrReplaced) {
  Smoother changed = smoother({&A, &B});
  changed.remove(0);
  EXPECT_NEAR(changed.error(), smoother({&B}).error(), 1e-12);
  changed.replace(0, centred(changed, C));
  EXPECT_NEAR(changed.error(), smoother({&C}).error(), 1e-12);
}

TEST_F(SmootherTest, GivesTheErrorsOfAnotherTarget) {
  const std::vector<double> other = random_vector(m, 6);
  Smoother own(other, roots, lambda);
  own.add(centred(own, A));
  Matrix column(m, 1);
  std::ranges::copy(other, column.col(0).begin());
  own.centre(column);
  EXPECT_NEAR(smoother({&A}).errors_for(column.col(0)).mean, own.error(), 1e-12);
}

TEST_F(SmootherTest, TunesTheRidgeToALowerError) {
  Smoother tuned = smoother({&C});
  const double before = tuned.error();
  tuned.tune_lambda();
  EXPECT_LE(tuned.error(), before);
  EXPECT_NE(tuned.lambda(), lambda);
}

TEST_F(SmootherTest, CallsAnErrorInfiniteThatRoundingWouldDecide) {
  Smoother interpolating = smoother({&C});
  interpolating.set_lambda(1e-14);
  EXPECT_TRUE(std::isinf(interpolating.error()));
}

TEST(RowErrors, AreClearlyBelowOnlyBeyondTheStandardErrorOfTheDifference) {
  const RowErrors low{{1.0, 1.0, 1.0, 1.0}, 1.0};
  const RowErrors a_little_higher{{0.0, 2.2, 0.0, 2.2}, 1.1};
  const RowErrors higher{{2.0, 2.1, 1.9, 2.0}, 2.0};
  EXPECT_FALSE(low.clearly_below(a_little_higher, 1.0));
  EXPECT_TRUE(low.clearly_below(a_little_higher, 0.0));
  EXPECT_TRUE(low.clearly_below(higher, 1.0));
  EXPECT_FALSE(higher.clearly_below(low, 0.0));
}

}  // namespace
}  // namespace shrimp

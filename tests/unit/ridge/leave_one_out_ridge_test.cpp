#include "ridge/leave_one_out_ridge.hpp"

#include <gtest/gtest.h>

#include "linalg/dense.hpp"
#include "support.hpp"

namespace shrimp {
namespace leave_one_out_ridge_test {

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

class LeaveOneOutRidgeTest : public ::testing::Test {
 protected:
  Matrix A = random_matrix(m, 5, 1);
  Matrix B = random_matrix(m, 3, 2);
  Matrix C = random_matrix(m, 60, 3);  // More columns than rows.
  std::vector<double> y = random_vector(m, 4);
  std::vector<double> roots;

  [[nodiscard]] LeaveOneOutRidge smoother(std::initializer_list<const Matrix*> blocks) const {
    LeaveOneOutRidge result(y, roots, lambda);
    for (const Matrix* block : blocks) result.add(centred(result, *block));
    return result;
  }

  [[nodiscard]] static Matrix centred(const LeaveOneOutRidge& smoother, const Matrix& block) {
    Matrix copy(block);
    smoother.centre(copy);
    return copy;
  }
};

TEST_F(LeaveOneOutRidgeTest, PredictsEveryRowAsAFitToTheOthersDoes) {
  EXPECT_NEAR(smoother({&A}).error(), error_by_leaving_out(A, y), 1e-12);
  EXPECT_NEAR(smoother({&A, &B}).error(), error_by_leaving_out(beside(A, B), y), 1e-12);
  EXPECT_NEAR(smoother({&C}).error(), error_by_leaving_out(C, y), 1e-10);
}

TEST_F(LeaveOneOutRidgeTest, WithoutColumnsPredictsTheMeanOfTheOtherRows) {
  EXPECT_NEAR(smoother({}).error(), error_by_leaving_out(Matrix(m, 0), y), 1e-12);
}

TEST_F(LeaveOneOutRidgeTest, TakesWeightsOfRows) {
  std::vector<double> weights = random_vector(m, 5);
  for (double& weight : weights) {
    weight = 1.5 + weight;
    roots.push_back(std::sqrt(weight));
  }
  EXPECT_NEAR(smoother({&A, &B}).error(), error_by_leaving_out(beside(A, B), y, weights), 1e-12);
}

TEST_F(LeaveOneOutRidgeTest, KnowsWhatABlockMoreOrLessWouldDo) {
  const LeaveOneOutRidge one = smoother({&A});
  const LeaveOneOutRidge both = smoother({&A, &B});
  EXPECT_NEAR(one.errors_with(centred(one, B)).mean, both.error(), 1e-12);
  EXPECT_NEAR(both.removal_effects(std::vector<std::size_t>{1})[0].errors.mean, one.error(), 1e-12);
  std::vector<Matrix> others(2);
  others[0] = centred(both, C);
  EXPECT_NEAR(both.errors_with_replacements(others)[0].mean, smoother({&B, &C}).error(), 1e-10);
  const std::vector<double> residual = both.residual_without(1);
  for (std::size_t i = 0; i < residual.size(); ++i) EXPECT_NEAR(residual[i], one.residual()[i], 1e-12);
}

TEST_F(LeaveOneOutRidgeTest, ForgetsABlockThatIsRemoved) {
  LeaveOneOutRidge changed = smoother({&A, &B});
  changed.remove(0);
  EXPECT_NEAR(changed.error(), smoother({&B}).error(), 1e-12);
  changed.add(centred(changed, C));
  changed.remove(0);
  EXPECT_NEAR(changed.error(), smoother({&C}).error(), 1e-12);
  changed.remove(0);
  EXPECT_NEAR(changed.error(), smoother({}).error(), 1e-12);
}

TEST_F(LeaveOneOutRidgeTest, GivesTheErrorsOfAnotherTarget) {
  const std::vector<double> other = random_vector(m, 6);
  LeaveOneOutRidge own(other, roots, lambda);
  own.add(centred(own, A));
  Matrix column(m, 1);
  std::ranges::copy(other, column.col(0).begin());
  own.centre(column);
  EXPECT_NEAR(smoother({&A}).errors_for(column.col(0)).mean, own.error(), 1e-12);
}

TEST_F(LeaveOneOutRidgeTest, TunesTheRidgeToALowerError) {
  LeaveOneOutRidge tuned = smoother({&C});
  const double before = tuned.error();
  tuned.tune_lambda();
  EXPECT_LE(tuned.error(), before);
  EXPECT_NE(tuned.lambda(), lambda);
}

// −½((m−1) log q + log det(I + ΦΦᵀ/λ)) with q = yᵀ(I + ΦΦᵀ/λ)⁻¹y, by the eigenvalues of ΦΦᵀ from LAPACK.
double evidence_by_eigenvalues(const Matrix& Phi, const Matrix& y) {
  Matrix K = multiply(Phi, transpose(Phi));
  std::vector<double> values(m);
  EXPECT_EQ(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', m, K.data(), m, values.data()), 0);
  const std::vector<double> z = multiply_transposed(K, y.col(0));
  double q = 0.0;
  double log_determinant = 0.0;
  for (std::size_t i = 0; i < m; ++i) {
    q += z[i] * z[i] / (1.0 + values[i] / lambda);
    log_determinant += std::log(1.0 + values[i] / lambda);
  }
  return -0.5 * ((m - 1.0) * std::log(q) + log_determinant);
}

TEST_F(LeaveOneOutRidgeTest, KnowsTheEvidence) {
  Matrix column(m, 1);
  std::ranges::copy(y, column.col(0).begin());
  const LeaveOneOutRidge bare = smoother({});
  column = centred(bare, column);
  EXPECT_NEAR(smoother({&A}).log_marginal_likelihood(), evidence_by_eigenvalues(centred(bare, A), column), 1e-9);
  EXPECT_NEAR(smoother({&A, &C}).log_marginal_likelihood(),
              evidence_by_eigenvalues(centred(bare, beside(A, C)), column), 1e-9);
  EXPECT_NEAR(bare.log_marginal_likelihood(), evidence_by_eigenvalues(Matrix(m, 1), column), 1e-9);
}

TEST_F(LeaveOneOutRidgeTest, KnowsTheEvidenceWithoutABlock) {
  EXPECT_NEAR(smoother({&A, &B}).removal_effects(std::vector<std::size_t>{0})[0].log_marginal_likelihood,
              smoother({&B}).log_marginal_likelihood(), 1e-9);
  EXPECT_NEAR(smoother({&A, &C}).removal_effects(std::vector<std::size_t>{1})[0].log_marginal_likelihood,
              smoother({&A}).log_marginal_likelihood(), 1e-9);
}

TEST_F(LeaveOneOutRidgeTest, KnowsHowTheEvidenceChangesWithEachEntry) {
  roots.assign(m, 1.0);
  for (std::size_t i = 0; i < m; ++i) roots[i] = 0.5 + 0.02 * static_cast<double>(i);
  for (const Matrix* other : {&B, &C}) {
    const std::vector<Matrix> slopes = smoother({other, &A}).marginal_likelihood_gradient();
    ASSERT_EQ(slopes.size(), 2U);
    constexpr double step = 1e-5;
    for (const std::size_t i : {0, 17}) {
      const auto evidence_at = [&](double change) {
        Matrix changed(A);
        changed(i, 3) += change;
        return smoother({other, &changed}).log_marginal_likelihood();
      };
      EXPECT_NEAR(slopes[1](i, 3) * roots[i], (evidence_at(step) - evidence_at(-step)) / (2 * step), 1e-6) << i;
    }
  }
}

double largest_difference(const Matrix& A, const Matrix& B) {
  double largest = 0.0;
  for (std::size_t k = 0; k < A.rows() * A.cols(); ++k)
    largest = std::max(largest, std::abs(A.data()[k] - B.data()[k]));
  return largest;
}

TEST(Condense, KeepsTheProductsOfRowsWithFewerColumns) {
  const Matrix few = random_matrix(m, 4, 6);
  const Matrix B = multiply(few, random_matrix(4, 12, 7));
  const Condensed condensed = condense(B, lambda);
  EXPECT_EQ(condensed.B.cols(), 4U);
  EXPECT_LT(largest_difference(multiply(condensed.B, transpose(condensed.B)), multiply(B, transpose(B))), 1e-10);
  EXPECT_LT(largest_difference(multiply(B, condensed.Q), condensed.B), 1e-12);
}

TEST(Condense, LeavesAColumnWhereAllAreSmallBesideLambda) {
  EXPECT_EQ(condense(random_matrix(m, 3, 8), 1e12).B.cols(), 1U);
}

TEST_F(LeaveOneOutRidgeTest, CallsAnErrorInfiniteThatRoundingWouldDecide) {
  LeaveOneOutRidge interpolating = smoother({&C});
  interpolating.set_lambda(1e-14);
  EXPECT_TRUE(std::isinf(interpolating.error()));
}

// The same columns twice, and no ridge to speak of: there is no factor.
TEST_F(LeaveOneOutRidgeTest, SaysSoWhereThereIsNoFactorAndFindsARidgeThatHasOne) {
  LeaveOneOutRidge twice = smoother({&A, &A});
  twice.set_lambda(1e-30);
  ASSERT_TRUE(std::isinf(twice.error()));
  EXPECT_TRUE(std::isinf(twice.log_marginal_likelihood()));
  EXPECT_TRUE(twice.marginal_likelihood_gradient().empty());
  EXPECT_TRUE(std::isinf(twice.removal_effects(std::vector<std::size_t>{0})[0].errors.mean));
  EXPECT_TRUE(std::isinf(twice.errors_with(centred(twice, B)).mean));
  twice.tune_lambda();
  EXPECT_TRUE(std::isfinite(twice.error()));
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

}  // namespace leave_one_out_ridge_test
}  // namespace shrimp

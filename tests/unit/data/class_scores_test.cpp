#include "data/class_scores.hpp"

#include "support.hpp"

namespace shrimp {
namespace class_scores_test {

const std::vector<double> probability = {.1, .4, .4, .35, .8, .9, .2, .6, .55, .7};
const std::vector<double> truth = {0, 0, 1, 1, 1, 1, 0, 0, 1, 1};

// scikit-learn 1.9: log_loss, roc_auc_score, accuracy_score, brier_score_loss
TEST(ClassScores, AreThoseOfScikitLearn) {
  const ClassScores scores = score_classes(probability, truth);
  EXPECT_EQ(scores.rows, 10U);
  EXPECT_NEAR(scores.log_loss, 0.5004749290651404, 1e-14);
  EXPECT_NEAR(scores.auc, 0.8125, 1e-14);
  EXPECT_NEAR(scores.accuracy, 0.7, 1e-14);
  EXPECT_NEAR(scores.brier, 0.1695, 1e-14);
}

TEST(ClassScores, CalibrationErrorIsTheMeanGapOverBins) {
  std::vector<double> p(1000, 0.25);
  std::vector<double> y(1000, 0.0);
  for (std::size_t i = 0; i < 300; ++i) y[i] = 1.0;
  EXPECT_NEAR(score_classes(p, y).calibration_error, 0.05, 1e-12);  // All in one bin.
  for (std::size_t i = 0; i < 1000; ++i) p[i] = i < 500 ? 0.2 : 0.4;
  EXPECT_NEAR(score_classes(p, y).calibration_error, 0.5 * 0.4 + 0.5 * 0.4, 1e-12);
}

TEST(ClassScores, BinsHoldEqualNumbersOfRows) {
  std::vector<double> p;
  for (int i = 0; i < 100; ++i) p.push_back((i + 0.5) / 100.0);
  const std::vector<CalibrationBin> bins = calibration_bins(p, std::vector<double>(100, 1.0));
  ASSERT_EQ(bins.size(), 10U);
  for (const CalibrationBin& bin : bins) EXPECT_EQ(bin.rows, 10U);
  EXPECT_NEAR(bins.front().probability, 0.05, 1e-12);
}

TEST(ClassScores, HaveNoAreaForOneClass) {
  EXPECT_TRUE(std::isnan(score_classes(std::vector{.2, .3}, std::vector{1.0, 1.0}).auc));
}

TEST(ClassScores, RefuseOtherNumbersOfRows) {
  EXPECT_THROW((void)score_classes(std::vector{.2}, std::vector{1.0, 0.0}), std::invalid_argument);
  EXPECT_THROW((void)score_classes({}, {}), std::invalid_argument);
}

// scikit-learn 1.9: log_loss, accuracy_score, and the mean of roc_auc_score of each class against the rest.
TEST(ClassScores, OfSeveralClassesAreThoseOfScikitLearn) {
  const double columns[3][4] = {{.7, .2, .3, .1}, {.2, .5, .3, .3}, {.1, .3, .4, .6}};
  Matrix P(4, 3);
  for (std::size_t k = 0; k < 3; ++k) std::ranges::copy(columns[k], P.col(k).begin());
  const MultiClassScores scores = score_several_classes(P, std::vector{0., 1., 0., 2.});
  EXPECT_NEAR(scores.log_loss, 0.6911551381476511, 1e-12);
  EXPECT_NEAR(scores.accuracy, 0.75, 1e-15);
  EXPECT_NEAR(scores.auc, 1.0, 1e-12);
  EXPECT_NEAR(scores.brier, (0.14 + 0.38 + 0.74 + 0.26) / 4.0, 1e-12);
  // Bins of one row each: |1 − 0.7|, |1 − 0.5|, |0 − 0.4| and |1 − 0.6|.
  EXPECT_NEAR(scores.calibration_error, (0.3 + 0.5 + 0.4 + 0.4) / 4.0, 1e-12);
}

// scikit-learn 1.9: mean_poisson_deviance
TEST(PoissonDeviance, IsThatOfScikitLearn) {
  EXPECT_NEAR(poisson_deviance(std::vector{.5, 1.5, 2., 3.}, std::vector{0., 1., 2., 5.}), 0.5743315053608945, 1e-14);
}

}  // namespace class_scores_test
}  // namespace shrimp

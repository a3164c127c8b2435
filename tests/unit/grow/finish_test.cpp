#include "grow/finish.hpp"

#include <gtest/gtest.h>

#include "grow/finish_by_loss.hpp"
#include "grow/finish_parts.hpp"
#include "shrimp/errors.hpp"
#include "support.hpp"

namespace shrimp {
namespace finish_test {

using test::random_matrix;

Rows wave(std::size_t count, std::uint64_t seed) {
  Rows rows;
  rows.X = random_matrix(count, 1, seed);
  for (const double x : rows.X.col(0)) rows.y.push_back(std::sin(3 * x));
  return rows;
}

Grown grown_on(const Rows& rows, double lambda) {
  Grown grown;
  grown.terms = {{{0}, {1.0}, 0, 1.0}};
  grown.lambda = lambda;
  grown.deviations = {1.0 / std::sqrt(3.0)};
  grown.errors.squares.assign(rows.size(), 1e-6);
  grown.errors.mean = 1e-6;
  return grown;
}

// The chance that the mean of h squares of standard normal numbers is below s: for even h the χ² law is elementary.
double chance_of_mean_square_below(double s, std::size_t h) {
  const double x = 0.5 * s * static_cast<double>(h);
  double term = 1.0;
  for (std::size_t k = 1; k <= h / 2; ++k) term *= x / static_cast<double>(k);
  double sum = 0.0;  // Σ_{k ≥ h/2} e^{−x} x^k/k!, without the cancellation of 1 − Σ_{k < h/2}.
  for (std::size_t k = h / 2; k < h / 2 + 40; ++k) {
    sum += term;
    term *= x / static_cast<double>(k + 1);
  }
  return std::exp(-x) * sum;
}

// Rows that a plane keeps apart have the less loss the larger their log odds, without end.
TEST(Finish, ChoosesByLossesUnderWhichCertaintyOfAClassHasItsPrice) {
  Rows rows;
  rows.X = random_matrix(4, 1, 1);
  rows.y = {1.0, 0.0, 1.0, 0.0};
  const std::vector<double> sure = {8.0, -8.0, 8.0, -8.0};
  const std::vector<double> surer = {800.0, -800.0, 800.0, -800.0};
  const LossFunction classes(Loss::logistic);
  EXPECT_LT(losses_of(classes, rows, surer).mean, losses_of(classes, rows, sure).mean);
  EXPECT_LT(losses_to_choose_by(classes, rows, sure, 99).mean, losses_to_choose_by(classes, rows, surer, 99).mean);
  EXPECT_NEAR(losses_to_choose_by(classes, rows, surer, 99).mean, 0.8, 1e-12);  // A tenth of a hundredth of 800.
  const LossFunction counts(Loss::poisson);
  EXPECT_EQ(losses_to_choose_by(counts, rows, sure, 99).mean, losses_of(counts, rows, sure).mean);
}

TEST(Finish, AsksMoreOfExactFitsTheFewerRowsAreHeldOut) {
  for (const std::size_t held_out : {2, 4, 6, 8, 100}) {
    EXPECT_LT(400.0 * chance_of_mean_square_below(exact_share_to_beat(held_out), held_out), 1e-3) << held_out;
  }
  EXPECT_LT(exact_share_to_beat(3), 1e-4);
  EXPECT_LT(exact_share_to_beat(1), 1e-11);
  EXPECT_EQ(exact_share_to_beat(10), 0.01);
}

TEST(Finish, TriesExactFitsWhereTheGrowthFoundNoNoise) {
  const Rows rows = wave(100, 1);
  EXPECT_TRUE(may_be_exact(grown_on(rows, 1e-10)));
  EXPECT_FALSE(may_be_exact(grown_on(rows, 1e-6)));
  Grown nothing = grown_on(rows, 1e-10);
  nothing.terms.clear();
  EXPECT_FALSE(may_be_exact(nothing));
}

// Shapes are tuned in the units of the searched rows, whatever other rows are fitted in the end.
TEST(Finish, MeasuresScalesInTheUnitsOfTheSearch) {
  const Rows rows = wave(100, 1);
  Grown grown = grown_on(rows, 1e-3);
  const Finished usual = fit_terms(rows, grown, 0);
  grown.deviations = {2.0 * grown.deviations.front()};
  const Finished wider = fit_terms(rows, grown, 0);
  ASSERT_EQ(usual.dictionary.weights.size(), wider.dictionary.weights.size());
  for (std::size_t j = 0; j < usual.dictionary.weights.size(); ++j) {
    EXPECT_NEAR(wider.dictionary.weights.weights(j)[0], 0.5 * usual.dictionary.weights.weights(j)[0], 1e-12);
  }
}

TEST(Finish, EndsExactFitsAfterTheFirstThatIsNoBetter) {
  const Rows train = wave(100, 1);
  const Rows held = wave(30, 2);
  const Finished exact = finish_exactly({train, held, train, nullptr}, grown_on(train, 1e-10), 0.0, {}, {});
  EXPECT_EQ(exact.records.size(), 1U);
  EXPECT_TRUE(exact.coefficients.empty());
}

TEST(Finish, EndsExactFitsWhenTheErrorIsAtRoundingLevel) {
  const Rows train = wave(100, 1);
  const Rows held = wave(30, 2);
  FinishOptions options;
  const Finished fit = finish_exactly({train, held, train, nullptr}, grown_on(train, 1e-10), 1.0, options, {});
  options.budget = 0.0;
  const Finished one_round = finish_exactly({train, held, train, nullptr}, grown_on(train, 1e-10), 1.0, options, {});
  EXPECT_LT(fit.error, 1e-15);
  EXPECT_EQ(fit.work, one_round.work);
}

TEST(Finish, KeepsFewerColumnsWhereErrorsDifferByRoundingAlone) {
  const Rows train = wave(100, 1);
  const Rows held = wave(30, 2);
  const Finished fit = finish_exactly({train, held, train, nullptr}, grown_on(train, 1e-10), 1.0, {}, {});
  EXPECT_LT(fit.coefficients.size(), fit.basis_functions_drawn);
  EXPECT_LT(fit.error, 1e-15);
}

TEST(Finish, BeginsNoFurtherRoundOfExactFitsWhenItsBudgetIsSpent) {
  Rows train = wave(100, 1);
  const Rows held = wave(30, 2);
  for (std::size_t i = 0; i < train.size(); i += 2) train.y[i] += 1e-3;  // Keeps the error above rounding level.
  FinishOptions options;
  const Finished free = finish_exactly({train, held, train, nullptr}, grown_on(train, 1e-10), 1.0, options, {});
  options.budget = 0.0;
  const Finished bounded = finish_exactly({train, held, train, nullptr}, grown_on(train, 1e-10), 1.0, options, {});
  EXPECT_LT(bounded.error, 1e-4);
  EXPECT_GT(bounded.work, 0.0);
  EXPECT_GE(free.work, 3.0 * bounded.work);
}

TEST(Finish, CanBeStoppedInEveryPart) {
  const Rows train = wave(100, 1);
  const Rows held = wave(30, 2);
  GrowObserver observer;
  observer.is_over = []() -> bool { throw Interrupted(); };
  const Grown grown = grown_on(train, 1e-10);
  EXPECT_THROW((void)finish_exactly({train, held, train, nullptr}, grown, 1.0, {}, observer), Interrupted);
  EXPECT_THROW((void)finish_with_ridge(train, nullptr, nullptr, grown, {}, observer), Interrupted);
}

// λ far below rounding beside nearly equal columns.
TEST(Finish, ReportsTheRidgeThatItUsed) {
  const Rows train = wave(100, 1);
  const Finished finished = finish_with_ridge(train, nullptr, nullptr, grown_on(train, 1e-30), {}, {});
  EXPECT_GT(finished.ridge, 1e-30);
  for (const PathRecord& record : finished.records) EXPECT_EQ(record.ridge, finished.ridge);
  EXPECT_GT(finished.work, 0.0);
}

}  // namespace finish_test
}  // namespace shrimp

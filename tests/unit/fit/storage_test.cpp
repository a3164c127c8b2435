// What fits are said to need of memory, and what is refused for it.
#include "fit/storage.hpp"

#include "shrimp/fit.hpp"
#include "support.hpp"

namespace shrimp {
namespace storage_test {

using test::expect_parts;
using test::make_dataset;
using test::message_of;

TEST(FitMemory, IsEstimatedAtLeastAsLargeAsTheMatrix) {
  FitOptions options;
  options.method = "shrimp";
  options.draw.features = 1000;
  const double estimate = estimate_fit_memory(500, 10, options);
  EXPECT_GE(estimate, 8.0 * 500 * 1980);  // 44 rows for each of 45 pairs, two columns each.
  options.draw.basis = Basis::relu;
  EXPECT_LT(estimate_fit_memory(500, 10, options), estimate);
}

TEST(FitMemory, OfATallMatrixOfPairsIsLessThanTheMatrixWhichIsNotStored) {
  FitOptions options;
  options.method = "shrimp";
  options.draw.features = 280;  // Ten for each of 28 pairs, two columns each.
  const double matrix = 8.0 * 30000 * 560;
  EXPECT_LT(estimate_fit_memory(30000, 8, options), matrix);
  options.draw.basis = Basis::tanh;  // One column each.
  options.draw.features = 560;
  EXPECT_GT(estimate_fit_memory(30000, 8, options), matrix);
}

TEST(FitMemory, OfColumnsOfFewDimensionsCountsTheCopiesThatAreCutOff) {
  FitOptions options;
  options.method = "shrimp";
  options.draw.features = 4950;  // As many for 3 pairs as for 45.
  EXPECT_GT(estimate_fit_memory(400, 3, options), 1.2 * estimate_fit_memory(400, 10, options));
}

TEST(FitMemory, OfFewKeptColumnsGrowsWithTheirNumber) {
  FitOptions options;
  options.method = "harfe";
  options.draw.features = 1000;
  options.sparse.sparsities = {10};
  const double few = estimate_fit_memory(2000, 10, options);
  options.sparse.sparsities = {10, 900};
  EXPECT_GT(estimate_fit_memory(2000, 10, options), few + 8.0 * 2000 * 900);
}

TEST(FitMemory, BeyondTheLimitIsRefusedWithNumbersAndARemedy) {
  FitOptions options;
  options.method = "shrimp";
  options.draw.features = 100000;
  options.machine.memory = 0.02;
  const Dataset data = make_dataset(100, 5, 35);
  const std::string message = message_of<OptionError>([&] { (void)fit(data, options); });
  expect_parts(message, {"MiB", "20.5 MiB", "fewer features"});
  options.draw.features = std::stoul(message.substr(message.find("(at most ") + 9));
  EXPECT_GT(options.draw.features, 10);
  EXPECT_NO_THROW((void)fit(data, options));
}

TEST(FitMemory, ThatIsShortLetsFewerThreadsWork) {
  FitOptions options;
  options.machine.threads = 1;
  const double alone = estimate_fit_memory(2000, 4, options);
  options.machine.threads = 3;
  const double with_two_others = estimate_fit_memory(2000, 4, options);
  constexpr double gib = 1073741824.0;
  options.machine.memory = 2.0 * with_two_others / gib;
  EXPECT_EQ(threads_in_memory(2000, 4, options), 3);
  options.machine.memory = (0.5 * alone + 0.5 * with_two_others) / gib;
  EXPECT_EQ(threads_in_memory(2000, 4, options), 2);
  options.machine.memory = 1.01 * alone / gib;
  EXPECT_EQ(threads_in_memory(2000, 4, options), 1);
  EXPECT_NO_THROW((void)choose_storage(2000, 4, options));
  options.machine.memory = 0.99 * alone / gib;
  EXPECT_THROW((void)choose_storage(2000, 4, options), OptionError);
}

TEST(FitMemory, OfAnythingThatCouldNeverFitIsRefusedAtOnce) {
  FitOptions options;
  options.method = "shrimp";
  options.draw.features = 1'000'000'000;
  const Dataset data = make_dataset(1000, 5, 36);
  EXPECT_THROW((void)fit(data, options), OptionError);
}

}  // namespace storage_test
}  // namespace shrimp

// Fits of tables that are longer than what is searched.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fit/long_fit.hpp"
#include "support.hpp"

namespace shrimp {
namespace long_fit_test {

using test::Random;

// With so little memory, 22000 rows are searched.
constexpr double little_memory = 1.35;  // GiB.
constexpr std::size_t many = 24000;

Dataset table(std::size_t rows, double noise, std::uint64_t seed) {
  Random random(seed);
  Dataset data;
  data.inputs = {"a", "b"};
  data.target = "y";
  data.X = Matrix(rows, 2);
  for (std::size_t i = 0; i < rows; ++i) {
    const double a = data.X(i, 0) = random();
    const double b = data.X(i, 1) = random();
    data.y.push_back(std::sin(2.0 * a) + a * b + noise * random());
  }
  return data;
}

FitOptions options_of() {
  FitOptions options;
  options.machine.memory = little_memory;
  options.machine.threads = 2;
  options.terms.warps_inputs = false;
  options.terms.target_form = TargetForm::identity;
  options.terms.max_order = 2;
  return options;
}

TEST(LongFit, TellsAnErrorOfRowsThatTookNoPart) {
  const FitResult result = fit(table(many, 0.5, 1), options_of());
  EXPECT_EQ(result.model.results.at("rows"), static_cast<double>(many));
  EXPECT_LT(result.model.results.at("rows_searched"), static_cast<double>(many));
  const double noise = 0.25 / 3.0;
  ASSERT_TRUE(result.validation_se);
  EXPECT_NEAR(result.validation_mse, noise, 5.0 * *result.validation_se);
  const Dataset truth = table(1000, 0.0, 2);
  EXPECT_LT(test::mean_squared_error(result.model.predict(truth.X), truth.y), 0.005 * noise);
}

TEST(LongFit, IsTheSameByBlocksInMemoryAndFromAFile) {
  const Dataset data = table(many, 0.5, 3);
  const test::TemporaryFolder folder;
  const std::string path = folder.file("table.csv");
  std::string text = "a,b,y\n";
  for (std::size_t i = 0; i < many; ++i) {
    text += fmt::format("{},{},{}\n", data.X(i, 0), data.X(i, 1), data.y[i]);
  }
  test::write_text(path, text);
  const std::string in_memory = to_json(fit(data, options_of()).model);
  EXPECT_EQ(to_json(fit(*blocks_of(data), options_of()).model), in_memory);
  EXPECT_EQ(to_json(fit(*read_csv_blocks(path, "y"), options_of()).model), in_memory);
}

// Which rows are searched decides what is found.
TEST(LongFit, SearchesAsManyRowsOnAnyNumberOfThreads) {
  const auto most_searched = [](double memory, int threads) {
    FitOptions options;
    options.machine.memory = memory;
    options.machine.threads = threads;
    std::size_t rows = 500;
    while (!is_long(rows, 4, options)) rows += 100;
    return rows;
  };
  for (const double memory : {0.1, 0.2, 0.3, 0.45, 1.0}) {
    const std::size_t alone = most_searched(memory, 1);
    for (const int threads : {2, 5, 64}) EXPECT_EQ(most_searched(memory, threads), alone) << memory << " GiB";
  }
}

TEST(LongFit, StopsWhenAskedTo) {
  const Dataset data = table(many, 0.5, 4);
  std::atomic<bool> stop = true;
  FitObserver observer;
  observer.stop = &stop;
  EXPECT_THROW((void)fit(*blocks_of(data), options_of(), observer), Interrupted);
}

TEST(LongFit, OfMethodsThatNeedAllRowsIsThatOfTheTable) {
  const Dataset data = table(300, 0.1, 5);
  FitOptions options;
  options.method = "lasso";
  EXPECT_FALSE(fits_in_parts(options));
  EXPECT_EQ(to_json(fit(*blocks_of(data), options).model), to_json(fit(data, options).model));
}

TEST(LongFit, RefusesRowsThatDoNotFitIntoMemoryWhereAllAreNeeded) {
  const Dataset data = table(200000, 0.1, 6);
  FitOptions options;
  options.method = "lasso";
  options.machine.memory = 0.001;
  test::expect_parts(test::message_of<DataError>([&] { (void)fit(*blocks_of(data), options); }),
                     {"do not fit", "method lasso", "method auto"});
}

}  // namespace long_fit_test
}  // namespace shrimp

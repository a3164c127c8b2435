#include "fit/honest_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <mutex>
#include <set>

#include "shrimp/fit.hpp"
#include "support.hpp"

namespace shrimp {
namespace honest_error_test {

using test::Random;

// A model that predicts the mean of its rows, and believes in the variance around it.
Finished mean_of(const Rows& rows) {
  Finished model;
  for (const double y : rows.y) model.constant += y / static_cast<double>(rows.size());
  for (const double y : rows.y) model.error += std::pow(y - model.constant, 2) / static_cast<double>(rows.size());
  return model;
}

Rows noise(std::size_t count, std::uint64_t seed) {
  Rows rows;
  rows.X = test::random_matrix(count, 1, seed);
  rows.y = test::random_vector(count, seed + 1);
  return rows;
}

/// The error of a search that finds one kind of model.
template <typename Search>
std::optional<HonestError> nested_error(const Rows& rows, double error, const Search& search) {
  const auto one_kind = [&](const Rows& part) { return std::vector<Finished>{search(part)}; };
  const auto parts = errors_of_parts(rows, 1, one_kind, {}, 3);
  if (parts.empty()) return std::nullopt;
  return honest_error(parts.front(), error);
}

TEST(NestedError, SearchesAgainWithoutEveryPartOfTheRows) {
  const Rows rows = noise(100, 1);
  std::mutex mutex;
  std::multiset<double> left_out;
  const auto search = [&](const Rows& part) {
    const std::lock_guard lock(mutex);
    std::multiset<double> there(part.y.begin(), part.y.end());
    EXPECT_EQ(part.size(), 80U);
    for (const double y : rows.y) {
      if (!there.contains(y)) left_out.insert(y);
    }
    return mean_of(part);
  };
  const auto honest = nested_error(rows, mean_of(rows).error, search);
  ASSERT_TRUE(honest);
  EXPECT_EQ(left_out, std::multiset<double>(rows.y.begin(), rows.y.end()));
  EXPECT_NEAR(honest->mean, 1.0 / 3.0, 0.08);  // The variance of a uniform number on (−1, 1).
  EXPECT_NEAR(honest->standard_error, std::sqrt(4.0 / 45.0 / 100.0), 0.01);
}

// A search that believes in a tenth of its error is not believed.
TEST(NestedError, IsNotFooledByWhatASearchBelieves) {
  const Rows rows = noise(200, 5);
  const auto boasting = [](const Rows& part) {
    Finished model = mean_of(part);
    model.error *= 0.1;
    return model;
  };
  const auto plain = nested_error(rows, mean_of(rows).error, mean_of);
  const auto other = nested_error(rows, 0.1 * mean_of(rows).error, boasting);
  EXPECT_NEAR(other->mean, plain->mean, 1e-12);
}

TEST(NestedError, OfTooFewRowsIsNone) { EXPECT_FALSE(nested_error(noise(8, 7), 1.0, mean_of)); }

TEST(NestedError, LeavesGroupsTogetherAndCountsThem) {
  Rows rows = noise(200, 9);
  for (std::size_t i = 0; i < 200; ++i) {
    rows.groups.push_back(static_cast<std::uint32_t>(i / 10));
    rows.y[i] = rows.y[i / 10 * 10];
  }
  const auto search = [&](const Rows& part) {
    std::map<std::uint32_t, int> sizes;
    for (const std::uint32_t group : part.groups) ++sizes[group];
    for (const auto& [group, size] : sizes) EXPECT_EQ(size, 10);
    return mean_of(part);
  };
  const auto grouped = nested_error(rows, mean_of(rows).error, search);
  rows.groups.clear();
  const auto single = nested_error(rows, mean_of(rows).error, mean_of);
  EXPECT_GT(grouped->standard_error, 2.0 * single->standard_error);
}

TEST(NestedError, JudgesEveryKindOfModelByTheSameRows) {
  const Rows rows = noise(100, 13);
  const auto search = [](const Rows& part) {
    Finished shifted = mean_of(part);
    shifted.constant += 3.0;
    return std::vector<Finished>{mean_of(part), shifted};
  };
  const auto parts = errors_of_parts(rows, 2, search, {}, 3);
  ASSERT_EQ(parts.size(), 2U);
  const RowErrors errors = errors_of_all(parts[0]);
  const RowErrors errors_of_shifted = errors_of_all(parts[1]);
  ASSERT_EQ(errors.squares.size(), 100U);
  EXPECT_NEAR(errors.mean, 1.0 / 3.0, 0.08);
  // (e − 3)² = e² − 6e + 9, whatever the order of the rows.
  for (std::size_t i = 0; i < 100; ++i) {
    const double e = std::sqrt(errors.squares[i]);
    const double off = std::min(std::abs(errors_of_shifted.squares[i] - std::pow(e - 3.0, 2)),
                                std::abs(errors_of_shifted.squares[i] - std::pow(e + 3.0, 2)));
    EXPECT_LT(off, 1e-9) << i;
  }
}

TEST(NestedError, OfAllPartsKeepsGroupsApart) {
  const auto starts = [](std::vector<std::size_t> at) { return std::make_shared<const std::vector<std::size_t>>(at); };
  const std::vector<PartErrors> parts{{{{1.0, 2.0, 3.0}, 2.0, starts({0, 1, 3})}, 1.0, 3.0},
                                      {{{4.0, 6.0}, 5.0, starts({0, 2})}, 1.0, 2.0}};
  const RowErrors all = errors_of_all(parts);
  EXPECT_EQ(all.squares, (std::vector<double>{1.0, 2.0, 3.0, 4.0, 6.0}));
  EXPECT_DOUBLE_EQ(all.mean, 3.2);
  ASSERT_TRUE(all.starts);
  EXPECT_EQ(*all.starts, (std::vector<std::size_t>{0, 1, 3, 5}));
}

TEST(ErrorsOnNewRows, AreThoseOfAModelThatHoldsInputsAndPredictionsInRange) {
  Rows fitted = noise(10, 11);
  Finished line;
  const std::uint32_t input = 0;
  const double slope = 1.0;
  line.dictionary.weights.append(std::span(&input, 1), std::span(&slope, 1));
  line.dictionary.rows = {0};
  line.dictionary.functions = {Function::identity};
  line.coefficients = {2.0};
  const auto [lowest, highest] = std::ranges::minmax(fitted.X.col(0));
  Rows far = noise(1, 12);
  far.X(0, 0) = 100.0;
  far.y = {0.0};
  const double held = highest + 0.05 * (highest - lowest);
  EXPECT_NEAR(errors_on_new_rows(line, fitted, far, {0.05, false}).mean, std::pow(2.0 * held, 2), 1e-12);
  EXPECT_NEAR(errors_on_new_rows(line, fitted, far, {std::nullopt, false}).mean, 200.0 * 200.0, 1e-9);
  const auto [least, most] = std::ranges::minmax(fitted.y);
  EXPECT_NEAR(errors_on_new_rows(line, fitted, far, {0.05, true}).mean, std::pow(most + 0.05 * (most - least), 2),
              1e-12);
}

Dataset wide_noise(std::size_t rows, std::uint64_t seed) {
  Dataset data;
  data.X = test::random_matrix(rows, 30, seed);
  for (std::size_t j = 0; j < 30; ++j) data.inputs.push_back("x" + std::to_string(j));
  data.target = "y";
  Random random(seed + 1);
  for (std::size_t i = 0; i < rows; ++i) data.y.push_back(data.X(i, 0) + data.X(i, 1) * data.X(i, 2) + 0.5 * random());
  return data;
}

double error_on(const Model& model, const Dataset& data) {
  const std::vector<double> predicted = model.predict(data.X);
  double sum = 0.0;
  for (std::size_t i = 0; i < data.y.size(); ++i) sum += std::pow(predicted[i] - data.y[i], 2);
  return sum / static_cast<double>(data.y.size());
}

TEST(HonestError, IsWithinItsStandardErrorsOfTheErrorOnNewRows) {
  const Dataset test = wide_noise(4000, 100);
  double told = 0.0;
  double true_error = 0.0;
  int covered = 0;
  constexpr int fits = 8;
  for (std::uint64_t seed = 0; seed < fits; ++seed) {
    const FitResult result = fit(wide_noise(150, 200 + 2 * seed), {});
    ASSERT_TRUE(result.validation_se);
    const double error = error_on(result.model, test);
    told += result.validation_mse;
    true_error += error;
    covered += std::abs(result.validation_mse - error) < 1.645 * *result.validation_se ? 1 : 0;
  }
  EXPECT_NEAR(told / true_error, 1.0, 0.15);
  EXPECT_GE(covered, fits / 2);
}

TEST(HonestError, DoesNotChangeTheModel) {
  FitOptions quick;
  quick.terms.quick_error = true;
  const Dataset data = wide_noise(150, 300);
  const FitResult fast = fit(data, quick);
  const FitResult honest = fit(data, {});
  EXPECT_EQ(fast.model.coefficients, honest.model.coefficients);
  EXPECT_FALSE(fast.validation_se);
  EXPECT_EQ(honest.model.results.at("validation_se"), *honest.validation_se);
}

TEST(HonestError, OfManyRowsComesFromRowsSetAside) {
  FitOptions options;
  options.terms.max_order = 1;
  const FitResult result = fit(wide_noise(6000, 400), options);
  ASSERT_TRUE(result.validation_se);
  EXPECT_NEAR(result.validation_mse, error_on(result.model, wide_noise(4000, 500)), 4.0 * *result.validation_se);
  EXPECT_EQ(result.model.results.at("rows"), 6000.0);
  options.terms.quick_error = true;
  EXPECT_EQ(fit(wide_noise(6000, 400), options).model.coefficients, result.model.coefficients);
}

}  // namespace honest_error_test
}  // namespace shrimp

#include "features/missing_cells.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support.hpp"

namespace shrimp {
namespace missing_cells_test {

using test::expect_parts;
using test::message_of;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

std::shared_ptr<const std::vector<Marginal>> some_marginals() {
  return std::make_shared<const std::vector<Marginal>>(std::vector<Marginal>{
      {{-1.0, 0.5, 2.0}, {0.2, 0.5, 0.3}}, {{0.0, 1.0}, {0.75, 0.25}}, {{-0.3, 0.4}, {0.5, 0.5}}});
}

Dictionary two_inputs(Function function) {
  Dictionary dictionary;
  const std::vector<std::uint32_t> support = {0, 1};
  dictionary.weights.append(support, std::vector<double>{0.7, -1.3});
  dictionary.weights.phases = {0.2};
  dictionary.rows = {0};
  dictionary.functions = {function};
  dictionary.marginals = some_marginals();
  return dictionary;
}

Matrix one_row(double a, double b, double c) {
  Matrix X(1, 3);
  X(0, 0) = a;
  X(0, 1) = b;
  X(0, 2) = c;
  return X;
}

// The definition: the mean over all values that the missing inputs may have.
double mean_over_values(const Dictionary& dictionary, const Matrix& row) {
  double sum = 0.0;
  const auto& marginals = *dictionary.marginals;
  for (std::size_t a = 0; a < marginals[0].values.size(); ++a) {
    for (std::size_t b = 0; b < marginals[1].values.size(); ++b) {
      Matrix filled(row);
      if (std::isnan(row(0, 0))) filled(0, 0) = marginals[0].values[a];
      if (std::isnan(row(0, 1))) filled(0, 1) = marginals[1].values[b];
      sum += marginals[0].masses[a] * marginals[1].masses[b] * evaluate(dictionary, filled)(0, 0);
    }
  }
  return sum;
}

TEST(MissingCells, ColumnsTakeTheirMeanOverTheMissingInputs) {
  for (const Function function : {Function::cos, Function::sin, Function::identity, Function::relu, Function::tanh,
                                  Function::step, Function::level}) {
    const Dictionary dictionary = two_inputs(function);
    for (const Matrix& row :
         {one_row(missing, 0.4, 1.0), one_row(0.3, missing, 1.0), one_row(missing, missing, missing)}) {
      EXPECT_NEAR(evaluate(dictionary, row)(0, 0), mean_over_values(dictionary, row), 1e-14)
          << static_cast<int>(function);
    }
  }
}

TEST(MissingCells, AnInputThatNoColumnLooksAtMayBeMissing) {
  Dictionary dictionary = two_inputs(Function::cos);
  dictionary.marginals = nullptr;
  EXPECT_NEAR(evaluate(dictionary, one_row(0.1, 0.2, missing))(0, 0), std::cos(0.2 + 0.07 - 0.26), 1e-14);
  expect_parts(message_of<DataError>([&] { (void)evaluate(dictionary, one_row(missing, 0.2, 0.0)); }),
               {"an input is missing"});
}

TEST(MissingCells, KernelsTakeTheMeanOfAMissingInput) {
  Matrix centres(1, 3);
  centres(0, 0) = 0.3;
  Dictionary sections = kernel_sections(centres, {0.5, 0.4, 0.3}, 3);
  sections.marginals = some_marginals();
  EXPECT_DOUBLE_EQ(evaluate(sections, one_row(missing, 0.4, 0.1))(0, 0),
                   evaluate(sections, one_row(0.65, 0.4, 0.1))(0, 0));
}

TEST(MissingCells, RowsWithoutThemAreAsBefore) {
  const Dictionary dictionary = two_inputs(Function::cos);
  Matrix X(2, 3);
  X(0, 0) = 0.5;
  X(1, 0) = missing;
  EXPECT_EQ(evaluate(dictionary, X)(0, 0), evaluate(dictionary, one_row(0.5, 0.0, 0.0))(0, 0));
}

}  // namespace missing_cells_test
}  // namespace shrimp

#include "grow/kernel_finish.hpp"

#include <gtest/gtest.h>

#include "data/split.hpp"
#include "data/standardize.hpp"
#include "grow/kernel_oracle.hpp"
#include "support.hpp"

namespace shrimp {
namespace kernel_finish_test {

const std::function<bool()> never = [] { return false; };

constexpr std::size_t inputs = 4;

double truth(MatrixView X, std::size_t i) { return 5.0 + 3.0 * std::sin(2.0 * X(i, 0) + X(i, 1)) * X(i, 2) + X(i, 3); }

Rows some_rows(Matrix X, std::uint64_t seed) {
  Rows rows;
  rows.X = std::move(X);
  test::Random random(seed);
  for (std::size_t i = 0; i < rows.X.rows(); ++i) rows.y.push_back(truth(rows.X, i) + 0.3 * random());
  return rows;
}

Rows some_rows(std::size_t count, std::uint64_t seed) {
  return some_rows(test::random_matrix(count, inputs, seed), seed + 1);
}

void copy_inputs(MatrixView from, std::size_t row, Matrix& X, std::size_t i) {
  for (std::size_t j = 0; j < 3; ++j) X(i, j) = from(row, j);
}

// Rows of which those that are held out for λ have the inputs of others that the kernel looks at, so that centres at
// these others are all there are.
Rows rows_with_copies_held_out(const RowSplit& split, std::uint64_t seed) {
  Matrix X = test::random_matrix(split.train.size() + split.held_out.size(), inputs, seed);
  for (std::size_t k = 0; k < split.held_out.size(); ++k) copy_inputs(X, split.train[k], X, split.held_out[k]);
  return some_rows(std::move(X), seed + 1);
}

// A line and a wave, of scales other than 1.
Finished some_terms() {
  Finished terms;
  const std::uint32_t third = 3;
  const std::vector<std::uint32_t> pair{0, 2};
  const double slope = 1.0;
  terms.dictionary.weights.append(std::span(&third, 1), std::span(&slope, 1));
  terms.dictionary.weights.append(pair, std::vector<double>{1.5, -0.5});
  terms.dictionary.rows = {0, 1};
  terms.dictionary.functions = {Function::identity, Function::cos};
  terms.coefficients = {1.0, 1.0};
  terms.scales = {0.8, 1.7};
  return terms;
}

const std::vector<double> deviations{0.5, 0.6, 0.7, 0.4};

AllInputs some_shape(bool beside_terms, Law law) {
  AllInputs found;
  found.shape = {{0, 1, 2}, {1.6, 1.0, 1.2}, law, 1.4, 0.05};
  found.deviations = deviations;
  found.beside_terms = beside_terms;
  found.errors.mean = 0.25;
  return found;
}

/// The prior covariance of the function, without constant and noise.
double prior(const AllInputs& found, const Finished& terms, MatrixView X, std::size_t i, MatrixView Z, std::size_t k) {
  double value = std::pow(found.shape.amplitude, 2);
  for (std::size_t l = 0; l < found.shape.variables.size(); ++l) {
    const std::uint32_t j = found.shape.variables[l];
    value *= test::covariance(found.shape.law, found.shape.scales[l] * std::abs(X(i, j) - Z(k, j)) / deviations[j]);
  }
  if (!found.beside_terms) return value;
  const double s = terms.scales[0];
  const double t = terms.scales[1];
  const auto wave = [](MatrixView A, std::size_t row) { return std::cos(1.5 * A(row, 0) - 0.5 * A(row, 2)); };
  return value + s * s * X(i, 3) * Z(k, 3) + t * t * wave(X, i) * wave(Z, k);
}

/// The posterior mean at `at`, of a process with this prior, a constant of prior variance `constant`, and noise.
std::vector<double> posterior_mean(const AllInputs& found, const Finished& terms, const Rows& rows, MatrixView at,
                                   double noise, double constant) {
  double mean = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    mean += (rows.weights.empty() ? 1.0 : rows.weights[i]) * rows.y[i] / rows.total_weight();
  }
  Matrix K(rows.size(), rows.size());
  std::vector<double> y;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < rows.size(); ++k) K(i, k) = prior(found, terms, rows.X, i, rows.X, k) + constant;
    const double weight = rows.weights.empty() ? 1.0 : rows.weights[i];
    K(i, i) += noise / weight;
    y.push_back(rows.y[i] - mean);
  }
  const std::vector<double> alpha = test::solve_plainly(std::move(K), y).alpha;
  std::vector<double> means;
  for (std::size_t a = 0; a < at.rows; ++a) {
    double sum = mean;
    for (std::size_t k = 0; k < rows.size(); ++k) sum += (prior(found, terms, at, a, rows.X, k) + constant) * alpha[k];
    means.push_back(sum);
  }
  return means;
}

std::vector<double> predict(const Finished& model, MatrixView X) {
  std::vector<double> values = test::times(evaluate(model.dictionary, X), model.coefficients);
  for (double& value : values) value += model.constant;
  return values;
}

constexpr Law laws[] = {Law::normal, Law::student_t, Law::cauchy};

TEST(KernelFinish, OnAllRowsIsThePosteriorMean) {
  const Matrix at = test::random_matrix(25, inputs, 30);
  const Finished terms = some_terms();
  for (const Law law : laws) {
    for (const bool beside_terms : {false, true}) {
      const Rows rows = some_rows(60, 31);
      AllInputs found = some_shape(beside_terms, law);
      const double deviation = standard_deviation(rows.y);
      double mean = 0.0;
      for (const double y : rows.y) mean += y / 60.0;
      Matrix K(60, 60);
      std::vector<double> y;
      for (std::size_t i = 0; i < 60; ++i) {
        for (std::size_t k = 0; k < 60; ++k) K(i, k) = prior(found, terms, rows.X, i, rows.X, k) + 1.0;
        K(i, i) += found.shape.noise;
        y.push_back((rows.y[i] - mean) / deviation);
      }
      found.alpha = test::solve_plainly(std::move(K), y).alpha;
      const Finished model = finish_on_all_rows(rows, found, terms);
      EXPECT_EQ(model.coefficients.size(), 60U + (beside_terms ? 2U : 0U));
      test::expect_near(predict(model, at), posterior_mean(found, terms, rows, at, found.shape.noise, 1.0), 1e-9);
    }
  }
}

// The same from the rows alone: what is found has the α of its own shape, whatever the weights and the terms' scales.
TEST(KernelFinish, OfATermThatWasFoundIsThePosteriorMean) {
  const Finished terms = some_terms();
  Rows rows = some_rows(80, 33);
  test::Random random(34);
  for (std::size_t i = 0; i < 80; ++i) rows.weights.push_back(3.0 + 2.0 * random());
  AllInputsOptions options;
  options.candidates = {0, 1, 2};
  options.only_beside_terms = true;
  options.judged = false;
  const auto found = find_all_inputs(rows, terms, options, never);
  ASSERT_TRUE(found);
  AllInputs in_our_units = *found;
  for (std::size_t l = 0; l < found->shape.variables.size(); ++l) {
    const std::uint32_t j = found->shape.variables[l];
    in_our_units.shape.scales[l] *= deviations[j] / found->deviations[j];
  }
  const double mean_weight = rows.total_weight() / 80.0;
  const Matrix at = test::random_matrix(25, inputs, 35);
  test::expect_near(predict(finish_on_all_rows(rows, *found, terms), at),
                    posterior_mean(in_our_units, terms, rows, at, found->shape.noise * mean_weight, 1.0), 1e-6);
}

// With every row a centre, sections are the whole process, as far as k(z, z) is far from singular: scales are large
// enough for that.
TEST(KernelFinish, WithSectionsAtAllRowsIsThePosteriorMean) {
  const Finished terms = some_terms();
  const Matrix at = test::random_matrix(25, inputs, 40);
  constexpr double hardly_known = 1e6;
  for (const Law law : laws) {
    for (const bool beside_terms : {false, true}) {
      const RowSplit split = hold_out(100, 0.1, 7);
      const Rows rows = rows_with_copies_held_out(split, 41);
      const AllInputs found = some_shape(beside_terms, law);
      SectionOptions options;
      options.seed = 7;
      const Finished model = finish_with_sections(rows, nullptr, found, terms, options, never).judged;
      EXPECT_EQ(model.coefficients.size(), split.train.size() + (beside_terms ? 2U : 0U));
      EXPECT_GT(standard_deviation(predict(model, at)), 0.5);  // A constant would be right whatever the sections are.
      test::expect_near(predict(model, at), posterior_mean(found, terms, rows, at, model.ridge, hardly_known), 1e-6);
    }
  }
}

TEST(KernelFinish, WithMoreRowsIsAFitToAllOfThem) {
  const Finished terms = some_terms();
  const RowSplit split = hold_out(100, 0.1, 7);
  const Rows rows = rows_with_copies_held_out(split, 51);
  Matrix X = test::random_matrix(50, inputs, 52);
  for (std::size_t i = 0; i < 50; ++i) copy_inputs(rows.X, split.train[i], X, i);
  Rows more = some_rows(std::move(X), 53);
  Rows all;
  all.X = Matrix(150, inputs);
  for (std::size_t i = 0; i < 150; ++i) {
    const Rows& part = i < 100 ? rows : more;
    for (std::size_t j = 0; j < inputs; ++j) all.X(i, j) = part.X(i % 100, j);
    all.y.push_back(part.y[i % 100]);
    all.weights.push_back(i < 100 ? 1.0 : 2.0);
  }
  more.weights.assign(50, 2.0);
  const AllInputs found = some_shape(true, Law::student_t);
  SectionOptions options;
  options.seed = 7;
  const SectionModels models = finish_with_sections(rows, &more, found, terms, options, never);
  const Matrix at = test::random_matrix(25, inputs, 55);
  EXPECT_GT(standard_deviation(predict(models.all, at)), 0.5);
  test::expect_near(predict(models.all, at), posterior_mean(found, terms, all, at, models.judged.ridge, 1e6), 1e-6);
  test::expect_near(predict(models.judged, at), posterior_mean(found, terms, rows, at, models.judged.ridge, 1e6), 1e-6);
}

TEST(KernelFinish, DoublesCentresWhileHeldOutRowsGainByIt) {
  const Finished none;
  const Rows rows = some_rows(600, 61);
  SectionOptions options;
  options.fewest_centres = 5;
  options.most_centres = 100;
  const AllInputs found = some_shape(false, Law::normal);
  const Finished model = finish_with_sections(rows, nullptr, found, none, options, never).judged;
  EXPECT_GT(model.records.size(), 1U);
  EXPECT_LE(model.coefficients.size(), 100U);
  EXPECT_EQ(model.records[0].basis_functions, 5U);
  EXPECT_EQ(model.records[1].basis_functions, 10U);
  EXPECT_EQ(model.coefficients.size(), model.records[model.chosen].basis_functions);
  for (std::size_t k = 1; k < model.records.size(); ++k) {
    EXPECT_LT(model.records[k].validation_mse, model.records[k - 1].validation_mse);
  }
}

}  // namespace kernel_finish_test
}  // namespace shrimp

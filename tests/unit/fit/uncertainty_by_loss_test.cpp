#include "fit/uncertainty_by_loss.hpp"

#include <cmath>
#include <functional>

#include "intervals/factor.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "support.hpp"

namespace shrimp {
namespace uncertainty_by_loss_test {

constexpr double ridge = 0.7;
constexpr double scales[] = {0.5, 2.0};

Dictionary lines() {
  Dictionary dictionary;
  for (std::uint32_t j = 0; j < 2; ++j) {
    const double one = 1.0;
    dictionary.weights.append({&j, 1}, {&one, 1});
    dictionary.rows.push_back(j);
    dictionary.functions.push_back(Function::identity);
  }
  return dictionary;
}

// A fit of two lines with row weights, whose coefficients are near the minimum.
struct Fit {
  ModelFrame frame;
  Model model;
  Choice choice;
};

Fit fit_of(Loss loss) {
  Fit fit;
  fit.frame.options.loss = loss;
  fit.frame.rows.X = test::random_matrix(60, 2, 3);
  for (std::size_t i = 0; i < 60; ++i) {
    fit.frame.rows.y.push_back(static_cast<double>(i % 3 == 0 ? 1 : 0));
    fit.frame.rows.weights.push_back(i % 2 == 0 ? 1.0 : 2.0);
  }
  fit.model.dictionary = lines();
  fit.model.coefficients = {0.4, -0.3};
  fit.choice.constant = -0.5;
  fit.choice.ridge = ridge;
  fit.choice.scales.assign(std::begin(scales), std::end(scales));
  return fit;
}

// Minus the logarithm of the posterior density of constant and coefficients.
double penalized_loss(const Fit& fit, std::span<const double> c) {
  const LossFunction loss(fit.frame.options.loss);
  double sum = 0.0;
  for (std::size_t i = 0; i < fit.frame.rows.size(); ++i) {
    const double f = c[0] + c[1] * fit.frame.rows.X(i, 0) + c[2] * fit.frame.rows.X(i, 1);
    sum += fit.frame.rows.weights[i] * loss.of(fit.frame.rows.y[i], f);
  }
  for (std::size_t k = 0; k < 2; ++k) sum += 0.5 * ridge * std::pow(c[1 + k] / scales[k], 2);
  return sum;
}

// By central differences.
Matrix hessian(const Fit& fit) {
  constexpr double step = 1e-3;
  const std::vector<double> at = {fit.choice.constant, fit.model.coefficients[0], fit.model.coefficients[1]};
  Matrix H(3, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      double value = 0.0;
      for (const double a : {-1.0, 1.0}) {
        for (const double b : {-1.0, 1.0}) {
          std::vector<double> c = at;
          c[i] += a * step;
          c[j] += b * step;
          value += a * b * penalized_loss(fit, c);
        }
      }
      H(i, j) = value / (4.0 * step * step);
    }
  }
  return H;
}

void expect_inverse(const Matrix& covariance, const Matrix& H, double tolerance) {
  const Matrix product = multiply(covariance, H);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(product(i, j), i == j ? 1.0 : 0.0, tolerance) << i << " " << j;
  }
}

Matrix covariance_of(Model model, const Uncertainty& uncertainty) {
  model.uncertainty = uncertainty;
  const Matrix F = factor_of(model);
  return multiply(F, transpose(F));
}

// Σ w of a logistic fit.
double information(const Fit& fit) {
  const Rows& rows = fit.frame.rows;
  double sum = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double f = fit.choice.constant;
    for (std::size_t k = 0; k < fit.model.coefficients.size(); ++k) f += fit.model.coefficients[k] * rows.X(i, k);
    const double p = 1.0 / (1.0 + std::exp(-f));
    sum += rows.weights[i] * p * (1.0 - p);
  }
  return sum;
}

TEST(UncertaintyByLoss, HasTheInverseHessianOfThePenalizedLogisticLossForCovariance) {
  const Fit fit = fit_of(Loss::logistic);
  const std::optional<Uncertainty> found = uncertainty_by_loss(fit.model, fit.frame, fit.choice);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->dispersion, 1.0);
  Matrix covariance = covariance_of(fit.model, *found);
  covariance(0, 0) -= 6.0 / information(fit);  // Of effects that were not detected.
  expect_inverse(covariance, hessian(fit), 1e-4);
}

TEST(UncertaintyByLoss, MultipliesTheInverseHessianOfCountsByTheirDispersion) {
  Fit fit = fit_of(Loss::poisson);
  EXPECT_FALSE(uncertainty_by_loss(fit.model, fit.frame, fit.choice));
  // Squared Pearson residuals are 9, except for what uncertain coefficients add.
  fit.choice.left_out.X = Matrix(fit.frame.rows.X);
  for (std::size_t i = 0; i < fit.frame.rows.size(); ++i) {
    fit.choice.left_out.gaps.push_back(3.0);
    fit.choice.left_out.y.push_back(4.0);
  }
  const std::optional<Uncertainty> found = uncertainty_by_loss(fit.model, fit.frame, fit.choice);
  ASSERT_TRUE(found);
  EXPECT_GT(found->dispersion, 8.0);
  EXPECT_LT(found->dispersion, 9.0);
  Matrix H = hessian(fit);
  for (std::size_t j = 0; j < 3; ++j) {
    for (double& value : H.col(j)) value /= found->dispersion;
  }
  expect_inverse(covariance_of(fit.model, *found), H, 1e-4);
}

TEST(UncertaintyByLoss, KnowsTheConstantOfAModelWithoutTerms) {
  Fit fit = fit_of(Loss::logistic);
  fit.model.dictionary = Dictionary();
  fit.model.coefficients.clear();
  fit.choice.scales.clear();
  const std::optional<Uncertainty> found = uncertainty_by_loss(fit.model, fit.frame, fit.choice);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->factor.size(), 2U);
  EXPECT_NEAR(found->factor[0], 1.0 / std::sqrt(information(fit)), 1e-6);
}

}  // namespace uncertainty_by_loss_test
}  // namespace shrimp

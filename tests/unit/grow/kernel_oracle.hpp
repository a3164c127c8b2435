// Gaussian processes written down plainly, as oracle: dense matrices, LAPACK, no blocks.
#pragma once

#include <cmath>

#include "grow/kernel_evidence.hpp"
#include "support.hpp"

namespace shrimp::test {

/// κ of the law at distance r.
inline double covariance(Law law, double r) {
  switch (law) {
    case Law::cauchy:
      return std::exp(-r);
    case Law::student_t:
      return (1.0 + std::sqrt(3.0) * r) * std::exp(-std::sqrt(3.0) * r);
    default:
      return std::exp(-0.5 * r * r);
  }
}

/// a² Π κ between rows i of U and k of V.
inline double covariance(const KernelShape& shape, MatrixView U, std::size_t i, MatrixView V, std::size_t k) {
  double product = shape.amplitude * shape.amplitude;
  for (std::size_t l = 0; l < shape.scales.size(); ++l) {
    product *= covariance(shape.law, shape.scales[l] * std::abs(U(i, l) - V(k, l)));
  }
  return product;
}

/// k + B + 1, without the noise.
inline Matrix prior_covariance(const KernelRows& rows, const KernelShape& shape) {
  Matrix K(rows.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const double base = rows.base.empty() ? 0.0 : rows.base(std::max(i, k), std::min(i, k));
      K(i, k) = covariance(shape, rows.U, i, rows.U, k) + base + 1.0;
    }
  }
  return K;
}

inline double noise_variance(const KernelRows& rows, const KernelShape& shape, std::size_t i) {
  return rows.weights.empty() ? shape.noise : shape.noise / rows.weights[i];
}

struct PlainSolution {
  std::vector<double> alpha;  ///< K⁻¹y
  double log_determinant = 0.0;
};

/// By LAPACK's LU, for K that is positive definite.
inline PlainSolution solve_plainly(Matrix K, std::vector<double> y) {
  const auto m = static_cast<lapack_int>(y.size());
  std::vector<lapack_int> pivots(y.size());
  EXPECT_EQ(LAPACKE_dgesv(LAPACK_COL_MAJOR, m, 1, K.data(), m, pivots.data(), y.data(), m), 0);
  PlainSolution solution{std::move(y), 0.0};
  for (std::size_t i = 0; i < solution.alpha.size(); ++i) solution.log_determinant += std::log(std::abs(K(i, i)));
  return solution;
}

/// Means of the rows `left_out` given all others.
inline std::vector<double> predict_plainly(const KernelRows& rows, const KernelShape& shape,
                                           const std::vector<std::size_t>& left_out) {
  const Matrix K = prior_covariance(rows, shape);
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (std::ranges::find(left_out, i) == left_out.end()) others.push_back(i);
  }
  Matrix part(others.size(), others.size());
  std::vector<double> y;
  for (std::size_t a = 0; a < others.size(); ++a) {
    for (std::size_t b = 0; b < others.size(); ++b) part(a, b) = K(others[a], others[b]);
    part(a, a) += noise_variance(rows, shape, others[a]);
    y.push_back(rows.y[others[a]]);
  }
  const std::vector<double> alpha = solve_plainly(std::move(part), std::move(y)).alpha;
  std::vector<double> means;
  for (const std::size_t i : left_out) {
    double mean = 0.0;
    for (std::size_t a = 0; a < others.size(); ++a) mean += K(i, others[a]) * alpha[a];
    means.push_back(mean);
  }
  return means;
}

}  // namespace shrimp::test

// Basis pursuit on the complex dictionary, small and plain: what the generalisation bounds are about.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

#include "linalg/dense.hpp"
#include "support.hpp"

namespace shrimp::test {

using Complex = std::complex<double>;

/// A/√m for A = exp(i X Wᵀ) as a real matrix [C −S; S C]; vectors are [real; imaginary].
inline Matrix real_form(const FeatureWeights& W, MatrixView X) {
  const Matrix A = evaluate(make_dictionary(W, Basis::fourier), X);
  const std::size_t m = X.rows;
  const std::size_t N = W.size();
  const double scale = 1.0 / std::sqrt(static_cast<double>(m));
  Matrix B(2 * m, 2 * N);
  for (std::size_t j = 0; j < N; ++j) {
    for (std::size_t i = 0; i < m; ++i) {
      B(i, j) = B(m + i, N + j) = scale * A(i, j);
      B(m + i, j) = scale * A(i, N + j);
      B(i, N + j) = -B(m + i, j);
    }
  }
  return B;
}

inline double modulus(std::span<const double> c, std::size_t j) { return std::hypot(c[j], c[c.size() / 2 + j]); }

inline double complex_l1_norm(std::span<const double> c) {
  double sum = 0.0;
  for (std::size_t j = 0; j < c.size() / 2; ++j) sum += modulus(c, j);
  return sum;
}

/// The s largest entries, the others 0.
inline std::vector<double> keep_largest(std::vector<double> c, std::size_t s) {
  const std::size_t N = c.size() / 2;
  std::vector<std::size_t> order(N);
  for (std::size_t j = 0; j < N; ++j) order[j] = j;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return modulus(c, a) > modulus(c, b); });
  for (std::size_t k = s; k < N; ++k) c[order[k]] = c[N + order[k]] = 0.0;
  return c;
}

/// One sweep of coordinate descent on ½‖B c − b‖² + λ‖c‖₁ over `active`; `residual` is b − B c. Columns have norm 1.
/// Returns the largest change.
inline double sweep(const Matrix& B, double lambda, std::span<const std::size_t> active, std::vector<double>& c,
                    std::vector<double>& residual) {
  const std::size_t N = c.size() / 2;
  double largest = 0.0;
  for (const std::size_t j : active) {
    const auto re = B.col(j);
    const auto im = B.col(N + j);
    Complex old(c[j], c[N + j]);
    Complex target = old;
    for (std::size_t i = 0; i < residual.size(); ++i) target += Complex(re[i] * residual[i], im[i] * residual[i]);
    const double size = std::abs(target);
    const Complex fresh = size > lambda ? target * (1.0 - lambda / size) : 0.0;
    const Complex change = fresh - old;
    for (std::size_t i = 0; i < residual.size(); ++i) residual[i] -= change.real() * re[i] + change.imag() * im[i];
    c[j] = fresh.real();
    c[N + j] = fresh.imag();
    largest = std::max(largest, std::abs(change));
  }
  return largest;
}

/// Moves c to the minimiser: coordinates whose optimality fails join the active ones until there are none.
inline void descend(const Matrix& B, std::span<const double> b, double lambda, std::vector<double>& c) {
  const std::size_t N = c.size() / 2;
  std::vector<std::size_t> active;
  for (int round = 0; round < 50; ++round) {
    std::vector<double> residual = difference(b, multiply(B, c));
    const std::vector<double> correlation = multiply_transposed(B, residual);
    const std::size_t before = active.size();
    for (std::size_t j = 0; j < N; ++j) {
      const bool wanted = modulus(c, j) > 0.0 || modulus(correlation, j) > lambda * (1.0 + 1e-9);
      if (wanted && std::ranges::find(active, j) == active.end()) active.push_back(j);
    }
    if (active.size() == before) return;
    for (int k = 0; k < 100 && sweep(B, lambda, active, c, residual) > 1e-10; ++k) continue;
  }
}

/// min ‖c‖₁ subject to ‖B c − b‖ ≤ eta: the λ whose solution is just within eta, by bisection.
inline std::vector<double> basis_pursuit(const Matrix& B, std::span<const double> b, double eta) {
  std::vector<double> c(B.cols(), 0.0);
  if (norm(b) <= eta) return c;
  double low = 0.0;
  double high = 0.0;
  const std::vector<double> correlation = multiply_transposed(B, b);
  for (std::size_t j = 0; j < c.size() / 2; ++j) high = std::max(high, modulus(correlation, j));
  std::vector<double> within = c;
  for (int k = 0; k < 16; ++k) {
    const double lambda = (low + high) / 2.0;
    descend(B, b, lambda, c);
    const bool feasible = norm(difference(multiply(B, c), b)) <= eta;
    (feasible ? low : high) = lambda;
    if (feasible) within = c;
  }
  return within;
}

/// Values of f = Σ c_j exp(i⟨x, w_j⟩) over √(number of rows), as [real; imaginary].
inline double root_mean_square(const FeatureWeights& W, MatrixView X, std::span<const double> c) {
  return norm(multiply(real_form(W, X), c));
}

}  // namespace shrimp::test

#include "solvers/kernel_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "linalg/cholesky.hpp"
#include "linalg/column_view.hpp"
#include "linalg/dense.hpp"
#include "solvers/minimum_norm.hpp"

namespace shrimp {
namespace {

Matrix add_to_diagonal(const Matrix& K, double lambda) {
  Matrix shifted(K);
  for (std::size_t i = 0; i < K.rows(); ++i) shifted(i, i) += lambda;
  return shifted;
}

double one_norm(const Matrix& A) {
  double largest = 0.0;
  for (std::size_t j = 0; j < A.cols(); ++j) {
    double sum = 0.0;
    for (const double value : A.col(j)) sum += std::abs(value);
    largest = std::max(largest, sum);
  }
  return largest;
}

// Of fewer rows, a processor has the answer before a device has begun.
constexpr std::size_t fewest_rows_for_a_device = 500;

/// x ← G⁻¹x on a device that has the factor L of G.
void solve_on(Device& device, const DeviceMatrix& L, std::vector<double>& x) {
  DeviceMatrix there = device.upload(column_of(x));
  device.solve(L, there);
  std::ranges::copy(device.download(there).col(0), x.begin());
}

double one_norm(std::span<const double> x) {
  return std::accumulate(x.begin(), x.end(), 0.0, [](double sum, double value) { return sum + std::abs(value); });
}

/// An estimate, from below, of the 1-norm of G⁻¹ for symmetric G (Hager 1984; Higham 1988, whose last vector is for
/// matrices that were made to deceive).
double norm_of_inverse(std::size_t n, const std::function<void(std::vector<double>&)>& solve) {
  constexpr int most_steps = 5;
  std::vector<double> x(n, 1.0 / static_cast<double>(n));
  std::size_t last = n;
  double norm = 0.0;
  for (int step = 0; step < most_steps; ++step) {
    solve(x);
    const double now = one_norm(x);
    if (step > 0 && !(now > norm)) break;
    norm = now;
    for (double& value : x) value = std::copysign(1.0, value);
    solve(x);
    const auto largest = std::ranges::max_element(x, {}, [](double value) { return std::abs(value); });
    const auto place = static_cast<std::size_t>(largest - x.begin());
    if (place == last) break;
    last = place;
    std::ranges::fill(x, 0.0);
    x[place] = 1.0;
  }
  const double steps = std::max(1.0, static_cast<double>(n) - 1.0);
  for (std::size_t i = 0; i < n; ++i) x[i] = (i % 2 == 0 ? 1.0 : -1.0) * (1.0 + static_cast<double>(i) / steps);
  solve(x);
  return std::max(norm, 2.0 * one_norm(x) / (3.0 * static_cast<double>(n)));
}

}  // namespace

KernelRidge::KernelRidge(Matrix K, std::span<const double> y, std::span<const double> root_weights,
                         const std::shared_ptr<Device>& device)
    : K_(std::move(K)), y_(y.begin(), y.end()), root_weights_(root_weights.begin(), root_weights.end()) {
  const std::size_t m = K_.rows();
  if (K_.cols() != m || y.size() != m || (!root_weights.empty() && root_weights.size() != m)) {
    throw std::invalid_argument("the kernel matrix, the target and the weights have different sizes.");
  }
  for (const double root : root_weights) {
    if (!(root >= 0.0 && std::isfinite(root))) {
      throw std::invalid_argument("the square root of a row weight is not a number of 0 or more.");
    }
  }
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = j; i < m; ++i) {
      if (!root_weights.empty()) K_(i, j) *= root_weights[i] * root_weights[j];
      K_(j, i) = K_(i, j);
    }
    if (!root_weights.empty()) y_[j] *= root_weights[j];
  }
  put_on(device);
}

void KernelRidge::put_on(const std::shared_ptr<Device>& device) {
  if (device == nullptr || K_.rows() < fewest_rows_for_a_device) return;
  try {
    there_ = device->upload(K_);
    target_there_ = device->upload(column_of(y_));
    norm_ = one_norm(K_);
    device_ = device;
  } catch (const DeviceMemoryError&) {
    there_ = {};
  }
}

KernelRidgeSolution KernelRidge::solve(double lambda) const {
  if (!(lambda >= 0.0 && std::isfinite(lambda))) throw std::invalid_argument("lambda is not a number of 0 or more.");
  std::optional<KernelRidgeSolution> found;
  try {
    if (device_ != nullptr) found = solve_there(lambda);
  } catch (const DeviceMemoryError&) {
  }
  KernelRidgeSolution solution = found ? std::move(*found) : solve_here(lambda);
  for (std::size_t i = 0; i < root_weights_.size(); ++i) solution.alpha[i] *= root_weights_[i];
  return solution;
}

std::optional<KernelRidgeSolution> KernelRidge::solve_there(double lambda) const {
  const std::size_t m = K_.rows();
  DeviceMatrix L = device_->make(m, m);
  device_->copy(there_, L);
  if (!device_->factor(L, lambda)) return std::nullopt;
  const double inverse = norm_of_inverse(m, [&](std::vector<double>& x) { solve_on(*device_, L, x); });
  if (!(1.0 / ((norm_ + lambda) * inverse) > default_rank_tolerance(m, m))) return std::nullopt;
  DeviceMatrix alpha = device_->make(m, 1);
  device_->copy(target_there_, alpha);
  device_->solve(L, alpha);
  std::vector<std::size_t> all(m);
  std::iota(all.begin(), all.end(), std::size_t{0});
  DeviceMatrix gap = device_->make(m, 1);
  device_->combine(there_, device_->upload(all), alpha, gap);
  device_->add_scaled(gap, lambda, alpha);
  device_->add_scaled(gap, -1.0, target_there_);
  device_->solve(L, gap);
  device_->add_scaled(alpha, -1.0, gap);
  const Matrix values = device_->download(alpha);
  return KernelRidgeSolution{{values.data(), values.data() + m}, m, false};
}

KernelRidgeSolution KernelRidge::solve_here(double lambda) const {
  const std::size_t m = K_.rows();
  KernelRidgeSolution solution;
  if (m == 0) return solution;
  Matrix shifted = add_to_diagonal(K_, lambda);
  const double norm = one_norm(shifted);
  auto factor = Cholesky::factor(std::move(shifted));
  if (factor && factor->rcond(norm) > default_rank_tolerance(m, m)) {
    solution.alpha = y_;
    factor->solve(solution.alpha);
    std::vector<double> residual = multiply(K_, solution.alpha);
    for (std::size_t i = 0; i < m; ++i) residual[i] = y_[i] - (residual[i] + lambda * solution.alpha[i]);
    factor->solve(residual);
    for (std::size_t i = 0; i < m; ++i) solution.alpha[i] += residual[i];
    solution.rank = m;
  } else {
    factor.reset();
    MinimumNormSolution least = solve_minimum_norm(add_to_diagonal(K_, lambda), y_);
    solution = {std::move(least.coefficients), least.rank, true};
  }
  return solution;
}

}  // namespace shrimp

#include "grow/kernel_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "grow/device_kernel.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

constexpr std::size_t tile = 16;  // Columns of K that a thread takes at once.

// κ(r) = factor·exp(−exponent), and its slope by log r over κ.
struct NormalLaw {
  static void add(double r, double& exponent, double& /*factor*/) { exponent += 0.5 * r * r; }
  static double slope(double r) { return -r * r; }
};

struct CauchyLaw {
  static void add(double r, double& exponent, double& /*factor*/) { exponent += r; }
  static double slope(double r) { return -r; }
};

struct StudentLaw {
  static constexpr double root = 1.7320508075688772;
  static void add(double r, double& exponent, double& factor) {
    exponent += root * r;
    factor *= 1.0 + root * r;
  }
  static double slope(double r) { return -3.0 * r * r / (1.0 + root * r); }
};

// The law's name becomes a type once, outside of the loops.
template <typename Use>
void with_law(Law law, const Use& use) {
  switch (law) {
    case Law::cauchy:
      return use(CauchyLaw());
    case Law::student_t:
      return use(StudentLaw());
    default:
      return use(NormalLaw());
  }
}

void over_tiles(std::size_t columns, std::size_t inputs, const std::function<void(std::size_t, std::size_t)>& use) {
  const auto operations = static_cast<double>(columns) * static_cast<double>(columns) * static_cast<double>(inputs + 8);
  parallel_for((columns + tile - 1) / tile, [&](std::size_t t) { use(t, std::min(columns, (t + 1) * tile)); },
               operations);
}

/// The lower triangle of a² Π κ.
template <typename LawOfWeights>
Matrix kernel_triangle(const Matrix& U, const KernelShape& shape, LawOfWeights /*law*/) {
  const std::size_t m = U.rows();
  Matrix K = Matrix::uninitialized(m, m);
  const double variance = shape.amplitude * shape.amplitude;
  over_tiles(m, U.cols(), [&](std::size_t t, std::size_t end) {
    std::vector<double> exponent(m);
    std::vector<double> factor(m);
    for (std::size_t b = t * tile; b < end; ++b) {
      std::fill(exponent.begin(), exponent.end(), 0.0);
      std::fill(factor.begin(), factor.end(), variance);
      for (std::size_t l = 0; l < U.cols(); ++l) {
        const double* const u = U.col(l).data();
        const double here = u[b];
        const double scale = shape.scales[l];
        for (std::size_t i = b; i < m; ++i) LawOfWeights::add(scale * std::abs(u[i] - here), exponent[i], factor[i]);
      }
      for (std::size_t i = b; i < m; ++i) K(i, b) = factor[i] * std::exp(-exponent[i]);
    }
  });
  return K;
}

/// Σ_{i,b} W_ib ∂ log κ(i,b)/∂ log s_l for every l, W symmetric by its lower triangle, and Σ W.
template <typename LawOfWeights>
std::vector<double> scale_slopes(const Matrix& U, const KernelShape& shape, const Matrix& W, LawOfWeights /*law*/) {
  const std::size_t m = U.rows();
  const std::size_t tiles = (m + tile - 1) / tile;
  Matrix sums(U.cols() + 1, tiles);
  over_tiles(m, U.cols(), [&](std::size_t t, std::size_t end) {
    for (std::size_t b = t * tile; b < end; ++b) {
      const double* const w = W.col(b).data();
      for (std::size_t l = 0; l < U.cols(); ++l) {
        const double* const u = U.col(l).data();
        const double here = u[b];
        const double scale = shape.scales[l];
        double sum[4] = {};  // Four sums, so that none waits for its own last addition.
        std::size_t i = b + 1;
        for (; i + 4 <= m; i += 4) {
          for (std::size_t k = 0; k < 4; ++k) {
            sum[k] += w[i + k] * LawOfWeights::slope(scale * std::abs(u[i + k] - here));
          }
        }
        for (; i < m; ++i) sum[0] += w[i] * LawOfWeights::slope(scale * std::abs(u[i] - here));
        sums(l, t) += 2.0 * ((sum[0] + sum[1]) + (sum[2] + sum[3]));
      }
      double all = 0.0;
      for (std::size_t i = b + 1; i < m; ++i) all += w[i];
      sums(U.cols(), t) += w[b] + 2.0 * all;
    }
  });
  std::vector<double> total(U.cols() + 1, 0.0);
  for (std::size_t t = 0; t < tiles; ++t) {
    for (std::size_t l = 0; l < total.size(); ++l) total[l] += sums(l, t);
  }
  return total;
}

double noise_of(const KernelRows& rows, const KernelShape& shape, std::size_t i) {
  return rows.weights.empty() ? shape.noise : shape.noise / rows.weights[i];
}

Matrix kernel_of(const KernelRows& rows, const KernelShape& shape) {
  Matrix kernel;
  with_law(shape.law, [&](auto law) { kernel = kernel_triangle(rows.U, shape, law); });
  return kernel;
}

std::optional<Cholesky> factor(const KernelRows& rows, const KernelShape& shape, const Matrix& kernel) {
  const std::size_t m = rows.size();
  constexpr double variance_of_constant = 1.0;
  Matrix K = copy_in_parallel(kernel);
  over_tiles(m, 0, [&](std::size_t t, std::size_t end) {
    for (std::size_t b = t * tile; b < end; ++b) {
      for (std::size_t i = b; i < m; ++i) K(i, b) += variance_of_constant;
      for (std::size_t i = b; i < m && !rows.base.empty(); ++i) K(i, b) += rows.base(i, b);
      K(b, b) += noise_of(rows, shape, b) + evidence_jitter * shape.amplitude * shape.amplitude;
    }
  });
  return Cholesky::factor(std::move(K));
}

std::vector<double> solve(const Cholesky& L, const std::vector<double>& y) {
  std::vector<double> alpha = y;
  L.solve(alpha);
  return alpha;
}

double evidence_of(const Cholesky& L, const std::vector<double>& y, const std::vector<double>& alpha) {
  return -0.5 * std::inner_product(y.begin(), y.end(), alpha.begin(), 0.0) - 0.5 * L.log_determinant();
}

std::optional<KernelSolution> solve_on_processor(const KernelRows& rows, const KernelShape& shape) {
  const std::optional<Cholesky> L = factor(rows, shape, kernel_of(rows, shape));
  if (!L) return std::nullopt;
  KernelSolution solution{solve(*L, rows.y), ResidualMaker(rows.size(), 0.0, rows.starts)};
  solution.inverse.add_squares(1.0, L->inverse_of_factor());
  return solution;
}

std::optional<KernelEvidence> evidence_on_processor(const KernelRows& rows, const KernelShape& shape) {
  const std::size_t m = rows.size();
  const Matrix kernel = kernel_of(rows, shape);
  const std::optional<Cholesky> L = factor(rows, shape, kernel);
  if (!L) return std::nullopt;
  const std::vector<double> alpha = solve(*L, rows.y);
  Matrix W = L->inverse();
  double by_noise = 0.0;
  for (std::size_t i = 0; i < m; ++i) by_noise += (alpha[i] * alpha[i] - W(i, i)) * noise_of(rows, shape, i);
  over_tiles(m, 1, [&](std::size_t t, std::size_t end) {
    for (std::size_t b = t * tile; b < end; ++b) {
      for (std::size_t i = b; i < m; ++i) W(i, b) = 0.5 * (alpha[i] * alpha[b] - W(i, b)) * kernel(i, b);
    }
  });
  KernelEvidence evidence{evidence_of(*L, rows.y, alpha), {}};
  with_law(shape.law, [&](auto law) { evidence.slopes = scale_slopes(rows.U, shape, W, law); });
  evidence.slopes.back() *= 2.0;  // K grows by the square of the amplitude.
  evidence.slopes.push_back(by_noise);
  if (!std::isfinite(evidence.value)) return std::nullopt;
  return evidence;
}

// The processor does what a device has no room for.
template <typename There, typename Here>
auto on_device_or_here(const KernelRows& rows, const There& there, const Here& here) {
  try {
    if (rows.on_device != nullptr) return there(*rows.on_device);
  } catch (const DeviceMemoryError&) {
  }
  return here();
}

}  // namespace

void put_on(const std::shared_ptr<Device>& device, KernelRows& rows) {
  if (device == nullptr || rows.size() < fewest_kernel_rows_for_a_device) return;
  try {
    rows.on_device = std::make_shared<DeviceKernelRows>(device, rows);
  } catch (const DeviceMemoryError&) {
  }
}

std::optional<KernelEvidence> kernel_evidence(const KernelRows& rows, const KernelShape& shape) {
  return on_device_or_here(
      rows, [&](const DeviceKernelRows& there) { return there.evidence(shape); },
      [&] { return evidence_on_processor(rows, shape); });
}

std::optional<KernelLeftOut> kernel_left_out(const KernelRows& rows, const KernelShape& shape) {
  const std::size_t m = rows.size();
  std::optional<KernelSolution> solution = on_device_or_here(
      rows, [&](const DeviceKernelRows& there) { return there.solve(shape, rows.starts); },
      [&] { return solve_on_processor(rows, shape); });
  if (!solution) return std::nullopt;
  const std::optional<std::vector<double>> errors = solution->inverse.errors(solution->alpha);
  if (!errors) return std::nullopt;
  KernelLeftOut result;
  result.alpha = std::move(solution->alpha);
  result.errors.starts = rows.starts;
  for (std::size_t i = 0; i < m; ++i) {
    const double error = (*errors)[i];
    result.predictions.push_back(rows.y[i] - error);
    result.errors.squares.push_back((rows.weights.empty() ? 1.0 : rows.weights[i]) * error * error);
    result.errors.mean += result.errors.squares.back() / static_cast<double>(m);
  }
  return result;
}

}  // namespace shrimp

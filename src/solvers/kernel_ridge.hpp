// Kernel ridge regression: α = (K + λI)⁻¹ y for symmetric positive semi-definite K, for any number of λ.
//
// With row weights w: α = W^½ β, (W^½ K W^½ + λI) β = W^½ y, the minimiser of Σ_i w_i (y_i − (Kα)_i)² + λ αᵀKα.
//
// Each λ takes a Cholesky factorisation and one step of iterative refinement. Where the matrix is singular to working
// precision (equal rows, λ = 0 or close to it), the answer is the least-norm solution through orthogonal factors.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "linalg/device.hpp"
#include "shrimp/matrix.hpp"

namespace shrimp {

struct KernelRidgeSolution {
  std::vector<double> alpha;
  std::size_t rank = 0;  ///< Of the matrix solved with: the number of rows, unless used_least_norm.
  bool used_least_norm = false;
};

class KernelRidge {
 public:
  /// The lower triangle of K counts; K is used up. root_weights: √w ≥ 0, one a row; none: all 1. Throws
  /// std::invalid_argument where sizes differ or a root weight is negative or not finite.
  /// A device, if given, factorises as far as it has room and the matrix is far from singular.
  KernelRidge(Matrix K, std::span<const double> y, std::span<const double> root_weights = {},
              const std::shared_ptr<Device>& device = nullptr);

  /// Throws std::invalid_argument unless λ ≥ 0 and finite.
  [[nodiscard]] KernelRidgeSolution solve(double lambda) const;

 private:
  void put_on(const std::shared_ptr<Device>& device);
  [[nodiscard]] KernelRidgeSolution solve_here(double lambda) const;
  /// None where the processor has to do it.
  [[nodiscard]] std::optional<KernelRidgeSolution> solve_there(double lambda) const;

  Matrix K_;               // W^½ K W^½, both triangles.
  std::vector<double> y_;  // W^½ y
  std::vector<double> root_weights_;
  double norm_ = 0.0;               // Of K_, the 1-norm.
  std::shared_ptr<Device> device_;  // Null: the processor.
  DeviceMatrix there_;              // K_, there.
  DeviceMatrix target_there_;
};

}  // namespace shrimp

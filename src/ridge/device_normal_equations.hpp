// Normal equations on a device (linalg/device.hpp). Everything here throws DeviceMemoryError if memory is short.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "linalg/device.hpp"
#include "ridge/normal_equations.hpp"

namespace shrimp {

/// Normal equations from the products of [columns, y] with themselves. Each column is multiplied by its scale; without
/// scales, by 1.
[[nodiscard]] NormalEquations equations_of_products(const Matrix& products, std::span<const double> scales,
                                                    std::size_t rows, double weight);

/// Rows of [A, y] in the memory of a device, for the normal equations of several subsets of them.
class DeviceRowSums {
 public:
  DeviceRowSums(std::shared_ptr<Device> device, const Matrix& A, const std::vector<double>& y);

  [[nodiscard]] NormalEquations sum_up(std::span<const std::size_t> rows) const;

 private:
  std::shared_ptr<Device> device_;
  DeviceMatrix both_;
};

/// (G + diag(d)) c = Aᵀy on a device, for several d.
class DeviceEquations {
 public:
  DeviceEquations(std::shared_ptr<Device> device, const NormalEquations& sums);

  /// Empty if the matrix is not numerically positive definite.
  [[nodiscard]] std::optional<std::vector<double>> solve(std::span<const double> d) const;

 private:
  std::shared_ptr<Device> device_;
  DeviceMatrix G_;
  DeviceMatrix b_;
};

}  // namespace shrimp

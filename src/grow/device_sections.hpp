// Normal equations of kernel functions and other columns, accumulated on a device.
#pragma once

#include <memory>
#include <vector>

#include "linalg/cholesky.hpp"
#include "linalg/device.hpp"
#include "ridge/device_normal_equations.hpp"

namespace shrimp {

/// Rows of [other columns, sections L⁻ᵀ] and y, all but the sections times the roots of the rows' weights.
struct SectionRows {
  Matrix U;         ///< Inputs as the kernel sees them; empty where some are missing: then there are
  Matrix sections;  ///< k(x, z), a row for each x.
  Matrix others;
  std::vector<double> y;
  std::vector<double> roots;  ///< Of the weights; none: every row counts 1.
  double weight = 0.0;        ///< Of all rows.
};

class DeviceSections {
 public:
  /// L Lᵀ = k(z, z) for the rows z of `centres`. Throws DeviceMemoryError, as do the others.
  DeviceSections(std::shared_ptr<Device> device, DeviceKernel kernel, MatrixView centres, const Cholesky& L);

  void add(const SectionRows& rows);
  /// Of the rows so far, which it forgets.
  [[nodiscard]] NormalEquations take();

 private:
  std::shared_ptr<Device> device_;
  DeviceKernel kernel_;
  DeviceMatrix centres_;
  DeviceMatrix L_;
  DeviceMatrix products_;  // Of [columns, y] with themselves; empty: no rows so far.
  std::size_t rows_ = 0;
  double weight_ = 0.0;
};

}  // namespace shrimp

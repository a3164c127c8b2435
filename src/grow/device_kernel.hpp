// Evidence and errors of rows that are left out (grow/kernel_evidence.hpp) on a device, where the rows stay from one
// shape to the next.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "grow/kernel_evidence.hpp"
#include "linalg/device.hpp"

namespace shrimp {

/// The kernel a² Π κ as a device takes it.
[[nodiscard]] DeviceKernel device_kernel(const KernelShape& shape);

class DeviceKernelRows {
 public:
  /// Throws DeviceMemoryError, as do the others.
  DeviceKernelRows(std::shared_ptr<Device> device, const KernelRows& rows);

  [[nodiscard]] const std::shared_ptr<Device>& device() const { return device_; }

  /// None where K is numerically singular.
  [[nodiscard]] std::optional<KernelEvidence> evidence(const KernelShape& shape) const;
  /// With `starts` of groups; none: every row by itself.
  [[nodiscard]] std::optional<KernelSolution> solve(const KernelShape& shape, const GroupStarts& starts) const;

 private:
  struct Factored;

  [[nodiscard]] std::size_t size() const { return y_.rows; }
  [[nodiscard]] std::vector<double> entries_of(const DeviceMatrix& x) const;
  [[nodiscard]] DeviceMatrix copy_of(const DeviceMatrix& M) const;
  [[nodiscard]] std::optional<Factored> factor(const KernelShape& shape) const;

  std::shared_ptr<Device> device_;
  std::vector<double> weights_;
  std::vector<double> target_;
  DeviceMatrix U_;
  DeviceMatrix y_;
  DeviceMatrix ones_;
  DeviceMatrix base_;
};

}  // namespace shrimp

// How probable a target is under a kernel, and how well each row is told by the others.
//
// With K = k(rows) + B + 11ᵀ + noise/weights, B the covariance of terms that are in the model already,
//   log p(y) = −½ yᵀK⁻¹y − ½ log det K   (up to a constant),
// its slopes are traces of (K⁻¹y yᵀK⁻¹ − K⁻¹) with slopes of K, and the errors of rows that are left out together are
// (K⁻¹)_gg⁻¹ (K⁻¹y)_g. The variance 1 of the constant is that of the target, beside which a mean is known well.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "grow/kernel_shape.hpp"
#include "linalg/device.hpp"
#include "ridge/residual_maker.hpp"
#include "ridge/row_errors.hpp"

namespace shrimp {

class DeviceKernelRows;

/// Beside the kernel's own variance, what keeps K positive definite where rows nearly agree.
inline constexpr double evidence_jitter = 1e-12;

/// Of fewer, a processor has the answer before a device has begun.
inline constexpr std::size_t fewest_kernel_rows_for_a_device = 200;

/// Rows as a kernel sees them.
struct KernelRows {
  Matrix U;                     ///< Inputs over their deviations, a column for each that a shape may look at.
  std::vector<double> y;        ///< Mean 0, variance 1.
  std::vector<double> weights;  ///< Of mean 1; empty: every row counts 1.
  Matrix base = {};             ///< The lower triangle of B; empty: nothing.
  GroupStarts starts = {};      ///< Of rows that belong together; none: every row by itself.
  std::shared_ptr<const DeviceKernelRows> on_device = {};  ///< The same rows there; null: the processor does it.

  [[nodiscard]] std::size_t size() const { return y.size(); }
};

/// Puts them on the device too, where there is one with room for them and they are enough for it to gain by them.
void put_on(const std::shared_ptr<Device>& device, KernelRows& rows);

/// By logarithms of the scales, of the amplitude and of the noise's deviation.
struct KernelEvidence {
  double value = 0.0;
  std::vector<double> slopes;
};

/// Column l of U belongs to scales[l]. None where K is numerically singular.
std::optional<KernelEvidence> kernel_evidence(const KernelRows& rows, const KernelShape& shape);

struct KernelSolution {
  std::vector<double> alpha;  ///< K⁻¹y
  ResidualMaker inverse;      ///< K⁻¹
};

struct KernelLeftOut {
  std::vector<double> predictions;  ///< Of y, each by the other rows (or groups).
  RowErrors errors;
  std::vector<double> alpha;  ///< K⁻¹y
};

/// None where K is numerically singular.
std::optional<KernelLeftOut> kernel_left_out(const KernelRows& rows, const KernelShape& shape);

}  // namespace shrimp

// The scales, amplitude and noise of a kernel, moved to where the evidence is largest, and inputs that do nothing
// there left out.
#pragma once

#include <functional>
#include <vector>

#include "grow/kernel_evidence.hpp"

namespace shrimp {

struct KernelTuning {
  std::vector<double> largest_scales;  ///< One for each column of U.
  int most_steps = 30;
  bool noise_is_fixed = false;
  std::function<bool()> is_over;
};

/// A shape of all columns of U, in the middle of what is usual.
KernelShape usual_shape(std::size_t columns, Law law);

/// Moves the shape uphill. Returns the evidence there, with what is known of scales in advance.
double tune_kernel(const KernelRows& rows, KernelShape& shape, const KernelTuning& tuning);

/// Takes the variables out of the shape, and their columns out of `rows` and `tuning`, that can go without the evidence
/// falling by more than half a unit each. `variables` of the shape name the columns.
void drop_idle_inputs(KernelRows& rows, KernelShape& shape, KernelTuning& tuning);

/// The same for all but so many variables, those of the largest scales.
void keep_largest(std::size_t count, KernelRows& rows, KernelShape& shape, KernelTuning& tuning);

}  // namespace shrimp

// A fit and its error on rows it never saw.
#pragma once

#include "experiments/experiment.hpp"
#include "experiments/functions.hpp"
#include "shrimp/fit.hpp"

namespace shrimp::experiments {

[[nodiscard]] double test_error(const Model& model, const Dataset& test);

/// test_mse, validation_mse, columns, order, rate, seconds, converged.
[[nodiscard]] Json fit_and_test(const TrainAndTest& data, const FitOptions& shared);

/// The path's columns, test_mse, lambda_max and lambda_min as lists, and its `chosen` step.
[[nodiscard]] Json fit_path(const TrainAndTest& data, const FitOptions& shared);

/// Threads and device. Throws OptionError where the device is no word for one.
void take_machine(FitOptions& options, const Settings& settings);

/// For synthetic data, which are used as they are. Solvers by QR, as the paper's lsqminnorm, usually cut off what is
/// below n·eps of the longest of n columns. σ_max, which we compare with, is about √n times as long, so that the same
/// cut-off is √n·eps. The library's default of max(m, n)·eps, which is safer, costs the smoothest functions (f1)
/// nearly five orders of magnitude of the error.
[[nodiscard]] FitOptions synthetic_options(const Settings& settings, std::string_view method, int order,
                                           std::uint64_t seed);

}  // namespace shrimp::experiments

// A fit and its error on test rows.
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

/// Sets threads and device. Throws OptionError for an unknown device.
void take_machine(FitOptions& options, const Settings& settings);

/// For synthetic data, which are not scaled. Solvers by QR, such as MATLAB's lsqminnorm, usually truncate below n·eps
/// of the longest of n columns. σ_max is about √n times as long, so an equal tolerance relative to σ_max is √n·eps. The
/// library's default max(m, n)·eps is safer, but raises the error of the smoothest function (f1) by nearly five orders
/// of magnitude (docs/explanation/reproduction.md).
[[nodiscard]] FitOptions synthetic_options(const Settings& settings, std::string_view method, int order,
                                           std::uint64_t seed);

}  // namespace shrimp::experiments

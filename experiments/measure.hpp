// A fit and its error on rows it never saw.
#pragma once

#include "experiments/experiment.hpp"
#include "experiments/functions.hpp"
#include "shrimp/fit.hpp"

namespace shrimp::experiments {

[[nodiscard]] double test_error(const Model& model, const Dataset& test);

/// test_mse, validation_mse, columns, order, rate, seconds, converged.
[[nodiscard]] Json fit_and_test(const TrainAndTest& data, const FitOptions& options);

/// The path's columns, test_mse, lambda_max and lambda_min as lists, and its `chosen` step.
[[nodiscard]] Json fit_path(const TrainAndTest& data, const FitOptions& options);

/// For m rows to fit of synthetic data, which are used as they are. They have no noise, so that directions count down
/// to m·eps of the largest; the library's default of max(m, N)·eps, which is safer, costs the smoothest functions (f1)
/// two orders of magnitude.
[[nodiscard]] FitOptions synthetic_options(const Settings& settings, Method method, int order, std::size_t m,
                                           std::uint64_t seed);

}  // namespace shrimp::experiments

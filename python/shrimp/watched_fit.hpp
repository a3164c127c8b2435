// A fit that leaves Python free to run, reports to it and ends when it is interrupted.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "shrimp/fit.hpp"

namespace shrimp::python {

/// Runs shrimp::fit on a thread of its own, without the lock of the interpreter. Now and then this thread takes the
/// lock, lets Python handle signals, and calls `report(done, what, columns, validation_mse)` unless it is None. If
/// either raises, the fit is told to stop and what was raised is thrown, even in the middle of a long factorisation:
/// the fit's thread then ends by itself after its current step.
FitResult watched_fit(Dataset train, std::optional<Dataset> validation, const FitOptions& options,
                      const nanobind::object& report);

}  // namespace shrimp::python

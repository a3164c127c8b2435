// A fit that leaves Python free to run, reports to it and ends when it is interrupted.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>

#include "shrimp/fit.hpp"

namespace shrimp::python {

/// Has the thread that called do what it alone may do, which is to touch Python, and waits until it has. Throws
/// Interrupted, and does nothing, once that thread has left.
using OnCaller = std::function<void(const std::function<void()>& errand)>;

/// A fit of data that it owns: it may go on for a while after its caller has left.
using Fit = std::function<FitResult(const FitObserver& observer, const OnCaller& on_caller)>;

/// Runs `fit` on a thread of its own, without the lock of the interpreter. Now and then this thread takes the lock,
/// lets Python handle signals, does the fit's errands, and calls `report(done, what, columns, validation_mse)` unless
/// it is None. If any of these raises, the fit is told to stop and what was raised is thrown, even in the middle of a
/// long factorisation: the fit's thread then ends by itself, which takes no longer than one tile of work. A
/// KeyboardInterrupt has the best model so far, if there is one, as its attribute `best_model`.
FitResult watched_fit(Fit fit, const nanobind::object& report);

/// Stops all fits and waits until they have ended, for the end of the interpreter: threads that called them, which are
/// daemons then, never come back.
void end_fits();

}  // namespace shrimp::python

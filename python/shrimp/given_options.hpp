// What an estimator's parameters mean to the library.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <map>
#include <string>

#include "shrimp/options.hpp"
#include "watched_fit.hpp"

namespace shrimp::python {

using Texts = std::map<std::string, std::string>;

/// The one way from Python's parameters to options: through the table that the command line uses. Throws OptionError.
FitOptions to_options(const Texts& values);

/// A fit by options that are its method's own.
using FitByOptions =
    std::function<FitResult(const FitOptions& own, const FitObserver& observer, const OnCaller& on_caller)>;

/// watched_fit by what of these values is the method's. One estimator serves all methods: it may hold what another
/// method takes, which the result warns of.
FitResult fit_as_given(const Texts& values, FitByOptions fit, const nanobind::object& report);

}  // namespace shrimp::python

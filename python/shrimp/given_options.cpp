#include "given_options.hpp"

#include <utility>

#include "fit/check.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/methods.hpp"
#include "shrimp/parameters.hpp"

namespace shrimp::python {

FitOptions to_options(const Texts& values) {
  const NamedValues resolved = resolve_names(values);
  for (const std::string& warning : resolved.warnings) {
    if (PyErr_WarnEx(PyExc_FutureWarning, warning.c_str(), 1) != 0) throw nanobind::python_error();
  }
  FitOptions options;
  for (const auto& [name, text] : resolved.values) find_parameter(name)->set(options, text);
  return options;
}

FitResult fit_as_given(const Texts& values, FitByOptions fit, const nanobind::object& report) {
  const FitOptions given = to_options(values);
  auto fit_own = [fit = std::move(fit), own = options_for_method(given, given.method)](
                     const FitObserver& observer, const OnCaller& on_caller) { return fit(own, observer, on_caller); };
  FitResult result = watched_fit(std::move(fit_own), report);
  for (std::string& warning : ignored_option_warnings(given)) result.warnings.push_back(std::move(warning));
  return result;
}

}  // namespace shrimp::python

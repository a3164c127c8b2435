#include "given_options.hpp"

#include <algorithm>
#include <utility>

#include "fit/check.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/methods.hpp"
#include "shrimp/parameters.hpp"

namespace shrimp::python {

FitOptions to_options(const Texts& values) {
  FitOptions options;
  for (const auto& [name, text] : values) {
    const auto parameter = std::ranges::find(fit_parameters(), name, &Parameter::name);
    if (parameter == fit_parameters().end()) throw OptionError("there is no parameter \"" + name + "\".");
    parameter->set(options, text);
  }
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

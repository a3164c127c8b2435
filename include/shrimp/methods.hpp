// Fitting methods: their names, descriptions and parameters.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "shrimp/options.hpp"

namespace shrimp {

struct MethodInfo {
  std::string_view name;
  std::string_view help;
  /// Parameters (shrimp/parameters.hpp) that the method uses in addition to those of all methods.
  std::vector<std::string_view> takes;
};

/// All methods; the default method is first.
[[nodiscard]] std::span<const MethodInfo> fit_methods();

/// Names of the methods that use a parameter; empty if all methods do.
[[nodiscard]] std::vector<std::string_view> methods_that_take(std::string_view parameter);

/// Whether a method uses a parameter, specifically or as all methods do.
[[nodiscard]] bool method_takes(std::string_view method, std::string_view parameter);

/// Replaces unset options by the method's defaults for data with d inputs. Throws OptionError if options do not suit
/// the method.
[[nodiscard]] FitOptions complete_options(FitOptions options, std::size_t d);

}  // namespace shrimp

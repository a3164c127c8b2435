// The methods by which a fit finds its model: their names, what they are for, and what steers them.
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
  /// The parameters (shrimp/parameters.hpp) that it uses beside those that every method does.
  std::vector<std::string_view> takes;
};

/// The default method first.
[[nodiscard]] std::span<const MethodInfo> fit_methods();

/// Names of the methods that use a parameter; none where every method does.
[[nodiscard]] std::vector<std::string_view> methods_that_take(std::string_view parameter);

/// Whether a method uses a parameter, by itself or as every method does.
[[nodiscard]] bool method_takes(std::string_view method, std::string_view parameter);

/// The options with the method's own choice where they leave one, for data with d inputs. Throws OptionError where
/// they do not suit the method.
[[nodiscard]] FitOptions complete_options(FitOptions options, std::size_t d);

}  // namespace shrimp

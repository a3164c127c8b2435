// One table of the fit's parameters: command-line flags, Python arguments, the options page and the
// model file's provenance all come from it.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shrimp/fit.hpp"

namespace shrimp {

/// A former name of a parameter. It is accepted with a warning until it is removed.
struct DeprecatedName {
  std::string_view name;
  std::string_view removed_in;  ///< The first version that no longer accepts it.
};

struct Parameter {
  std::string_view name;
  std::string_view value;  ///< What stands for the value in help; empty for a switch.
  std::string_view range;
  std::string_view fallback;
  std::string_view help;  ///< What it does for the reader, in sentences; range and default follow it.
  /// Throws OptionError if the text is no legal value.
  void (*set)(FitOptions& options, const std::string& text);
  std::string (*get)(const FitOptions& options);
  bool shapes_model = true;     ///< Whether the value can change the model (and so belongs in its provenance).
  bool is_list = false;         ///< Whether it takes several values, separated by commas.
  bool is_everyday = false;     ///< Whether short help shows it.
  std::string_view group = {};  ///< What it steers, as a heading.
  std::vector<DeprecatedName> deprecated_names = {};
};

[[nodiscard]] std::span<const Parameter> fit_parameters();

/// The parameter with this name or deprecated name; nullptr if there is none.
[[nodiscard]] const Parameter* find_parameter(std::string_view name);

/// Warns that `old_name` is deprecated and names its replacement, both as the caller spells them.
[[nodiscard]] std::string deprecation_warning(std::string_view old_name, std::string_view removed_in,
                                              std::string_view new_name);

/// Values by the current names of their parameters, and one warning for each deprecated name.
struct NamedValues {
  std::map<std::string, std::string> values;
  std::vector<std::string> warnings;
};

/// Throws OptionError if a name is no parameter, or if a parameter is given by two names.
[[nodiscard]] NamedValues resolve_names(const std::map<std::string, std::string>& values);

/// Options meant for several methods as this one takes them: what it does not use is as it was left.
/// Throws OptionError if there is no such method.
[[nodiscard]] FitOptions options_for_method(FitOptions shared, const std::string& method);

}  // namespace shrimp

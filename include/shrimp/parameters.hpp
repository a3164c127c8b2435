// Table of the parameters of a fit: the source of command-line flags, Python parameters, the options page and the
// provenance in model files.
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
  std::string_view value;  ///< Placeholder of the value in help; empty for a switch.
  std::string_view range;
  std::string_view fallback;
  std::string_view help;  ///< Help sentences; range and default follow them.
  /// Throws OptionError if the text is not a legal value.
  void (*set)(FitOptions& options, const std::string& text);
  std::string (*get)(const FitOptions& options);
  bool shapes_model = true;     ///< Whether the value can change the model and is stored in it.
  bool is_list = false;         ///< Whether it accepts several values, separated by commas.
  bool is_everyday = false;     ///< Whether short help shows it.
  std::string_view group = {};  ///< Heading of its group in help.
  std::vector<DeprecatedName> deprecated_names = {};
  /// Name in Python; empty if it is `name` with underscores. Some names are those of scikit-learn: `random_state`,
  /// `n_jobs`, `alpha`. Switches have positive names. An attribute `transform` would mark a transformer in
  /// scikit-learn, so that parameter is called `input_transform`.
  std::string_view python_name = {};
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

/// Throws OptionError if a name is not a parameter, or if two names of one parameter are given.
[[nodiscard]] NamedValues resolve_names(const std::map<std::string, std::string>& values);

/// Options for one of several methods: those that it does not use are reset to their defaults. Throws OptionError if
/// there is no such method.
[[nodiscard]] FitOptions options_for_method(FitOptions shared, const std::string& method);

}  // namespace shrimp

// One table of the fit's parameters: command-line flags, Python arguments, the options page and the
// model file's provenance all come from it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "shrimp/fit.hpp"

namespace shrimp {

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
};

[[nodiscard]] std::span<const Parameter> fit_parameters();

/// Options meant for several methods as this one takes them: what it does not use is as it was left.
/// Throws OptionError if there is no such method.
[[nodiscard]] FitOptions options_for_method(FitOptions shared, const std::string& method);

}  // namespace shrimp

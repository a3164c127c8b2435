// Parameters of a fit from a TOML file.
#pragma once

#include <string>

#include "shrimp/parameters.hpp"

namespace shrimp::cli {

/// Values as flags would have them, by parameter, and warnings about deprecated names. `source` names the file in
/// messages. Throws OptionError if the text is not TOML, sets something that is no parameter, or sets a parameter by
/// two names.
NamedValues parse_config(const std::string& text, const std::string& source);

/// The values in a file; no values if the path is empty.
NamedValues read_config(const std::string& path);

}  // namespace shrimp::cli

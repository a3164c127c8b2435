// Parameters of a fit from a TOML file.
#pragma once

#include <map>
#include <string>

namespace shrimp::cli {

/// Texts as flags would have them, by parameter. `source` names the file in messages. Throws OptionError where the text
/// is no TOML or sets what is no parameter.
std::map<std::string, std::string> parse_config(const std::string& text, const std::string& source);

/// Of a file; of none where the path is empty.
std::map<std::string, std::string> read_config(const std::string& path);

}  // namespace shrimp::cli

// Text for a terminal.
#pragma once

#include <cstddef>
#include <string>

namespace shrimp::cli {

/// Lines of words, at most 80 columns wide; those after the first start with `indent` spaces, and the first has `used`
/// columns already.
std::string wrap(const std::string& text, std::size_t indent, std::size_t used);

/// Columns on a terminal: UTF-8 characters, not bytes.
std::size_t display_width(const std::string& text);

}  // namespace shrimp::cli

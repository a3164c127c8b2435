// Text for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shrimp::cli {

/// Lines of words, at most 80 columns wide; those after the first start with `indent` spaces, and the first has `used`
/// columns already.
std::string wrap(const std::string& text, std::size_t indent, std::size_t used);

/// Columns on a terminal: UTF-8 characters, not bytes.
std::size_t display_width(const std::string& text);

/// Control characters other than line ends and tabs as \x1b is: a terminal would obey them.
std::string printable(std::string_view text);

}  // namespace shrimp::cli

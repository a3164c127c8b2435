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

/// Characters that a terminal would obey or hide are written as \x1b or \u202e; so are bytes that are not UTF-8.
std::string printable(std::string_view text);

}  // namespace shrimp::cli

// Text in UTF-8, character by character.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace shrimp {

/// The character whose bytes start at `position`, which moves behind them; nothing where they are no UTF-8.
std::optional<char32_t> next_character(std::string_view text, std::size_t& position);

bool is_utf8(std::string_view text);

/// Whether a terminal would obey a character or hide it instead of showing it: control characters, line separators,
/// marks that turn the direction of text (U+202E among them) and characters without width. Joiners, which scripts and
/// emoji need, and line feeds and tabs are none of these.
bool is_hidden(char32_t character);

std::string latin1_to_utf8(std::string_view text);

}  // namespace shrimp

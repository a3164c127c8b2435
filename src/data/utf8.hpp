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

std::string latin1_to_utf8(std::string_view text);

}  // namespace shrimp

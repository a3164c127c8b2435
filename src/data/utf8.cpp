#include "data/utf8.hpp"

namespace shrimp {

std::optional<char32_t> next_character(std::string_view text, std::size_t& position) {
  const auto lead = static_cast<unsigned char>(text[position]);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  if (length == 0 || position + length > text.size()) return std::nullopt;
  char32_t character = length == 1 ? lead : lead & (0x7FU >> length);
  for (std::size_t k = 1; k < length; ++k) {
    const auto byte = static_cast<unsigned char>(text[position + k]);
    if ((byte & 0xC0) != 0x80) return std::nullopt;
    character = character << 6 | (byte & 0x3FU);
  }
  const bool overlong = (length == 3 && character < 0x800) || (length == 4 && character < 0x10000);
  const bool surrogate = character >= 0xD800 && character < 0xE000;
  if (overlong || surrogate || character > 0x10FFFF) return std::nullopt;
  position += length;
  return character;
}

bool is_utf8(std::string_view text) {
  std::size_t position = 0;
  while (position < text.size()) {
    if (!next_character(text, position)) return false;
  }
  return true;
}

bool is_hidden(char32_t c) {
  const auto within = [c](char32_t first, char32_t last) { return first <= c && c <= last; };
  if (c == U'\n' || c == U'\t') return false;
  return c < 0x20 || within(0x7F, 0x9F) || c == 0x061C || c == 0x180E || c == 0x200B || within(0x200E, 0x200F) ||
         within(0x2028, 0x202E) || within(0x2060, 0x206F) || c == 0xFEFF || within(0xFFF9, 0xFFFB) ||
         within(0xE0000, 0xE007F);
}

std::string latin1_to_utf8(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      result += c;
    } else {
      result += static_cast<char>(0xC0 | (byte >> 6));
      result += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return result;
}

}  // namespace shrimp

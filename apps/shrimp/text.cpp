#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <sstream>

#include "data/utf8.hpp"

namespace shrimp::cli {

std::string wrap(const std::string& text, std::size_t indent, std::size_t used) {
  constexpr std::size_t page_width = 80;
  std::istringstream words(text);
  std::string result;
  bool first = true;
  for (std::string word; words >> word; first = false) {
    const std::size_t width = display_width(word);
    if (!first && used + 1 + width > page_width) {
      result += "\n" + std::string(indent, ' ');
      used = indent;
    } else if (!first) {
      result += ' ';
      ++used;
    }
    result += word;
    used += width;
  }
  return result;
}

std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const std::optional<char32_t> character = next_character(text, at);
    if (!character) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at++]));
    } else if (is_hidden(*character)) {
      const auto number = static_cast<std::uint32_t>(*character);
      result += number <= 0xFF ? fmt::format("\\x{:02x}", number) : fmt::format("\\u{:04x}", number);
    } else {
      result += text.substr(begin, at - begin);
    }
  }
  return result;
}

}  // namespace shrimp::cli

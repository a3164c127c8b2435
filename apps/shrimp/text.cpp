#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

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
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    // The controls of Latin-1, U+0080 to U+009F, are two bytes in UTF-8.
    const bool two = byte == 0xC2 && k + 1 < text.size() && (static_cast<unsigned char>(text[k + 1]) & 0xE0) == 0x80;
    if (two) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++k]));
    } else if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += text[k];
    }
  }
  return result;
}

}  // namespace shrimp::cli

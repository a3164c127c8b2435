#include "text.hpp"

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

}  // namespace shrimp::cli

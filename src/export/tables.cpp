#include "export/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "export/words.hpp"

namespace shrimp {

std::string number_lines(std::span<const double> values) {
  constexpr std::size_t width = 110;
  std::string text;
  std::size_t used = width;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::string number = exact_number(values[k]) + (k + 1 < values.size() ? "," : "");
    const bool breaks = used + 1 + number.size() > width;
    text += (breaks ? "\n  " : " ") + number;
    used = breaks ? 2 + number.size() : used + 1 + number.size();
  }
  return text + "\n";
}

std::string row_text(std::span<const double> values, const char* open, const char* close) {
  std::vector<std::string> texts(values.size());
  std::ranges::transform(values, texts.begin(), exact_number);
  return fmt::format("  {}{}{},\n", open, fmt::join(texts, ", "), close);
}

std::string row_text(std::span<const std::uint32_t> values, const char* open, const char* close) {
  return fmt::format("  {}{}{},\n", open, fmt::join(values, ", "), close);
}

}  // namespace shrimp

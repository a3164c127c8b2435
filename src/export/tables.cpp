#include "export/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "export/words.hpp"

namespace shrimp {
namespace {

template <typename Number>
std::string rows_of(std::span<const Number> texts, std::size_t columns, const char* brackets) {
  std::vector<std::string> rows;
  for (std::size_t k = 0; k < texts.size(); k += columns) {
    rows.push_back(fmt::format("{}{}{}", brackets[0], fmt::join(texts.subspan(k, columns), ", "), brackets[1]));
  }
  return item_lines(rows);
}

std::vector<std::string> exact_numbers(std::span<const double> values) {
  std::vector<std::string> texts(values.size());
  std::ranges::transform(values, texts.begin(), exact_number);
  return texts;
}

}  // namespace

std::string item_lines(std::span<const std::string> items) {
  constexpr std::size_t width = 110;
  std::string text;
  std::size_t used = width;
  for (std::size_t k = 0; k < items.size(); ++k) {
    const std::size_t size = items[k].size() + 1;
    const bool breaks = used + 1 + size > width;
    text += (breaks ? "\n  " : " ") + items[k] + (k + 1 < items.size() ? "," : "");
    used = breaks ? 2 + size : used + 1 + size;
  }
  return text + "\n";
}

std::string number_lines(std::span<const double> values) { return item_lines(exact_numbers(values)); }

std::string matrix_lines(std::span<const double> values, std::size_t columns, const char* brackets) {
  return rows_of(std::span<const std::string>(exact_numbers(values)), columns, brackets);
}

std::string matrix_lines(std::span<const std::uint32_t> values, std::size_t columns, const char* brackets) {
  return rows_of(values, columns, brackets);
}

}  // namespace shrimp

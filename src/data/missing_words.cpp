#include "data/missing_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "data/csv_dialect.hpp"

namespace shrimp {

MissingWords::MissingWords(const std::vector<std::string>& words, char decimal) : words_(words) {
  for (const std::string& word : words) {
    double number = 0.0;
    if (parse_number(word, decimal, number) || parse_number(word, '.', number)) numbers_.push_back(number);
  }
}

bool MissingWords::has(std::string_view cell) const {
  constexpr std::array<std::string_view, 5> usual = {"", "na", "nan", "null", "?"};
  constexpr std::size_t longest = 4;
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  const auto is_cell = [&](std::string_view word) { return std::ranges::equal(cell, word, same); };
  if (cell.size() <= longest && std::ranges::any_of(usual, is_cell)) return true;
  return std::ranges::find(words_, cell) != words_.end();
}

bool MissingWords::has(double number) const { return std::ranges::find(numbers_, number) != numbers_.end(); }

}  // namespace shrimp

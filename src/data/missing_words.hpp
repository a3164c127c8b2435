// What stands for a missing cell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shrimp {

/// Nothing, NA, NaN, null and ?, in any case, and what a caller names. What a caller names as a number is missing
/// however the number is written.
class MissingWords {
 public:
  MissingWords() = default;
  MissingWords(const std::vector<std::string>& words, char decimal);

  /// Whether a cell, trimmed and without quotes, is missing.
  [[nodiscard]] bool has(std::string_view cell) const;
  /// Whether a number is one that stands for a missing cell.
  [[nodiscard]] bool has(double number) const;
  [[nodiscard]] bool any_numbers() const { return !numbers_.empty(); }

 private:
  std::vector<std::string> words_;
  std::vector<double> numbers_;
};

}  // namespace shrimp

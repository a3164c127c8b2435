// The few elements that sections of a page are made of. What is called text is escaped, what is called markup is not.
#pragma once

#include <string>
#include <vector>

namespace shrimp::report {

[[nodiscard]] std::string section(const char* id, const char* title, const std::string& markup);
[[nodiscard]] std::string paragraph(const std::string& text, const char* css_class = "");
[[nodiscard]] std::string code_block(const std::string& text);
/// Shown when a reader opens it.
[[nodiscard]] std::string folded(const std::string& text, const std::string& markup);

struct Cell {
  std::string markup;
  const char* css_class = "";
};

/// Cells are columns of the header in their order.
[[nodiscard]] std::string table(const std::vector<Cell>& header, const std::vector<std::vector<Cell>>& rows,
                                const char* css_class = "");

/// A number in large print above the words that explain it.
[[nodiscard]] std::string fact(const std::string& number, const std::string& words);

/// A bar as long as this share of the cell, and a line over it from low to high, where high is not below.
[[nodiscard]] std::string bar(double share, double low = 0.0, double high = -1.0, const char* css_class = "");

}  // namespace shrimp::report

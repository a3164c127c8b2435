// Tables of numbers in the text of a program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace shrimp {

/// With commas between them, in lines of bearable length.
[[nodiscard]] std::string item_lines(std::span<const std::string> items);

/// Exact numbers with commas between them, in lines of bearable length.
[[nodiscard]] std::string number_lines(std::span<const double> values);

/// Rows of a matrix, each between the two brackets, in the same way.
[[nodiscard]] std::string matrix_lines(std::span<const double> values, std::size_t columns, const char* brackets);
[[nodiscard]] std::string matrix_lines(std::span<const std::uint32_t> values, std::size_t columns,
                                       const char* brackets);

}  // namespace shrimp

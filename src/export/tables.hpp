// Tables of numbers in the text of a program.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace shrimp {

/// Numbers with commas between them, in lines of bearable length, each of them exact.
[[nodiscard]] std::string number_lines(std::span<const double> values);

/// One row of a matrix in a line of its own: "  {1.0, 2.0},\n".
[[nodiscard]] std::string row_text(std::span<const double> values, const char* open, const char* close);
[[nodiscard]] std::string row_text(std::span<const std::uint32_t> values, const char* open, const char* close);

}  // namespace shrimp

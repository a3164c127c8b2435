#include "data/bad_cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/csv_dialect.hpp"

namespace shrimp {

std::string shortened(std::string_view cell) {
  constexpr std::size_t most = 40;  // Bytes. Chosen by hand.
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  std::size_t end = std::min(cell.find_first_of("\r\n"), std::min(most, cell.size()));
  while (end > 0 && end < cell.size() && continues(cell[end])) --end;
  return end == cell.size() ? std::string(cell) : std::string(cell.substr(0, end)) + "…";
}

std::string complaint_about_cell(std::string_view cell, char decimal, const std::string& place,
                                 const std::string& leave_out) {
  double value = 0.0;
  if (cell.empty()) {
    return fmt::format("{}: the cell is empty.\nFill it, drop the row, or ignore the column{}.", place, leave_out);
  }
  if (!parse_number(cell, decimal, value)) {
    return fmt::format("{}: \"{}\" is not a number.\nGive numeric columns only, or ignore this one{}.", place,
                       shortened(cell), leave_out);
  }
  if (!std::isfinite(value)) {
    return fmt::format("{}: \"{}\" is not a finite number.\nDrop the row, or ignore the column{}.", place,
                       shortened(cell), leave_out);
  }
  return "";
}

std::string complaint_about_levels(std::size_t most, const std::string& place, const std::string& leave_out) {
  return fmt::format("{}: it has more than {} different texts, which is too many for a category.\nIgnore it{}.", place,
                     most, leave_out);
}

}  // namespace shrimp

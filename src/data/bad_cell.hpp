// What is said of a cell that is no finite number: the same words for files and for arrays.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shrimp {

/// What is wrong with the text of a cell, and the way out; "" if it is a finite number. `place` says where it is, and
/// `leave_out` how its column is left out, as in " with --ignore x3".
[[nodiscard]] std::string complaint_about_cell(std::string_view cell, char decimal, const std::string& place,
                                               const std::string& leave_out);

/// What is said of a category of more levels than `most`.
[[nodiscard]] std::string complaint_about_levels(std::size_t most, const std::string& place,
                                                 const std::string& leave_out);

/// A long cell is cut short, and so is one of several lines.
[[nodiscard]] std::string shortened(std::string_view cell);

}  // namespace shrimp

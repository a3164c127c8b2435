// Answers of a table's parts, as bytes and as what they mean.
#pragma once

#include <string>
#include <string_view>

#include "data/long_table.hpp"
#include "ridge/normal_equations.hpp"

namespace shrimp {

std::string to_bytes(const DrawnRows& drawn);
std::string to_bytes(const NormalEquations& sums);

/// Throw DataError where the bytes are no such answer.
DrawnRows drawn_from_bytes(std::string_view bytes);
NormalEquations sums_from_bytes(std::string_view bytes);

}  // namespace shrimp

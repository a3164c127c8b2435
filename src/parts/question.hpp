// What a fit asks of every part of a table.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/encode.hpp"
#include "data/long_table.hpp"
#include "shrimp/features.hpp"
#include "shrimp/scaling.hpp"

namespace shrimp {

/// The rows of the least random numbers, and ranges of all.
struct DrawQuestion {
  LongTableOptions options;
  std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();  ///< No row of a larger number.
};

/// Sums of a constant and of these columns, times their scales.
struct SumQuestion {
  Scaling scaling;
  double weight_unit = 1.0;
  Dictionary dictionary;
  std::vector<double> scales;
};

/// One of the two.
struct Question {
  std::optional<InputPlan> plan;  ///< How inputs are made of the table's columns; none: they are these.
  std::optional<DrawQuestion> draw;
  std::optional<SumQuestion> sum;
};

std::string to_bytes(const Question& question);

/// Throws DataError where they come from another version of the library.
Question question_from_bytes(std::string_view bytes);

}  // namespace shrimp

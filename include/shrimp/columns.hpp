// How columns of a table are understood, and how the inputs of a model are made of them.
#pragma once

#include <string>
#include <vector>

namespace shrimp {

enum class ColumnKind {
  number,
  category,  ///< Codes 0, 1, … of named levels.
  date,      ///< Days since 1970-01-01, with the time of day as a fraction.
};

/// What is known of one column of a table, or of one input of a model. Cells that are missing are NaN.
struct InputColumn {
  /// What an input takes from its column.
  enum class Part {
    value,        ///< The cell itself.
    missing,      ///< 1 where the cell is missing, else 0.
    day_of_week,  ///< Of a date: a category, Monday first.
    day_of_year,  ///< Of a date: 1 … 366.
  };
  ColumnKind kind = ColumnKind::number;
  Part part = Part::value;
  std::string column = {};               ///< The table's; "": that of the input's own name.
  std::vector<std::string> levels = {};  ///< Of a category, by their codes.
  /// Of an input: levels of few rows, which share the last code.
  std::vector<std::string> pooled = {};
  bool date_parts = false;  ///< Of a table's date: whether it makes inputs for the day of week and of year, too.

  [[nodiscard]] bool is_category() const { return kind == ColumnKind::category; }
};

/// The level that levels of few rows share, and that of missing cells.
inline constexpr const char* pooled_level = "(other)";
inline constexpr const char* missing_level = "(missing)";

}  // namespace shrimp

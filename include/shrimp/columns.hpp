// Types of table columns, and how the inputs of a model are derived from them.
#pragma once

#include <string>
#include <vector>

namespace shrimp {

enum class ColumnKind {
  number,
  category,  ///< Codes 0, 1, … of named levels.
  date,      ///< Days since 1970-01-01, with the time of day as a fraction.
};

/// Type of a table column, or derivation of a model input. Missing cells are NaN.
struct InputColumn {
  /// Quantity that an input derives from its column.
  enum class Part {
    value,        ///< Value of the cell.
    missing,      ///< Indicator: 1 if the cell is missing, else 0.
    day_of_week,  ///< Day of the week of a date, as a category with Monday first.
    day_of_year,  ///< Day of the year of a date, 1 … 366.
  };
  ColumnKind kind = ColumnKind::number;
  Part part = Part::value;
  std::string column = {};               ///< Name of the table column; empty means the name of the input.
  std::vector<std::string> levels = {};  ///< Levels of a category; the code of a level is its index.
  /// Rare levels of an input, which share the last code.
  std::vector<std::string> pooled = {};
  bool date_parts = false;  ///< Date columns of a table: also derive day of the week and day of the year.

  [[nodiscard]] bool is_category() const { return kind == ColumnKind::category; }
};

/// Names of the level that replaces rare levels, and of the level of missing cells.
inline constexpr const char* pooled_level = "(other)";
inline constexpr const char* missing_level = "(missing)";

}  // namespace shrimp

// Cells of a table as numbers, in SQL: text as codes of levels, dates as days.
#pragma once

#include <string>

#include "export/plan.hpp"

namespace shrimp {

/// `column` as a number, NULL where it is: a double, the code of a level or NULL for one that the model has not seen,
/// or days since 1970-01-01. Names that begin with `prefix` are free to be used in it.
[[nodiscard]] std::string sql_number_of(const PlanSource& source, const std::string& column, const std::string& prefix);

/// True unless the column holds what is no number or no date: comparisons would take it for some number.
[[nodiscard]] std::string sql_test_of(const PlanSource& source, const std::string& column);

/// Of days since 1970-01-01: 0 for Monday; 1 for January 1.
[[nodiscard]] std::string sql_day_of_week(const std::string& days);
[[nodiscard]] std::string sql_day_of_year(const std::string& days, const std::string& prefix);

}  // namespace shrimp

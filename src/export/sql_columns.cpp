#include "export/sql_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <utility>
#include <vector>

#include "export/words.hpp"

namespace shrimp {
namespace {

constexpr const char* number_type = "DOUBLE PRECISION";

// What is made of a value's name; an expression that needs it twice would have to be written twice.
std::string with_names(const std::vector<std::pair<std::string, std::string>>& values, const std::string& table,
                       const std::string& expression) {
  std::vector<std::string> list;
  for (const auto& [name, value] : values) list.push_back(fmt::format("{} AS {}", value, name));
  return fmt::format("(SELECT {} FROM (SELECT {}) AS {})", expression, fmt::join(list, ", "), table);
}

// Without the spaces around it, as the program reads a cell.
std::string text_of(const std::string& column) { return fmt::format("trim(CAST({} AS TEXT))", column); }

std::string missing_test(const std::string& column) {
  return fmt::format("lower({}) IN ('', 'na', 'nan', 'null', '?')", text_of(column));
}

// A database may have numbers as text; SQLite takes any text that is none for 0.
std::string number(const std::string& column) {
  return fmt::format("CASE WHEN {} THEN NULL ELSE CAST({} AS {}) END", missing_test(column), column, number_type);
}

// Whole numbers are written with and without a point, as databases keep them.
void add_spellings(const std::string& level, std::vector<std::string>& texts) {
  texts.push_back(sql_text(level));
  const bool negative = level.starts_with('-');
  const std::string_view digits = std::string_view(level).substr(negative ? 1 : 0);
  if (!digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos) {
    texts.push_back(sql_text(level + ".0"));
  }
}

bool has_outer_space(const std::string& level) {
  return !level.empty() && (level.front() == ' ' || level.back() == ' ');
}

std::string code(const PlanSource& source, const std::string& column) {
  std::map<std::pair<bool, std::uint32_t>, std::vector<std::string>> names;  // Levels with outer spaces first.
  for (const auto& [level, own] : source.codes) add_spellings(level, names[{!has_outer_space(level), own}]);
  std::string cases;
  for (const auto& [key, levels] : names) {
    const std::string text = key.first ? text_of(column) : fmt::format("CAST({} AS TEXT)", column);
    cases += fmt::format(" WHEN {} IN ({}) THEN {}", text, fmt::join(levels, ", "), sql_number(key.second));
  }
  if (source.missing_code) {
    cases +=
        fmt::format(" WHEN {} IS NULL OR {} THEN {}", column, missing_test(column), sql_number(*source.missing_code));
  }
  return fmt::format("CASE{} END", cases);
}

std::string part_of(const std::string& text, int first, int length) {
  return fmt::format("CAST(substr({}, {}, {}) AS {})", text, first, length, number_type);
}

// Years begin in March, so that the day that leap years have more is their last. A time may follow the date.
std::string days(const std::string& column, const std::string& prefix) {
  const std::string text = prefix + "t\"";
  const std::string y = prefix + "y\"";
  const std::string m = prefix + "m\"";
  const std::string time = fmt::format(
      "(CASE WHEN length({0}) >= 16 THEN {1} * 3600e0 + {2} * 60e0 ELSE 0e0 END"
      " + CASE WHEN length({0}) >= 19 THEN CAST(replace(substr({0}, 18), 'Z', '') AS {3}) ELSE 0e0 END) / 86400e0",
      text, part_of(text, 12, 2), part_of(text, 15, 2), number_type);
  const std::string day = fmt::format(
      "365e0 * {0} + floor({0} / 4e0) - floor({0} / 100e0) + floor({0} / 400e0) + floor((153e0 * {1} + 2e0) / 5e0)"
      " + {2} - 719469e0 + {3}",
      y, m, part_of(text, 9, 2), time);
  const std::string year = part_of(text, 1, 4);
  const std::string month = part_of(text, 6, 2);
  const std::string inner = with_names({{y, fmt::format("{} - CASE WHEN {} > 2e0 THEN 0e0 ELSE 1e0 END", year, month)},
                                        {m, fmt::format("{0} + CASE WHEN {0} > 2e0 THEN -3e0 ELSE 9e0 END", month)}},
                                       prefix + "d\"", day);
  // Parts of what is no date would be no numbers, which some databases refuse wherever they stand.
  const std::string date = fmt::format("CASE WHEN {0} LIKE '____-__-__%' THEN {0} END", text_of(column));
  return with_names({{text, date}}, prefix + "c\"", inner);
}

}  // namespace

std::string sql_number_of(const PlanSource& source, const std::string& column, const std::string& prefix) {
  if (source.is_category()) return code(source, column);
  if (source.kind == ColumnKind::date) return days(column, prefix);
  if (source.only_missing)
    return fmt::format("CASE WHEN {0} IS NULL OR {1} THEN NULL ELSE 0e0 END", column, missing_test(column));
  return number(column);
}

std::string sql_test_of(const PlanSource& source, const std::string& column) {
  if (source.is_category() || source.only_missing) return "";
  if (source.kind == ColumnKind::date) {
    return fmt::format("({} IS NULL OR {} OR {} LIKE '____-__-__%')", column, missing_test(column), text_of(column));
  }
  return fmt::format("({0} IS NULL OR {1} OR {2} - {2} = 0)", column, missing_test(column), number(column));
}

std::string sql_day_of_week(const std::string& days) {
  return fmt::format("(floor({0}) + 3e0 - 7e0 * floor((floor({0}) + 3e0) / 7e0))", days);
}

// The calendar repeats after 400 years, of 146097 days.
std::string sql_day_of_year(const std::string& days, const std::string& prefix) {
  const std::string since = fmt::format("(floor({}) + 719468e0)", days);
  const std::string day = prefix + "n\"";
  const std::string year = prefix + "k\"";
  const std::string march = prefix + "f\"";
  const auto begun = [&](int every) {
    return fmt::format("floor({0} / {1}e0) - floor(({0} - 1e0) / {1}e0)", year, every);
  };
  const std::string result =
      fmt::format("CASE WHEN {0} >= 306e0 THEN {0} - 305e0 ELSE {0} + 60e0 + {1} - ({2}) + {3} END", march, begun(4),
                  begun(100), begun(400));
  const std::string from_march =
      with_names({{march, fmt::format("{0} - (365e0 * {1} + floor({1} / 4e0) - floor({1} / 100e0))", day, year)}},
                 prefix + "g\"", result);
  const std::string in_year = with_names(
      {{year,
        fmt::format("floor(({0} - floor({0} / 1460e0) + floor({0} / 36524e0) - floor({0} / 146096e0)) / 365e0)", day)}},
      prefix + "h\"", from_march);
  return with_names({{day, fmt::format("{0} - 146097e0 * floor({0} / 146097e0)", since)}}, prefix + "i\"", in_year);
}

}  // namespace shrimp

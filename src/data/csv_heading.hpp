// What the first lines of a CSV text tell: its dialect, the names of its columns, and which of them are read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv_dialect.hpp"
#include "shrimp/table.hpp"

namespace shrimp {

struct CsvLayout {
  CsvDialect dialect;
  std::vector<std::string> names;          ///< Of every column in the file.
  std::vector<std::ptrdiff_t> slot = {};   ///< Column of the result, or −1 where the file's column is ignored.
  std::size_t kept = 0;                    ///< Columns of the result.
  std::optional<std::size_t> labels = {};  ///< Which of the file's columns may hold any text.
};

struct CsvHeading {
  CsvLayout layout;
  Table table;           ///< Names and warnings; no rows.
  std::size_t size = 0;  ///< Bytes before the first row.
  std::size_t line = 1;  ///< The line that the first row, or a blank line before it, is in.
};

/// So many records tell it all, where there are as many.
inline constexpr std::size_t records_of_heading = 10;

/// Throws DataError and OptionError as parse_csv does.
CsvHeading read_heading(std::string_view text, const std::string& source, const CsvOptions& options);

/// Throws DataError if bytes show that they are no text, or text of a kind that is not read. `first`: whether they are
/// the first of the text.
void check_encoding(std::string_view bytes, bool first, const std::string& source);

[[noreturn]] void refuse_open_quote(const std::string& source, std::size_t line);
[[noreturn]] void refuse_empty(const std::string& source);
[[noreturn]] void refuse_without_rows(const std::string& source);

}  // namespace shrimp

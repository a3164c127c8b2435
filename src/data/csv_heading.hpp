// What the first lines of a CSV text tell: its dialect, the names of its columns, and which of them are read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv_dialect.hpp"
#include "data/missing_words.hpp"
#include "shrimp/table.hpp"

namespace shrimp {

/// How the cells of a column are read.
enum class CellKind {
  number,
  text,      ///< Not a number.
  presence,  ///< Only whether it is missing: then NaN, otherwise 0.
  any,       ///< Text, or a number, which is the same label however it is written.
  date,
};

struct CsvLayout {
  CsvDialect dialect;
  std::vector<std::string> names;          ///< Of every column in the file.
  std::vector<std::ptrdiff_t> slot = {};   ///< Column of the result, or −1 where the file's column is ignored.
  std::size_t kept = 0;                    ///< Columns of the result.
  std::vector<CellKind> cells = {};        ///< Of every column in the file.
  std::vector<bool> may_be_missing = {};   ///< Of every column in the file: whether there are words for that, …
  std::vector<bool> is_required = {};      ///< … and whether they are refused.
  std::vector<bool> must_be_numbers = {};  ///< Of every column in the file: target of a regression, weights, exposure.
  MissingWords missing = {};
  std::size_t most_levels = 0;  ///< A column of more is no category.
  bool for_a_model = false;  ///< Whether others said what the columns are: all are numbers or dates that are not named.
  bool only_numbers = true;  ///< Whether every column of the result is read as numbers.
};

struct CsvHeading {
  CsvLayout layout;
  Table table;           ///< Names and warnings; no rows.
  std::size_t size = 0;  ///< Bytes before the first row.
  std::size_t line = 1;  ///< The line that the first row, or a blank line before it, is in.
};

/// So many records tell it all, where there are as many; kinds of columns whose first cells are missing, more.
inline constexpr std::size_t records_of_heading = 10;
inline constexpr std::size_t records_for_kinds = 1000;

/// Throws DataError and OptionError as parse_csv does. The text has no byte-order mark and begins with its first
/// record.
CsvHeading read_heading(std::string_view text, const CsvDialect& dialect, const std::string& source,
                        const CsvOptions& options);

/// 0 where there is none.
std::size_t size_of_byte_order_mark(std::string_view text);

/// Throws DataError if bytes show that they are no text, or text of a kind that is not read. `first`: whether they are
/// the first of the text.
void check_encoding(std::string_view bytes, bool first, const std::string& source);

/// Throws DataError where a quote of the record is not closed, or its cells are not well formed.
void refuse_malformed(const CsvRecord& record, char delimiter, const std::string& source);
[[noreturn]] void refuse_open_quote(const std::string& source, std::size_t line);
[[noreturn]] void refuse_empty(const std::string& source);
[[noreturn]] void refuse_without_rows(const std::string& source);

}  // namespace shrimp

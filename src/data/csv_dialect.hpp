// What kind of delimited text this is: found by looking at its first lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace shrimp {

struct CsvDialect {
  char delimiter = ',';  ///< ' ' stands for any run of spaces and tabs.
  char decimal = '.';
};

/// A half-open piece of the text, and where it starts.
struct CsvRecord {
  std::string_view text;  ///< Without its line end.
  std::size_t line = 0;   ///< From 1.
};

/// Walks over the records of a text: lines, but for line ends inside quotes where `quotes` is set.
/// Blank lines are passed over.
class CsvRecords {
 public:
  CsvRecords(std::string_view text, bool quotes, std::size_t first_line = 1)
      : text_(text), line_(first_line), quotes_(quotes) {}

  /// False at the end. An unclosed quote makes the last record run to the end of the text.
  bool next(CsvRecord& record);
  [[nodiscard]] std::string_view rest() const { return text_; }
  [[nodiscard]] std::size_t line() const { return line_; }

 private:
  std::string_view text_;
  std::size_t line_;
  bool quotes_;
};

/// How many bytes of a text that goes on are whole records, line ends and all.
std::size_t size_of_whole_records(std::string_view text);

/// The cells of a record, trimmed and unquoted.
std::vector<std::string> split_cells(std::string_view record, char delimiter);

/// How many split_cells would give, without making them.
std::size_t count_cells(std::string_view record, char delimiter);

/// Takes one cell off the front of `rest` (and its delimiter), trimmed but still quoted.
/// `more` tells whether a delimiter followed.
std::string_view take_cell(std::string_view& rest, char delimiter, bool& more);

/// "a ""b""" → a "b"; text without quotes around it stays.
std::string unquote(std::string_view cell);

/// The number a cell holds, in whole. False if it is none.
bool parse_number(std::string_view cell, char decimal, double& value);

/// 1 for true or yes, 0 for false or no, in any case. False if the cell is none of these words.
bool parse_boolean(std::string_view cell, double& value);

CsvDialect detect_dialect(std::string_view text);

}  // namespace shrimp

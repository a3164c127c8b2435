// What kind of delimited text this is: found by looking at its first lines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shrimp {

struct CsvDialect {
  char delimiter = ',';  ///< ' ' stands for any run of spaces and tabs.
  char decimal = '.';
};

/// One row of cells as text, and where it starts.
struct CsvRecord {
  std::string_view text;    ///< Without its line end.
  std::size_t line = 0;     ///< From 1.
  std::size_t lines = 1;    ///< More where a quoted cell contains line ends.
  bool open_quote = false;  ///< Whether a quoted cell is not closed before the end of the text.
};

/// Walks over the records of a text: lines, except for line ends inside quoted cells. A quote opens a quoted cell only
/// as the first character of the cell (RFC 4180), apart from spaces. Blank lines are passed over.
class CsvRecords {
 public:
  CsvRecords(std::string_view text, char delimiter, std::size_t first_line = 1)
      : text_(text), line_(first_line), delimiter_(delimiter) {}

  /// False at the end. An open quote makes the last record run to the end of the text.
  bool next(CsvRecord& record);
  [[nodiscard]] std::string_view rest() const { return text_; }
  [[nodiscard]] std::size_t line() const { return line_; }

 private:
  std::string_view text_;
  std::size_t line_;
  char delimiter_;
};

/// Number of bytes in the whole records of a text that continues, line ends included.
std::size_t size_of_whole_records(std::string_view text, char delimiter);

/// The cells of a record, trimmed and unquoted.
std::vector<std::string> split_cells(std::string_view record, char delimiter);

/// The number of cells that split_cells returns, without copying them.
std::size_t count_cells(std::string_view record, char delimiter);

/// Takes one cell off the front of `rest` (and its delimiter), trimmed but still quoted.
/// `more`: whether a delimiter followed.
std::string_view take_cell(std::string_view& rest, char delimiter, bool& more);

/// Whether the quotes of a cell from take_cell enclose all of its text, and no carriage return stands outside of
/// quotes.
bool is_well_formed(std::string_view cell);

/// "a ""b""" → a "b"; text without quotes around it stays.
std::string unquote(std::string_view cell);

/// The number a cell holds, in whole. False if it is none.
bool parse_number(std::string_view cell, char decimal, double& value);

/// 1 for true or yes, 0 for false or no, in any case. False if the cell is none of these words.
bool parse_boolean(std::string_view cell, double& value);

/// Whether a cell is an integer with more digits than a double keeps.
bool loses_digits(std::string_view cell, double value);

/// The dialect of a text by its first records. `complete`: whether no more text follows; where more text is needed, the
/// result is empty.
std::optional<CsvDialect> detect_dialect(std::string_view text, bool complete = true);

}  // namespace shrimp

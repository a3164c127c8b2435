#include "data/csv_dialect.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace shrimp {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// A line of tabs is a row of empty cells where tabs delimit them.
bool is_blank_line(std::string_view line, char delimiter) {
  return std::ranges::all_of(line, [&](char c) { return c == ' ' || (c == '\t' && delimiter != '\t'); });
}

// The end of the line (or of the text) that starts at `from`.
std::size_t line_end(std::string_view text, std::size_t from) { return std::min(text.find('\n', from), text.size()); }

// Whether a quote that stands outside of quoted cells is the first character of its cell. Spaces before it are skipped.
bool opens_cell(std::string_view text, std::size_t quote, char delimiter) {
  std::size_t begin = quote;
  while (begin > 0 && text[begin - 1] == ' ') --begin;
  if (begin == 0) return true;
  const char before = text[begin - 1];
  const bool after_spaces = delimiter == ' ' && (begin < quote || is_blank(before));
  return before == '\n' || before == delimiter || after_spaces;
}

// The quote that closes a cell whose text begins at `from`; two quotes in a row are one of the text.
std::size_t closing_quote(std::string_view text, std::size_t from) {
  std::size_t quote = text.find('"', from);
  while (quote != std::string_view::npos && quote + 1 < text.size() && text[quote + 1] == '"') {
    quote = text.find('"', quote + 2);
  }
  return quote;
}

}  // namespace

bool CsvRecords::next(CsvRecord& record) {
  while (!text_.empty()) {
    std::size_t end = line_end(text_, 0);
    record.line = line_;
    record.lines = 1;
    record.open_quote = false;
    for (std::size_t quote = text_.substr(0, end).find('"'); quote != std::string_view::npos;) {
      std::size_t next = quote + 1;
      if (opens_cell(text_, quote, delimiter_)) {
        const std::size_t closed = closing_quote(text_, next);
        record.open_quote = closed == std::string_view::npos;
        next = record.open_quote ? text_.size() : closed + 1;
        record.lines += static_cast<std::size_t>(std::ranges::count(text_.substr(quote, next - quote), '\n'));
        if (next > end) end = line_end(text_, next);
      }
      quote = text_.substr(0, end).find('"', next);
    }
    record.text = text_.substr(0, end);
    line_ += record.lines;
    text_.remove_prefix(std::min(end + 1, text_.size()));
    while (!record.text.empty() && record.text.back() == '\r') record.text.remove_suffix(1);
    if (!is_blank_line(record.text, delimiter_)) return true;
  }
  return false;
}

std::size_t size_of_whole_records(std::string_view text, char delimiter) {
  std::size_t whole = 0;
  std::size_t begin = 0;  // Of the text after the last quoted cell.
  while (true) {
    const std::size_t quote = text.find('"', begin);
    const std::size_t newline = text.substr(begin, quote - begin).rfind('\n');
    if (newline != std::string_view::npos) whole = begin + newline + 1;
    if (quote == std::string_view::npos) return whole;
    begin = quote + 1;
    if (!opens_cell(text, quote, delimiter)) continue;
    const std::size_t closed = closing_quote(text, begin);
    if (closed == std::string_view::npos) return whole;
    begin = closed + 1;
  }
}

std::string_view take_cell(std::string_view& rest, char delimiter, bool& more) {
  if (delimiter == ' ') rest = trim(rest);
  std::size_t end = std::min(rest.find_first_not_of(' '), rest.size());
  if (end < rest.size() && rest[end] == '"') {
    const std::size_t closed = closing_quote(rest, end + 1);
    end = closed == std::string_view::npos ? rest.size() : closed + 1;
  }
  const std::size_t found = delimiter == ' ' ? rest.find_first_of(" \t", end) : rest.find(delimiter, end);
  more = found != std::string_view::npos;
  end = std::min(found, rest.size());
  const std::string_view cell = trim(rest.substr(0, end));
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return cell;
}

bool is_well_formed(std::string_view cell) {
  if (cell.empty() || cell.front() != '"') return cell.find('\r') == std::string_view::npos;
  return closing_quote(cell, 1) == cell.size() - 1;
}

std::string unquote(std::string_view cell) {
  if (cell.size() < 2 || cell.front() != '"' || cell.back() != '"') return std::string(cell);
  cell = cell.substr(1, cell.size() - 2);
  std::string result;
  for (std::size_t k = 0; k < cell.size(); ++k) {
    result += cell[k];
    if (cell[k] == '"' && k + 1 < cell.size() && cell[k + 1] == '"') ++k;
  }
  return result;
}

std::vector<std::string> split_cells(std::string_view record, char delimiter) {
  std::vector<std::string> cells;
  bool more = true;
  while (more) cells.push_back(unquote(take_cell(record, delimiter, more)));
  return cells;
}

std::size_t count_cells(std::string_view record, char delimiter) {
  std::size_t cells = 0;
  for (bool more = true; more; ++cells) take_cell(record, delimiter, more);
  return cells;
}

bool parse_number(std::string_view cell, char decimal, double& value) {
  if (cell.size() > 1 && cell.front() == '+' && cell[1] != '-' && cell[1] != '+') cell.remove_prefix(1);
  const char* const end = cell.data() + cell.size();
  const auto result = fast_float::from_chars_advanced(
      cell.data(), end, value, fast_float::parse_options{fast_float::chars_format::general, decimal});
  return result.ec == std::errc() && result.ptr == end;
}

bool parse_boolean(std::string_view cell, double& value) {
  const auto is = [&](std::string_view word) {
    const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    return std::ranges::equal(cell, word, same);
  };
  value = is("true") || is("yes") ? 1.0 : 0.0;
  return value == 1.0 || is("false") || is("no");
}

bool loses_digits(std::string_view cell, double value) {
  constexpr double first_gap = 9007199254740992.0;  // 2^53: from here on not every integer is a double.
  if (!(std::abs(value) >= first_gap)) return false;
  if (cell.front() == '+' || cell.front() == '-') cell.remove_prefix(1);
  const bool is_integer = std::ranges::all_of(cell, [](char c) { return c >= '0' && c <= '9'; });
  cell.remove_prefix(std::min(cell.find_first_not_of('0'), cell.size()));
  return is_integer && fmt::format("{:.0f}", std::abs(value)) != cell;
}

namespace {

constexpr std::size_t records_of_sample = 10;

// The first records of a text. Where more text follows, a record at its end may be cut short and is left out.
std::vector<CsvRecord> first_records(std::string_view text, char delimiter, bool complete) {
  std::vector<CsvRecord> sample;
  CsvRecords records(text, delimiter);
  CsvRecord record;
  while (sample.size() < records_of_sample && records.next(record)) {
    if (complete || !records.rest().empty()) sample.push_back(record);
  }
  return sample;
}

// Whether each record has as many cells as the first, all of them well formed, and more than one.
bool are_alike(const std::vector<CsvRecord>& records, char delimiter) {
  const std::size_t first = count_cells(records.front().text, delimiter);
  return first > 1 && std::ranges::all_of(records, [&](const CsvRecord& record) {
           std::size_t cells = 0;
           std::string_view rest = record.text;
           for (bool more = true; more; ++cells) {
             if (!is_well_formed(take_cell(rest, delimiter, more))) return false;
           }
           return cells == first && !record.open_quote;
         });
}

// Whether every cell is a number, with a decimal point or comma.
bool are_numbers(const std::vector<CsvRecord>& records, char delimiter) {
  return std::ranges::all_of(records, [&](const CsvRecord& record) {
    return std::ranges::all_of(split_cells(record.text, delimiter), [](const std::string& cell) {
      double value = 0.0;
      return parse_number(cell, '.', value) || parse_number(cell, ',', value);
    });
  });
}

// Commas are decimal signs where they make a number of a cell that is none otherwise.
char detect_decimal(const std::vector<CsvRecord>& records, char delimiter) {
  if (delimiter == ',') return '.';
  char decimal = '.';
  for (const CsvRecord& record : records) {
    for (const std::string& cell : split_cells(record.text, delimiter)) {
      double value = 0.0;
      if (!parse_number(cell, '.', value) && parse_number(cell, ',', value)) decimal = ',';
    }
  }
  return decimal;
}

}  // namespace

std::optional<CsvDialect> detect_dialect(std::string_view text, bool complete) {
  constexpr std::size_t longest_search = std::size_t{1} << 20;
  constexpr char candidates[] = {'\t', ';', ',', ' '};
  const bool must_decide = complete || text.size() >= longest_search;
  std::optional<char> first_cut;  // Cuts the first record, and not every record alike: a ragged row is then refused.
  for (const char delimiter : candidates) {
    const std::vector<CsvRecord> records = first_records(text, delimiter, complete);
    // Spaces stand in names, too: where another candidate cuts the first record, they delimit numbers only.
    const bool may_delimit = delimiter != ' ' || !first_cut || are_numbers(records, delimiter);
    const bool alike = !records.empty() && may_delimit && are_alike(records, delimiter);
    if (!must_decide && (records.empty() || (alike && records.size() < records_of_sample))) return std::nullopt;
    if (alike) return CsvDialect{delimiter, detect_decimal(records, delimiter)};
    if (!first_cut && !records.empty() && count_cells(records.front().text, delimiter) > 1) first_cut = delimiter;
  }
  const char delimiter = first_cut.value_or(',');
  return CsvDialect{delimiter, detect_decimal(first_records(text, delimiter, complete), delimiter)};
}

}  // namespace shrimp

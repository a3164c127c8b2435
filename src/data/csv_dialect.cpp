#include "data/csv_dialect.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cctype>
#include <cstring>

namespace shrimp {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// The end of the line (or of the text) that starts at `from`.
std::size_t line_end(std::string_view text, std::size_t from) {
  const void* newline = std::memchr(text.data() + from, '\n', text.size() - from);
  return newline == nullptr ? text.size() : static_cast<std::size_t>(static_cast<const char*>(newline) - text.data());
}

// Whether the quotes of a line leave one open at its end.
bool leaves_quote_open(std::string_view line) { return std::ranges::count(line, '"') % 2 == 1; }

}  // namespace

bool CsvRecords::next(CsvRecord& record) {
  while (!text_.empty()) {
    std::size_t end = line_end(text_, 0);
    std::size_t lines = 1;
    if (quotes_) {
      bool open = leaves_quote_open(text_.substr(0, end));
      while (open && end < text_.size()) {
        const std::size_t begin = end + 1;
        end = line_end(text_, begin);
        open = !leaves_quote_open(text_.substr(begin, end - begin));
        ++lines;
      }
    }
    record.text = text_.substr(0, end);
    record.line = line_;
    line_ += lines;
    text_.remove_prefix(std::min(end + 1, text_.size()));
    if (!record.text.empty() && record.text.back() == '\r') record.text.remove_suffix(1);
    if (!trim(record.text).empty()) return true;
  }
  return false;
}

std::size_t size_of_whole_records(std::string_view text) {
  std::size_t whole = 0;
  std::size_t begin = 0;  // Of what is outside of quotes.
  while (true) {
    const std::size_t quote = text.find('"', begin);
    const std::size_t newline = text.substr(begin, quote - begin).rfind('\n');
    if (newline != std::string_view::npos) whole = begin + newline + 1;
    const std::size_t closed = quote == std::string_view::npos ? quote : text.find('"', quote + 1);
    if (closed == std::string_view::npos) return whole;
    begin = closed + 1;
  }
}

std::string_view take_cell(std::string_view& rest, char delimiter, bool& more) {
  const bool spaces = delimiter == ' ';
  if (spaces) rest = trim(rest);
  std::size_t end = 0;
  bool quoted = false;
  for (; end < rest.size(); ++end) {
    const char c = rest[end];
    if (c == '"') quoted = !quoted;
    if (!quoted && (spaces ? is_blank(c) : c == delimiter)) break;
  }
  const std::string_view cell = trim(rest.substr(0, end));
  more = end < rest.size();
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return cell;
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

CsvDialect detect_dialect(std::string_view text) {
  constexpr std::size_t sample = 10;
  std::vector<std::string_view> lines;
  CsvRecords records(text, true);
  CsvRecord record;
  while (lines.size() < sample && records.next(record)) lines.push_back(record.text);

  CsvDialect dialect;
  const auto fits = [&](char delimiter) {
    const std::size_t first = lines.empty() ? 0 : count_cells(lines.front(), delimiter);
    if (first < 2) return false;
    return std::ranges::all_of(lines, [&](std::string_view line) { return count_cells(line, delimiter) == first; });
  };
  constexpr char candidates[] = {'\t', ';', ',', ' '};
  const auto* found = std::ranges::find_if(candidates, fits);
  if (found == std::end(candidates)) {
    // No delimiter cuts every line alike: take one that cuts the first, and let the ragged row be named.
    found = std::ranges::find_if(
        candidates, [&](char delimiter) { return !lines.empty() && count_cells(lines.front(), delimiter) > 1; });
  }
  if (found != std::end(candidates)) dialect.delimiter = *found;

  if (dialect.delimiter == ',') return dialect;
  for (std::string_view line : lines) {
    for (bool more = true; more;) {
      const std::string cell = unquote(take_cell(line, dialect.delimiter, more));
      double value = 0.0;
      if (!parse_number(cell, '.', value) && parse_number(cell, ',', value)) dialect.decimal = ',';
    }
  }
  return dialect;
}

}  // namespace shrimp

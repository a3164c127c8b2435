#include <algorithm>
#include <iterator>

#include "data/csv_heading.hpp"
#include "data/csv_rows.hpp"
#include "data/decompress.hpp"
#include "data/file.hpp"
#include "data/memory.hpp"
#include "data/names.hpp"
#include "shrimp/table.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// Lines that end as on an old Macintosh.
bool has_macintosh_lines(std::string_view text) {
  return text.find('\n') == std::string_view::npos && text.find('\r') != std::string_view::npos;
}

/// `held`: bytes of text in memory, this one among them.
Table parse_text(std::string_view text, std::size_t held, const std::string& source, const CsvOptions& options) {
  text.remove_prefix(size_of_byte_order_mark(text));
  const CsvDialect dialect = *detect_dialect(text);
  CsvHeading heading = read_heading(text, dialect, source, options);
  const CsvParts parts = cut_records(text.substr(heading.size), dialect.delimiter, heading.line);
  if (parts.rows == 0) refuse_without_rows(source);
  require_memory_for(parts.rows, heading.layout.kept, options.memory, held, source);
  heading.table.values = Matrix::uninitialized(parts.rows, heading.layout.kept);
  CsvLabels labels;
  CsvRows rows(heading.layout, source, labels);
  rows.read(parts, heading.table.values, 0);
  std::ranges::move(rows.warnings(), std::back_inserter(heading.table.warnings));
  drop_rows_without(find_name(heading.table.names, options.drop_without), heading.table.values, 0);
  name_levels(labels, heading.table.columns);
  return std::move(heading.table);
}

}  // namespace

Table parse_csv(std::string_view text, const std::string& source, const CsvOptions& options) {
  const ThreadScope scope(options.threads);
  check_encoding(text, true, source);
  if (!has_macintosh_lines(text)) return parse_text(text, text.size(), source, options);
  std::string lines(text);
  std::ranges::replace(lines, '\r', '\n');
  return parse_text(lines, 2 * text.size(), source, options);
}

Table read_csv(const std::string& path, const CsvOptions& options) {
  const ThreadScope scope(options.threads);
  const std::string source = path == "-" ? "standard input" : path;
  const double most = available_memory(options.memory);
  const auto check = [&](std::string_view beginning) {
    if (!is_archive(beginning)) check_encoding(beginning, true, source);
  };
  const FileContent content = decompress(read_file(path, most, check), source, most);
  return parse_csv(content.text(), source, options);
}

}  // namespace shrimp

#include <fmt/format.h>

#include <fast_float/fast_float.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>

#include "data/bad_cell.hpp"
#include "data/csv_dialect.hpp"
#include "data/decompress.hpp"
#include "data/file.hpp"
#include "data/memory.hpp"
#include "data/names.hpp"
#include "data/utf8.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/table.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

struct Layout {
  CsvDialect dialect;
  std::vector<std::string> names;    // Of every column in the file.
  std::vector<std::ptrdiff_t> slot;  // Column of the result, or −1 where the file's column is ignored.
  std::size_t kept = 0;
  std::vector<bool> numbers_only = {};     // Of every kept column: whether words such as "true" are refused.
  std::optional<std::size_t> labels = {};  // Which of the file's columns may hold any text.

  [[nodiscard]] bool may_be_word(std::size_t column) const {
    return !numbers_only[static_cast<std::size_t>(slot[column])];
  }
};

// Different labels, each with its number.
using Labels = std::map<std::string, std::size_t>;

// A part of the text that starts and ends with whole lines.
struct Chunk {
  std::string_view text;
  std::size_t first_line = 1;
  std::size_t first_row = 0;
  std::size_t rows = 0;
  std::size_t lines = 0;
  std::vector<bool> words = {};  // Of every kept column: whether words such as "true" stand in it.
  Labels labels = {};            // In the order in which they came.
};

[[noreturn]] void fail(const std::string& source, const std::string& message) {
  throw DataError(source + (message.starts_with(' ') ? "" : ": ") + message);
}

std::string where(const std::string& source, std::size_t line) { return fmt::format("{} line {}", source, line); }

// Why this record cannot be read; called only once it is known that it cannot.
[[noreturn]] void explain(const CsvRecord& record, const Layout& layout, const std::string& source) {
  const std::string place = where(source, record.line);
  if (std::ranges::count(record.text, '"') % 2 == 1) {
    throw DataError(place +
                    ": a quote is opened but not closed.\nClose it, or double it where it is part of the text.");
  }
  const std::vector<std::string> cells = split_cells(record.text, layout.dialect.delimiter);
  if (cells.size() != layout.names.size()) {
    throw DataError(fmt::format("{} has {} cell{} where {} are expected.\nGive every row as many cells as the first.",
                                place, cells.size(), cells.size() == 1 ? "" : "s", layout.names.size()));
  }
  for (std::size_t j = 0; j < cells.size(); ++j) {
    if (layout.slot[j] < 0 || (j == layout.labels && !cells[j].empty())) continue;
    double ignored = 0.0;
    if (layout.may_be_word(j) && parse_boolean(cells[j], ignored)) continue;
    const std::string column = fmt::format("{}, column \"{}\"", place, layout.names[j]);
    const std::string complaint = complaint_about_cell(cells[j], layout.dialect.decimal, column,
                                                       fmt::format(" with --ignore {}", layout.names[j]));
    if (!complaint.empty()) throw DataError(complaint);
  }
  throw DataError(place + " cannot be read.");
}

// Numbers straight from the text; false where anything is unusual, which read_cells then looks at.
bool read_numbers(std::string_view record, const Layout& layout, Matrix& values, std::size_t row) {
  const char* at = record.data();
  const char* const end = at + record.size();
  const char delimiter = layout.dialect.delimiter;
  const fast_float::parse_options format{fast_float::chars_format::general, layout.dialect.decimal};
  for (std::size_t j = 0; j < layout.slot.size(); ++j) {
    while (at < end && *at == ' ') ++at;
    if (layout.slot[j] < 0) {
      while (at < end && *at != delimiter && *at != '"') ++at;
    } else {
      double value = 0.0;
      const auto parsed = fast_float::from_chars_advanced(at, end, value, format);
      if (parsed.ec != std::errc() || !std::isfinite(value)) return false;
      values(row, static_cast<std::size_t>(layout.slot[j])) = value;
      at = parsed.ptr;
    }
    if (j + 1 == layout.slot.size()) break;
    if (at == end || *at != delimiter) return false;
    ++at;
  }
  while (at < end && *at == ' ') ++at;
  return at == end;
}

bool read_cell(std::string_view cell, const Layout& layout, std::size_t column, double& value, bool& word) {
  word = false;
  if (parse_number(cell, layout.dialect.decimal, value)) return std::isfinite(value);
  word = true;
  return layout.may_be_word(column) && parse_boolean(cell, value);
}

// Numbers that are written otherwise are the same label.
bool read_label(const std::string& cell, char decimal, Labels& labels, double& label) {
  double number = 0.0;
  const bool numeric = parse_number(cell, decimal, number) && std::isfinite(number);
  const auto found = labels.try_emplace(numeric ? fmt::format("{}", number + 0.0) : cell, labels.size()).first;
  label = static_cast<double>(found->second);
  return !cell.empty();
}

bool read_cells(std::string_view record, const Layout& layout, Matrix& values, std::size_t row, Chunk& chunk) {
  bool more = true;
  std::size_t j = 0;
  for (; more && j < layout.slot.size(); ++j) {
    const std::string_view cell = take_cell(record, layout.dialect.delimiter, more);
    if (layout.slot[j] < 0) continue;
    const auto slot = static_cast<std::size_t>(layout.slot[j]);
    if (j == layout.labels) {
      if (!read_label(unquote(cell), layout.dialect.decimal, chunk.labels, values(row, slot))) return false;
      continue;
    }
    const bool quoted = !cell.empty() && cell.front() == '"';
    bool word = false;
    const bool readable = quoted ? read_cell(unquote(cell), layout, j, values(row, slot), word)
                                 : read_cell(cell, layout, j, values(row, slot), word);
    if (!readable) return false;
    if (word) chunk.words[slot] = true;
  }
  return !more && j == layout.slot.size();
}

void read_chunk(Chunk& chunk, const Layout& layout, bool quotes, const std::string& source, Matrix& values) {
  chunk.words.assign(layout.kept, false);
  CsvRecords records(chunk.text, quotes, chunk.first_line);
  CsvRecord record;
  for (std::size_t row = chunk.first_row; records.next(record); ++row) {
    if (!layout.labels && read_numbers(record.text, layout, values, row)) continue;
    if (!read_cells(record.text, layout, values, row, chunk)) explain(record, layout, source);
  }
}

// Throws what the first chunk with a bad record says of it.
void read_chunks(std::vector<Chunk>& chunks, const Layout& layout, bool quotes, const std::string& source,
                 Matrix& values) {
  std::vector<std::string> failures(chunks.size());
  parallel_for(chunks.size(), [&](std::size_t k) {
    try {
      read_chunk(chunks[k], layout, quotes, source, values);
    } catch (const DataError& error) {
      failures[k] = error.what();
    }
  });
  for (const std::string& failure : failures) {
    if (!failure.empty()) throw DataError(failure);
  }
}

// The parts numbered labels each by itself. What comes out must not depend on where the text was cut.
void number_labels(const std::vector<Chunk>& chunks, std::span<double> column) {
  Labels all;
  for (const Chunk& chunk : chunks) all.insert(chunk.labels.begin(), chunk.labels.end());
  std::size_t next = 0;
  for (auto& [label, number] : all) number = next++;
  for (const Chunk& chunk : chunks) {
    std::vector<double> numbers(chunk.labels.size());
    for (const auto& [label, own] : chunk.labels) numbers[own] = static_cast<double>(all.at(label));
    for (double& value : column.subspan(chunk.first_row, chunk.rows)) value = numbers[static_cast<std::size_t>(value)];
  }
}

// Kept columns in which words such as "true" stand beside numbers other than 0 and 1.
std::vector<bool> mixed_columns(const std::vector<Chunk>& chunks, const Matrix& values) {
  std::vector<bool> mixed(values.cols(), false);
  for (std::size_t j = 0; j < values.cols(); ++j) {
    const bool words = std::ranges::any_of(chunks, [&](const Chunk& chunk) { return chunk.words[j]; });
    mixed[j] = words && std::ranges::any_of(values.col(j), [](double value) { return value != 0.0 && value != 1.0; });
  }
  return mixed;
}

// Cuts the text at line ends into about equal parts; one part where quotes may hide line ends.
std::vector<Chunk> cut(std::string_view text, std::size_t first_line, bool quotes, int threads) {
  constexpr std::size_t smallest = 1 << 20;
  const std::size_t parts =
      quotes ? 1
             : std::clamp<std::size_t>(text.size() / smallest, 1, 4 * static_cast<std::size_t>(thread_count(threads)));
  std::vector<Chunk> chunks;
  while (!text.empty()) {
    const std::size_t wanted = text.size() / (parts - std::min(chunks.size(), parts - 1));
    const std::size_t newline = wanted >= text.size() ? std::string_view::npos : text.find('\n', wanted);
    const std::size_t size = newline == std::string_view::npos ? text.size() : newline + 1;
    chunks.push_back({text.substr(0, size)});
    text.remove_prefix(size);
  }
  parallel_for(chunks.size(), [&](std::size_t k) {
    CsvRecords records(chunks[k].text, quotes);
    CsvRecord record;
    while (records.next(record)) ++chunks[k].rows;
    chunks[k].lines = records.line() - 1;
  });
  for (std::size_t k = 0; k < chunks.size(); ++k) {
    chunks[k].first_line = k == 0 ? first_line : chunks[k - 1].first_line + chunks[k - 1].lines;
    chunks[k].first_row = k == 0 ? 0 : chunks[k - 1].first_row + chunks[k - 1].rows;
  }
  return chunks;
}

bool contains(std::string_view text, char wanted) {
  constexpr std::size_t block = 1 << 20;
  std::atomic<bool> found = false;
  parallel_for((text.size() + block - 1) / block, [&](std::size_t k) {
    if (!found && text.substr(k * block, block).find(wanted) != std::string_view::npos) found = true;
  });
  return found;
}

void check_encoding(std::string_view text, const std::string& source) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    fail(source, "the text is UTF-16.\nSave it as UTF-8.");
  }
  if (contains(text, '\0')) {
    fail(source, "there are zero bytes in it, so it is no text.\nGive a CSV file.");
  }
}

std::string latin1_to_utf8(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      result += c;
    } else {
      result += static_cast<char>(0xC0 | (byte >> 6));
      result += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return result;
}

Layout make_layout(std::vector<std::string> names, CsvDialect dialect, const CsvOptions& options,
                   const std::string& source) {
  Layout layout{dialect, std::move(names), {}, 0};
  std::map<std::string, std::size_t> first;
  for (std::size_t j = 0; j < layout.names.size(); ++j) {
    const auto [seen, fresh] = first.emplace(layout.names[j], j);
    if (!fresh) {
      fail(source, fmt::format("columns {} and {} are both named \"{}\".\nGive every column a name of its own.",
                               seen->second + 1, j + 1, layout.names[j]));
    }
  }
  for (const std::string& name : options.ignore) {
    if (!find_name(layout.names, name)) {
      throw OptionError(
          fmt::format("{} has no column \"{}\" to ignore.\n{}", source, name, suggest_names(layout.names, name)));
    }
  }
  for (const std::string& name : layout.names) {
    const bool ignored = find_name(options.ignore, name) || (!options.only.empty() && !find_name(options.only, name));
    layout.slot.push_back(ignored ? -1 : static_cast<std::ptrdiff_t>(layout.kept++));
  }
  layout.numbers_only.assign(layout.kept, false);
  if (const auto labels = find_name(layout.names, options.labels); labels && layout.slot[*labels] >= 0) {
    layout.labels = labels;
  }
  return layout;
}

// Words such as "true" are values where they stand beside a number, and names where they do not.
bool is_header(const std::vector<std::string>& cells, char decimal) {
  double ignored = 0.0;
  const auto is_number = [&](const std::string& cell) { return parse_number(cell, decimal, ignored); };
  const auto is_value = [&](const std::string& cell) { return is_number(cell) || parse_boolean(cell, ignored); };
  return !std::ranges::all_of(cells, is_value) || std::ranges::none_of(cells, is_number);
}

// Names that are UTF-8 and not empty.
void mend_names(std::vector<std::string>& names, const std::string& source, std::vector<std::string>& warnings) {
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (!is_utf8(names[j])) {
      names[j] = latin1_to_utf8(names[j]);
      warnings.push_back(fmt::format("{}: the name of column {} is no UTF-8; it was read as Latin-1: \"{}\".", source,
                                     j + 1, names[j]));
    }
    if (!names[j].empty()) continue;
    names[j] = fmt::format("column{}", j + 1);
    warnings.push_back(fmt::format("{}: column {} has no name; it is called \"{}\".", source, j + 1, names[j]));
  }
}

}  // namespace

Table parse_csv(std::string_view text, const std::string& source, const CsvOptions& options) {
  const ThreadScope scope(options.threads);
  check_encoding(text, source);
  if (text.find('\n') == std::string_view::npos && text.find('\r') != std::string_view::npos) {
    // Lines that end as on an old Macintosh.
    std::string lines(text);
    std::ranges::replace(lines, '\r', '\n');
    return parse_csv(lines, source, options);
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  CsvRecords records(text, true);
  CsvRecord first;
  if (!records.next(first)) fail(source, "the file is empty.\nGive a table with a header and rows of numbers.");

  Table table;
  const CsvDialect dialect = detect_dialect(text);
  std::vector<std::string> names = split_cells(first.text, dialect.delimiter);
  const bool header = is_header(names, dialect.decimal);
  for (std::size_t j = 0; j < names.size() && !header; ++j) names[j] = fmt::format("x{}", j + 1);
  mend_names(names, source, table.warnings);
  Layout layout = make_layout(std::move(names), dialect, options, source);

  const std::string_view body = header ? records.rest() : text;
  const bool quotes = contains(body, '"');
  std::vector<Chunk> chunks = cut(body, header ? records.line() : 1, quotes, options.threads);
  const std::size_t rows = chunks.empty() ? 0 : chunks.back().first_row + chunks.back().rows;
  if (rows == 0) fail(source, "there is a header but no row below it.\nGive rows of numbers.");
  const double bytes = static_cast<double>(rows) * static_cast<double>(layout.kept) * sizeof(double);
  if (const double free = available_memory(options.memory); bytes > free) {
    fail(source, fmt::format("its {} × {} numbers need {}, but {} of memory is free.\nGive fewer rows or columns.",
                             rows, layout.kept, format_bytes(bytes), format_bytes(free)));
  }

  table.values = Matrix::uninitialized(rows, layout.kept);
  for (std::size_t j = 0; j < layout.names.size(); ++j) {
    (layout.slot[j] >= 0 ? table.names : table.left_out).push_back(layout.names[j]);
  }
  read_chunks(chunks, layout, quotes, source, table.values);
  layout.numbers_only = mixed_columns(chunks, table.values);
  const bool refused = std::ranges::find(layout.numbers_only, true) != layout.numbers_only.end();
  if (refused) read_chunks(chunks, layout, quotes, source, table.values);  // Throws at the first of the words.
  if (layout.labels) {
    number_labels(chunks, table.values.col(static_cast<std::size_t>(layout.slot[*layout.labels])));
  }
  return table;
}

Table read_csv(const std::string& path, const CsvOptions& options) {
  const ThreadScope scope(options.threads);
  const std::string source = path == "-" ? "standard input" : path;
  const double most = available_memory(options.memory);
  const FileContent content = decompress(read_file(path, most), source, most);
  return parse_csv(content.text(), source, options);
}

}  // namespace shrimp

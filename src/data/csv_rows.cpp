#include "data/csv_rows.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "data/bad_cell.hpp"
#include "data/memory.hpp"
#include "shrimp/errors.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// The size of the next part of what is left of a text: up to a record's end, at least `wanted` bytes if there are.
std::size_t part_size(std::string_view text, std::size_t wanted, bool quotes) {
  if (wanted >= text.size()) return text.size();
  if (!quotes) {
    const std::size_t newline = text.find('\n', wanted);
    return newline == std::string_view::npos ? text.size() : newline + 1;
  }
  CsvRecords records(text, true);
  CsvRecord record;
  while (text.size() - records.rest().size() < wanted && records.next(record)) continue;
  return text.size() - records.rest().size();
}

}  // namespace

CsvParts cut_records(std::string_view text, std::size_t first_line) {
  constexpr std::size_t smallest = std::size_t{1} << 18;
  const bool quotes = text.find('"') != std::string_view::npos;
  const std::size_t count =
      std::clamp<std::size_t>(text.size() / smallest, 1, 4 * static_cast<std::size_t>(thread_count(0)));
  CsvParts cut;
  for (std::size_t left = count; !text.empty(); left -= left > 1 ? 1 : 0) {
    const std::size_t size = part_size(text, text.size() / left, quotes);
    cut.parts.push_back({text.substr(0, size)});
    text.remove_prefix(size);
  }
  parallel_for(cut.parts.size(), [&](std::size_t k) {
    CsvPart& part = cut.parts[k];
    CsvRecords records(part.text, quotes);
    CsvRecord record;
    while (records.next(record)) ++part.rows;
    part.lines = records.line() - 1;
  });
  for (CsvPart& part : cut.parts) {
    part.first_line = first_line + cut.lines;
    part.first_row = cut.rows;
    cut.lines += part.lines;
    cut.rows += part.rows;
  }
  return cut;
}

void require_memory_for(std::size_t rows, std::size_t columns, double memory, std::size_t held,
                        const std::string& source) {
  const double bytes = static_cast<double>(rows) * static_cast<double>(columns) * sizeof(double);
  const double free = available_memory(memory, static_cast<double>(held));
  if (bytes <= free) return;
  throw DataError(fmt::format("{}: its {} × {} numbers need {}, but {} of memory is free.\nGive fewer rows or columns.",
                              source, rows, columns, format_bytes(bytes), format_bytes(free)));
}

namespace {

// Numbers straight from the text; false where anything is unusual, which read_cells then looks at.
bool read_numbers(std::string_view record, const CsvLayout& layout, Matrix& values, std::size_t row) {
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

// Numbers that are written otherwise are the same label.
bool read_label(const std::string& cell, char decimal, CsvLabels& labels, double& label) {
  double number = 0.0;
  const bool numeric = parse_number(cell, decimal, number) && std::isfinite(number);
  const auto found = labels.try_emplace(numeric ? fmt::format("{}", number + 0.0) : cell, labels.size()).first;
  label = static_cast<double>(found->second);
  return !cell.empty();
}

bool read_cell(std::string_view cell, char decimal, double& value, bool& word) {
  word = false;
  if (parse_number(cell, decimal, value)) return std::isfinite(value);
  word = true;
  return parse_boolean(cell, value);
}

}  // namespace

// What one part tells of its columns.
struct CsvRows::Found {
  std::vector<std::optional<Word>> words;  // Of every kept column.
  CsvLabels labels;
  std::string failure;
};

CsvRows::CsvRows(const CsvLayout& layout, std::string source, CsvLabels& labels)
    : layout_(layout),
      source_(std::move(source)),
      labels_(labels),
      words_(layout.kept),
      other_numbers_(layout.kept, false) {}

void CsvRows::read(const CsvParts& parts, Matrix& values, std::size_t first) {
  std::vector<Found> found(parts.parts.size());
  parallel_for(parts.parts.size(), [&](std::size_t k) {
    try {
      found[k].words.resize(layout_.kept);
      read_part(parts.parts[k], values, first, found[k]);
    } catch (const DataError& error) {
      found[k].failure = error.what();
    }
  });
  for (const Found& part : found) {
    if (!part.failure.empty()) throw DataError(part.failure);
  }
  note_words(found);
  refuse_mixed_columns(values, first);
  if (!layout_.labels) return;
  number_labels(parts, found, values.col(static_cast<std::size_t>(layout_.slot[*layout_.labels])).subspan(first));
}

void CsvRows::read_part(const CsvPart& part, Matrix& values, std::size_t first, Found& found) const {
  CsvRecords records(part.text, part.text.find('"') != std::string_view::npos, part.first_line);
  CsvRecord record;
  for (std::size_t row = first + part.first_row; records.next(record); ++row) {
    if (!layout_.labels && read_numbers(record.text, layout_, values, row)) continue;
    if (!read_cells(record, values, row, found)) explain(record);
  }
}

bool CsvRows::read_cells(const CsvRecord& record, Matrix& values, std::size_t row, Found& found) const {
  const char decimal = layout_.dialect.decimal;
  std::string_view rest = record.text;
  bool more = true;
  std::size_t j = 0;
  for (; more && j < layout_.slot.size(); ++j) {
    const std::string_view cell = take_cell(rest, layout_.dialect.delimiter, more);
    if (layout_.slot[j] < 0) continue;
    const auto slot = static_cast<std::size_t>(layout_.slot[j]);
    if (j == layout_.labels) {
      if (!read_label(unquote(cell), decimal, found.labels, values(row, slot))) return false;
      continue;
    }
    const bool quoted = !cell.empty() && cell.front() == '"';
    bool word = false;
    const bool readable = quoted ? read_cell(unquote(cell), decimal, values(row, slot), word)
                                 : read_cell(cell, decimal, values(row, slot), word);
    if (!readable) return false;
    if (word && !found.words[slot]) found.words[slot] = Word{record.line, unquote(cell)};
  }
  return !more && j == layout_.slot.size();
}

// The parts numbered labels each by itself. What comes out must not depend on where the text was cut.
void CsvRows::number_labels(const CsvParts& parts, const std::vector<Found>& found, std::span<double> column) {
  for (std::size_t k = 0; k < found.size(); ++k) {
    std::vector<const std::string*> in_order(found[k].labels.size());
    for (const auto& [label, own] : found[k].labels) in_order[own] = &label;
    std::vector<double> numbers;
    for (const std::string* label : in_order) {
      numbers.push_back(static_cast<double>(labels_.try_emplace(*label, labels_.size()).first->second));
    }
    const CsvPart& part = parts.parts[k];
    for (double& value : column.subspan(part.first_row, part.rows)) value = numbers[static_cast<std::size_t>(value)];
  }
}

void CsvRows::note_words(const std::vector<Found>& found) {
  for (const Found& part : found) {
    for (std::size_t j = 0; j < words_.size(); ++j) {
      if (!words_[j]) words_[j] = part.words[j];
    }
  }
}

// Columns in which words such as "true" stand beside numbers other than 0 and 1: the first of the words is refused.
void CsvRows::refuse_mixed_columns(const Matrix& values, std::size_t first) {
  const Word* refused = nullptr;
  std::size_t column = 0;
  for (std::size_t j = 0; j < layout_.slot.size(); ++j) {
    if (layout_.slot[j] < 0 || j == layout_.labels) continue;
    const auto slot = static_cast<std::size_t>(layout_.slot[j]);
    const auto is_other = [](double value) { return value != 0.0 && value != 1.0; };
    other_numbers_[slot] = other_numbers_[slot] || std::ranges::any_of(values.col(slot).subspan(first), is_other);
    const std::optional<Word>& word = words_[slot];
    if (!other_numbers_[slot] || !word || (refused != nullptr && refused->line <= word->line)) continue;
    refused = &*word;
    column = j;
  }
  if (refused != nullptr) throw DataError(complaint(refused->line, column, refused->cell));
}

std::string CsvRows::complaint(std::size_t line, std::size_t column, std::string_view cell) const {
  const std::string& name = layout_.names[column];
  return complaint_about_cell(cell, layout_.dialect.decimal,
                              fmt::format("{} line {}, column \"{}\"", source_, line, name),
                              fmt::format(" with --ignore {}", name));
}

// Why this record cannot be read; called only once it is known that it cannot.
void CsvRows::explain(const CsvRecord& record) const {
  const std::string place = fmt::format("{} line {}", source_, record.line);
  if (std::ranges::count(record.text, '"') % 2 == 1) refuse_open_quote(source_, record.line);
  const std::vector<std::string> cells = split_cells(record.text, layout_.dialect.delimiter);
  if (cells.size() != layout_.names.size()) {
    throw DataError(fmt::format("{} has {} cell{} where {} are expected.\nGive every row as many cells as the first.",
                                place, cells.size(), cells.size() == 1 ? "" : "s", layout_.names.size()));
  }
  for (std::size_t j = 0; j < cells.size(); ++j) {
    if (layout_.slot[j] < 0 || (j == layout_.labels && !cells[j].empty())) continue;
    double ignored = 0.0;
    if (parse_boolean(cells[j], ignored)) continue;
    const std::string complained = complaint(record.line, j, cells[j]);
    if (!complained.empty()) throw DataError(complained);
  }
  throw DataError(place + " cannot be read.");
}

}  // namespace shrimp

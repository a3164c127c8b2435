#include "data/csv_rows.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "data/bad_cell.hpp"
#include "data/dates.hpp"
#include "data/memory.hpp"
#include "data/utf8.hpp"
#include "shrimp/errors.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// The size of the next part of what is left of a text: up to a record's end, at least `wanted` bytes if there are.
std::size_t part_size(std::string_view text, std::size_t wanted, char delimiter, bool quotes) {
  if (wanted >= text.size()) return text.size();
  if (!quotes) {
    const std::size_t newline = text.find('\n', wanted);
    return newline == std::string_view::npos ? text.size() : newline + 1;
  }
  CsvRecords records(text, delimiter);
  CsvRecord record;
  while (text.size() - records.rest().size() < wanted && records.next(record)) continue;
  return text.size() - records.rest().size();
}

}  // namespace

CsvParts cut_records(std::string_view text, char delimiter, std::size_t first_line) {
  constexpr std::size_t smallest = std::size_t{1} << 18;
  const bool quotes = text.find('"') != std::string_view::npos;
  const std::size_t count =
      std::clamp<std::size_t>(text.size() / smallest, 1, 4 * static_cast<std::size_t>(thread_count(0)));
  CsvParts cut;
  for (std::size_t left = count; !text.empty(); left -= left > 1 ? 1 : 0) {
    const std::size_t size = part_size(text, text.size() / left, delimiter, quotes);
    cut.parts.push_back({text.substr(0, size)});
    text.remove_prefix(size);
  }
  parallel_for(cut.parts.size(), [&](std::size_t k) {
    CsvPart& part = cut.parts[k];
    CsvRecords records(part.text, delimiter);
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
  throw DataError(
      fmt::format("{}: its {} × {} numbers need {}, but only {} of memory is free.\nGive fewer rows or columns.",
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
      while (at < end && *at != delimiter && *at != '"' && *at != '\r') ++at;
    } else {
      double value = 0.0;
      const auto parsed = fast_float::from_chars_advanced(at, end, value, format);
      if (parsed.ec != std::errc() || !std::isfinite(value) || loses_digits({at, parsed.ptr}, value)) return false;
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

bool read_number(std::string_view cell, char decimal, double& value, bool& word) {
  word = false;
  if (parse_number(cell, decimal, value)) return std::isfinite(value);
  word = true;
  return parse_boolean(cell, value);
}

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

std::vector<std::string> labels_in_order(const ColumnLabels& labels) {
  std::vector<std::string> in_order(labels.size());
  for (const auto& [label, number] : labels) in_order[number] = label;
  return in_order;
}

void drop_rows_without(std::optional<std::size_t> column, Matrix& values, std::size_t first) {
  if (!column) return;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < values.rows(); ++i) {
    if (i < first || !std::isnan(values(i, *column))) kept.push_back(i);
  }
  if (kept.size() == values.rows()) return;
  Matrix rest = Matrix::uninitialized(kept.size(), values.cols());
  for (std::size_t j = 0; j < values.cols(); ++j) {
    for (std::size_t k = 0; k < kept.size(); ++k) rest(k, j) = values(kept[k], j);
  }
  values = std::move(rest);
}

void name_levels(const CsvLabels& labels, std::vector<InputColumn>& columns) {
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (columns[j].is_category() && columns[j].levels.size() != labels[j].size()) {
      columns[j].levels = labels_in_order(labels[j]);
    }
  }
}

// What one part tells of its columns.
struct CsvRows::Found {
  std::vector<std::optional<Word>> words;  // Of every kept column.
  CsvLabels labels;                        // Likewise.
  OddRows odd;
  std::string failure;
};

CsvRows::CsvRows(const CsvLayout& layout, std::string source, CsvLabels& labels)
    : layout_(layout),
      source_(std::move(source)),
      labels_(labels),
      words_(layout.kept),
      other_numbers_(layout.kept, false) {
  labels_.resize(layout.kept);
}

void CsvRows::read(const CsvParts& parts, Matrix& values, std::size_t first) {
  std::vector<Found> found(parts.parts.size());
  parallel_for(parts.parts.size(), [&](std::size_t k) {
    try {
      found[k].words.resize(layout_.kept);
      found[k].labels.resize(layout_.kept);
      read_part(parts.parts[k], values, first, found[k]);
    } catch (const DataError& error) {
      found[k].failure = error.what();
    }
  });
  for (const Found& part : found) {
    if (!part.failure.empty()) throw DataError(part.failure);
  }
  note_words(found);
  for (const Found& part : found) odd_.merge(part.odd);
  blank_out_missing_numbers(values, first);
  refuse_missing(parts, values, first);
  refuse_mixed_columns(values, first);
  for (std::size_t j = 0; j < layout_.slot.size(); ++j) {
    const bool labelled = layout_.cells[j] == CellKind::text || layout_.cells[j] == CellKind::any;
    if (layout_.slot[j] < 0 || !labelled) continue;
    number_labels(j, parts, found, values.col(static_cast<std::size_t>(layout_.slot[j])).subspan(first));
  }
}

void CsvRows::read_part(const CsvPart& part, Matrix& values, std::size_t first, Found& found) const {
  CsvRecords records(part.text, layout_.dialect.delimiter, part.first_line);
  CsvRecord record;
  for (std::size_t row = first + part.first_row; records.next(record); ++row) {
    found.odd.note_record(record, layout_.dialect.delimiter, layout_.names.size());
    if (layout_.only_numbers && read_numbers(record.text, layout_, values, row)) continue;
    if (!read_cells(record, values, row, found)) explain(record);
  }
}

bool CsvRows::read_cells(const CsvRecord& record, Matrix& values, std::size_t row, Found& found) const {
  std::string_view rest = record.text;
  bool more = true;
  std::size_t j = 0;
  for (; more && j < layout_.slot.size(); ++j) {
    const std::string_view cell = take_cell(rest, layout_.dialect.delimiter, more);
    if (!is_well_formed(cell)) return false;
    if (layout_.slot[j] < 0) continue;
    double& value = values(row, static_cast<std::size_t>(layout_.slot[j]));
    const bool quoted = !cell.empty() && cell.front() == '"';
    const bool readable =
        quoted ? read_cell(j, unquote(cell), record.line, value, found) : read_cell(j, cell, record.line, value, found);
    if (!readable) return false;
  }
  return !more && j == layout_.slot.size();
}

bool CsvRows::read_cell(std::size_t column, std::string_view cell, std::size_t line, double& value,
                        Found& found) const {
  const auto slot = static_cast<std::size_t>(layout_.slot[column]);
  const CellKind kind = layout_.cells[column];
  if (kind == CellKind::presence) {
    double number = 0.0;
    const bool numeric = parse_number(cell, layout_.dialect.decimal, number);
    value = layout_.missing.has(cell) || (numeric && layout_.missing.has(number)) ? missing : 0.0;
    return true;
  }
  if (kind == CellKind::text || kind == CellKind::any) {
    return read_label(column, std::string(cell), found.labels[slot], value);
  }
  bool word = false;
  if (!read_value(column, cell, value, word)) return false;
  if (word && !found.words[slot]) found.words[slot] = Word{line, std::string(cell)};
  if (!word && kind == CellKind::number && loses_digits(cell, value)) found.odd.note_rounded(column, line, cell);
  return true;
}

bool CsvRows::read_value(std::size_t column, std::string_view cell, double& value, bool& word) const {
  if (layout_.may_be_missing[column] && layout_.missing.has(cell)) {
    word = false;
    value = missing;
    return true;
  }
  if (layout_.cells[column] == CellKind::date) return parse_date(cell, value);
  return read_number(cell, layout_.dialect.decimal, value, word);
}

// Numbers that are written otherwise are the same label.
bool CsvRows::read_label(std::size_t column, std::string cell, ColumnLabels& labels, double& label) const {
  label = missing;
  if (layout_.may_be_missing[column] && layout_.missing.has(cell)) return true;
  double number = 0.0;
  const bool numeric = parse_number(cell, layout_.dialect.decimal, number) && std::isfinite(number);
  if (numeric && layout_.cells[column] == CellKind::text) return false;
  if (numeric && layout_.may_be_missing[column] && layout_.missing.has(number)) return true;
  if (numeric && !loses_digits(cell, number)) cell = fmt::format("{}", number + 0.0);
  if (!is_utf8(cell)) cell = latin1_to_utf8(cell);
  if (cell.empty()) return false;
  label = static_cast<double>(labels.try_emplace(std::move(cell), labels.size()).first->second);
  return true;
}

// The parts numbered labels each by itself. What comes out must not depend on where the text was cut.
void CsvRows::number_labels(std::size_t column, const CsvParts& parts, const std::vector<Found>& found,
                            std::span<double> values) {
  const auto slot = static_cast<std::size_t>(layout_.slot[column]);
  ColumnLabels& known = labels_[slot];
  for (std::size_t k = 0; k < found.size(); ++k) {
    std::vector<double> numbers;
    for (std::string& label : labels_in_order(found[k].labels[slot])) {
      numbers.push_back(static_cast<double>(known.try_emplace(std::move(label), known.size()).first->second));
    }
    const CsvPart& part = parts.parts[k];
    for (double& value : values.subspan(part.first_row, part.rows)) {
      if (!std::isnan(value)) value = numbers[static_cast<std::size_t>(value)];
    }
  }
  if (known.size() <= layout_.most_levels || !layout_.may_be_missing[column]) return;
  throw DataError(complaint_about_levels(
      layout_.most_levels, fmt::format("{}, column \"{}\"", source_, layout_.names[column]), leave_out(column)));
}

std::vector<std::string> CsvRows::warnings() const {
  return odd_.warnings(source_, layout_.names, !layout_.for_a_model);
}

// The fast way through a row takes any number for one.
void CsvRows::blank_out_missing_numbers(Matrix& values, std::size_t first) const {
  if (!layout_.missing.any_numbers()) return;
  for (std::size_t j = 0; j < layout_.slot.size(); ++j) {
    if (layout_.slot[j] < 0 || !layout_.may_be_missing[j] || layout_.cells[j] != CellKind::number) continue;
    for (double& value : values.col(static_cast<std::size_t>(layout_.slot[j])).subspan(first)) {
      if (layout_.missing.has(value)) value = missing;
    }
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
    if (layout_.slot[j] < 0 || layout_.cells[j] != CellKind::number) continue;
    const auto slot = static_cast<std::size_t>(layout_.slot[j]);
    const auto is_other = [](double value) { return value != 0.0 && value != 1.0 && !std::isnan(value); };
    other_numbers_[slot] = other_numbers_[slot] || std::ranges::any_of(values.col(slot).subspan(first), is_other);
    const std::optional<Word>& word = words_[slot];
    if (!other_numbers_[slot] || !word || (refused != nullptr && refused->line <= word->line)) continue;
    refused = &*word;
    column = j;
  }
  if (refused != nullptr) throw DataError(complaint(refused->line, column, refused->cell));
}

// Columns that no row may lack, with the lines of the rows that do.
void CsvRows::refuse_missing(const CsvParts& parts, const Matrix& values, std::size_t first) const {
  constexpr std::size_t most_told = 5;
  for (std::size_t j = 0; j < layout_.slot.size(); ++j) {
    if (layout_.slot[j] < 0 || !layout_.is_required[j]) continue;
    const auto column = values.col(static_cast<std::size_t>(layout_.slot[j])).subspan(first);
    const auto is_missing = [](double value) { return std::isnan(value); };
    const auto count = static_cast<std::size_t>(std::ranges::count_if(column, is_missing));
    if (count == 0) continue;
    std::vector<std::size_t> lines;
    for (const CsvPart& part : parts.parts) {
      CsvRecords records(part.text, layout_.dialect.delimiter, part.first_line);
      CsvRecord record;
      for (std::size_t row = part.first_row; lines.size() < most_told && records.next(record); ++row) {
        if (is_missing(column[row])) lines.push_back(record.line);
      }
    }
    const bool one = count == 1;
    throw DataError(fmt::format("{}: \"{}\" is missing in line{} {}{}.\nFill {}, or drop {}{}.", source_,
                                layout_.names[j], one ? "" : "s", fmt::join(lines, ", "),
                                count > lines.size() ? fmt::format(" and {} more", count - lines.size()) : "",
                                one ? "it" : "them", one ? "the row" : "these rows",
                                layout_.for_a_model ? "" : "; --drop-missing-target drops rows with a missing target"));
  }
}

// How a fit leaves a column out; a model needs all of its own.
std::string CsvRows::leave_out(std::size_t column) const {
  return layout_.for_a_model ? "" : fmt::format(" with --ignore {}", layout_.names[column]);
}

std::string CsvRows::complaint(std::size_t line, std::size_t column, std::string_view cell) const {
  const std::string place = fmt::format("{} line {}, column \"{}\"", source_, line, layout_.names[column]);
  if (layout_.must_be_numbers[column]) return complaint_about_required(place, cell);
  if (layout_.may_be_missing[column]) return complaint_about_kind(line, column, cell);
  return complaint_about_cell(cell, layout_.dialect.decimal, place, leave_out(column));
}

// "" where the cell is a number or missing.
std::string CsvRows::complaint_about_required(const std::string& place, std::string_view cell) const {
  double number = 0.0;
  const bool numeric = parse_number(cell, layout_.dialect.decimal, number);
  if (layout_.missing.has(cell) || (numeric && (std::isfinite(number) || layout_.missing.has(number)))) return "";
  if (numeric) return fmt::format("{}: \"{}\" is not a finite number.\nDrop the row.", place, shortened(cell));
  return fmt::format(
      "{}: \"{}\" is not a number.\nGive numbers in this column{}.", place, shortened(cell),
      layout_.for_a_model ? "" : ", or fit classes with --loss logistic or multinomial if it is the target");
}

// "" where the cell is what its column is.
std::string CsvRows::complaint_about_kind(std::size_t line, std::size_t column, std::string_view cell) const {
  double number = 0.0;
  const CellKind kind = layout_.cells[column];
  const bool numeric = parse_number(cell, layout_.dialect.decimal, number);
  if (kind == CellKind::any || layout_.missing.has(cell) || (numeric && layout_.missing.has(number))) return "";
  if (kind == CellKind::text && !numeric) return "";
  if (kind == CellKind::date && parse_date(cell, number)) return "";
  const std::string& name = layout_.names[column];
  const std::string place = fmt::format("{} line {}, column \"{}\"", source_, line, name);
  if (kind == CellKind::number && numeric) {
    if (std::isfinite(number)) return "";
    if (layout_.for_a_model) {
      return fmt::format("{}: \"{}\" is not a finite number.\nCorrect the cell, or drop the row.", place,
                         shortened(cell));
    }
    return complaint_about_cell(cell, layout_.dialect.decimal, place, leave_out(column));
  }
  if (layout_.for_a_model) {
    return fmt::format("{}: \"{}\" is {}.\nGive the column in the format of the training rows.", place, shortened(cell),
                       kind == CellKind::date ? "no date" : "not a number");
  }
  const char* const what = kind == CellKind::number ? "not a number"
                           : kind == CellKind::text ? "a number in a text column"
                                                    : "not a date, in a date column";
  return fmt::format(
      "{}: \"{}\" is {}.\nGive --categorical {} if its cells are names, --missing {} if it marks a missing cell, or "
      "ignore the column with --ignore {}.",
      place, shortened(cell), what, name, shortened(cell), name);
}

// Why this record cannot be read; called only once it is known that it cannot.
void CsvRows::explain(const CsvRecord& record) const {
  const std::string place = fmt::format("{} line {}", source_, record.line);
  refuse_malformed(record, layout_.dialect.delimiter, source_);
  const std::vector<std::string> cells = split_cells(record.text, layout_.dialect.delimiter);
  if (cells.size() != layout_.names.size()) {
    throw DataError(fmt::format("{} has {} cell{}, but {} are expected.\nGive every row as many cells as the header.",
                                place, cells.size(), cells.size() == 1 ? "" : "s", layout_.names.size()));
  }
  for (std::size_t j = 0; j < cells.size(); ++j) {
    const bool is_any = layout_.cells[j] == CellKind::any;
    if (layout_.slot[j] < 0 || (is_any && !cells[j].empty())) continue;
    double ignored = 0.0;
    if (layout_.cells[j] == CellKind::number && parse_boolean(cells[j], ignored)) continue;
    const std::string complained = complaint(record.line, j, cells[j]);
    if (!complained.empty()) throw DataError(complained);
  }
  throw DataError(place + " cannot be read.");
}

}  // namespace shrimp

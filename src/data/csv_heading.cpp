#include "data/csv_heading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>

#include "data/bad_cell.hpp"
#include "data/dates.hpp"
#include "data/memory.hpp"
#include "data/name_index.hpp"
#include "data/names.hpp"
#include "data/odd_rows.hpp"
#include "data/utf8.hpp"
#include "shrimp/errors.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

[[noreturn]] void fail(const std::string& source, const std::string& message) {
  throw DataError(source + ": " + message);
}

bool contains(std::string_view text, char wanted) {
  constexpr std::size_t block = 1 << 20;
  std::atomic<bool> found = false;
  parallel_for((text.size() + block - 1) / block, [&](std::size_t k) {
    if (!found && text.substr(k * block, block).find(wanted) != std::string_view::npos) found = true;
  });
  return found;
}

// The target of a regression, weights and exposures.
void refuse_categorical_numbers(const CsvOptions& options) {
  const NameIndex required(options.required);
  for (const std::string& name : options.categorical) {
    if (!required.has(name)) continue;
    throw OptionError(
        fmt::format("categorical names \"{0}\", but the target, the weights and the exposure must be numbers.\nRemove "
                    "\"{0}\" from categorical, or fit classes with loss logistic.",
                    name));
  }
}

CsvLayout make_layout(std::vector<std::string> names, CsvDialect dialect, const CsvOptions& options,
                      const std::string& source) {
  CsvLayout layout{dialect, std::move(names)};
  std::map<std::string, std::size_t> first;
  for (std::size_t j = 0; j < layout.names.size(); ++j) {
    const auto [seen, fresh] = first.emplace(layout.names[j], j);
    if (!fresh) {
      fail(source, fmt::format("columns {} and {} are both named \"{}\".\nGive every column a different name.",
                               seen->second + 1, j + 1, layout.names[j]));
    }
  }
  const NameIndex names_in_file(layout.names);
  const auto require = [&](const std::vector<std::string>& wanted, const char* use) {
    for (const std::string& name : wanted) {
      if (names_in_file.has(name)) continue;
      throw OptionError(
          fmt::format("{} has no column \"{}\" to {}.\n{}", source, name, use, suggest_names(layout.names, name)));
    }
  };
  require(options.ignore, "ignore");
  refuse_categorical_numbers(options);
  if (options.only.empty()) require(options.categorical, "use as categorical");
  const NameIndex ignore(options.ignore);
  const NameIndex only(options.only);
  for (const std::string& name : layout.names) {
    const bool ignored = ignore.has(name) || (!options.only.empty() && !only.has(name));
    layout.slot.push_back(ignored ? -1 : static_cast<std::ptrdiff_t>(layout.kept++));
  }
  layout.cells.assign(layout.names.size(), CellKind::number);
  layout.may_be_missing.assign(layout.names.size(), options.kinds);
  layout.for_a_model = !options.only.empty();
  layout.most_levels = options.most_levels;
  layout.missing = MissingWords(options.missing, dialect.decimal);
  layout.is_required.assign(layout.names.size(), false);
  layout.must_be_numbers.assign(layout.names.size(), false);
  for (const std::string& name : options.required) {
    const auto column = names_in_file.find(name);
    if (!column) continue;
    layout.must_be_numbers[*column] = true;
    layout.is_required[*column] = name != options.drop_without;
  }
  for (const std::string& name : options.categorical) {
    if (const auto column = names_in_file.find(name)) layout.cells[*column] = CellKind::any;
  }
  for (const std::string& name : options.presence) {
    if (const auto column = names_in_file.find(name)) layout.cells[*column] = CellKind::presence;
  }
  if (const auto labels = names_in_file.find(options.labels)) {
    layout.cells[*labels] = CellKind::any;
    layout.may_be_missing[*labels] = false;
  }
  return layout;
}

// The first of many warnings, and how many more there are.
class FewWarnings {
 public:
  FewWarnings(std::vector<std::string>& warnings, std::string rest) : warnings_(warnings), rest_(std::move(rest)) {}

  ~FewWarnings() {
    if (count_ > most) warnings_.push_back(fmt::format("… and {} more {}.", count_ - most, rest_));
  }
  FewWarnings(const FewWarnings&) = delete;
  FewWarnings& operator=(const FewWarnings&) = delete;

  void add(std::string warning) {
    if (count_++ < most) warnings_.push_back(std::move(warning));
  }

 private:
  static constexpr std::size_t most = 3;

  std::vector<std::string>& warnings_;
  std::string rest_;
  std::size_t count_ = 0;
};

CellKind kind_of(const std::string& cell, char decimal) {
  double ignored = 0.0;
  if (parse_number(cell, decimal, ignored) || parse_boolean(cell, ignored)) return CellKind::number;
  return parse_date(cell, ignored) ? CellKind::date : CellKind::text;
}

// What the first cell of each column that is not missing is; the kinds of columns that are named otherwise stay.
void find_kinds(CsvRecords records, CsvLayout& layout, const CsvOptions& options, FewWarnings& other_dates) {
  const NameIndex required(options.required);
  std::vector<bool> open(layout.names.size(), false);
  for (std::size_t j = 0; j < open.size(); ++j) {
    open[j] = layout.slot[j] >= 0 && layout.cells[j] == CellKind::number && !required.has(layout.names[j]);
  }
  CsvRecord record;
  for (std::size_t row = 0; row < records_for_kinds && records.next(record); ++row) {
    if (std::ranges::find(open, true) == open.end()) return;
    const std::vector<std::string> cells = split_cells(record.text, layout.dialect.delimiter);
    for (std::size_t j = 0; j < std::min(cells.size(), open.size()); ++j) {
      if (!open[j] || layout.missing.has(cells[j])) continue;
      const CellKind kind = kind_of(cells[j], layout.dialect.decimal);
      if (!layout.for_a_model || kind != CellKind::text) layout.cells[j] = kind;
      open[j] = false;
      if (kind != CellKind::text || layout.for_a_model || !looks_like_date(cells[j])) continue;
      other_dates.add(
          fmt::format("column \"{}\" is read as text: \"{}\" in line {} looks like a date. To read dates, write them "
                      "as YYYY-MM-DD.",
                      layout.names[j], shortened(cells[j]), record.line));
    }
  }
}

// As the table's reader tells them.
void note_kinds(CsvHeading& heading, const CsvOptions& options) {
  const CsvLayout& layout = heading.layout;
  heading.table.columns.resize(layout.kept);
  for (std::size_t j = 0; j < layout.names.size(); ++j) {
    if (layout.slot[j] < 0 || layout.names[j] == options.labels) continue;
    InputColumn& column = heading.table.columns[static_cast<std::size_t>(layout.slot[j])];
    const CellKind cells = layout.cells[j];
    if (cells == CellKind::text || cells == CellKind::any) column.kind = ColumnKind::category;
    if (cells != CellKind::date) continue;
    column.kind = ColumnKind::date;
    column.date_parts = options.date_parts;
  }
}

bool reads_only_numbers(const CsvLayout& layout) {
  for (std::size_t j = 0; j < layout.names.size(); ++j) {
    if (layout.slot[j] >= 0 && layout.cells[j] != CellKind::number) return false;
  }
  return true;
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
  FewWarnings latin(warnings, "names that are not UTF-8, read as Latin-1");
  FewWarnings unnamed(warnings, "columns without a name, named likewise");
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (!is_utf8(names[j])) {
      names[j] = latin1_to_utf8(names[j]);
      latin.add(fmt::format("{}: the name of column {} is not UTF-8; it was read as Latin-1: \"{}\".", source, j + 1,
                            names[j]));
    }
    if (!names[j].empty()) continue;
    names[j] = fmt::format("column{}", j + 1);
    unnamed.add(fmt::format("{}: column {} has no name; it is named \"{}\".", source, j + 1, names[j]));
  }
}

// Below a header there are rows, and numbers in them. Names of columns are told in messages: the first line of a file
// that is no table must not be.
void require_table(CsvRecords records, const CsvDialect& dialect, const std::string& source) {
  CsvRecord record;
  std::size_t rows = 0;
  for (; rows < records_of_heading && records.next(record); ++rows) {
    for (const std::string& cell : split_cells(record.text, dialect.delimiter)) {
      double ignored = 0.0;
      if (cell.empty() || parse_number(cell, dialect.decimal, ignored) || parse_boolean(cell, ignored)) return;
    }
  }
  if (rows == 0) refuse_without_rows(source);
  fail(source,
       "its first lines contain no number, so it does not look like a table.\nGive a CSV file with a header and rows "
       "of numbers.");
}

// Names are held several times over while they are read, compared and sorted. `text` counts as held.
void require_memory_for_columns(std::size_t columns, std::string_view text, const CsvOptions& options,
                                const std::string& source) {
  constexpr double of_a_column = 300.0;
  const double needed = of_a_column * static_cast<double>(columns);
  const double free = available_memory(options.memory, static_cast<double>(text.size()));
  if (needed <= free) return;
  fail(source, fmt::format("its first line has {} cells, whose names need about {}, but only {} of memory is "
                           "free.\nGive a table with fewer columns.",
                           columns, format_bytes(needed), format_bytes(free)));
}

}  // namespace

void check_encoding(std::string_view bytes, bool first, const std::string& source) {
  if (first && (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))) {
    fail(source, "the text is UTF-16.\nSave it as UTF-8.");
  }
  if (contains(bytes, '\0')) {
    fail(source, "it contains zero bytes, so it is not text.\nGive a CSV file.");
  }
}

void refuse_open_quote(const std::string& source, std::size_t line) {
  throw DataError(
      fmt::format("{} line {}: a quote is opened but not closed.\nClose it, or double it if it is part of the text.",
                  source, line));
}

void refuse_empty(const std::string& source) {
  fail(source, "the file is empty.\nGive a table with a header and rows of numbers.");
}

void refuse_without_rows(const std::string& source) {
  fail(source, "it has a header but no rows.\nGive rows of numbers.");
}

std::size_t size_of_byte_order_mark(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  return text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
}

void refuse_malformed(const CsvRecord& record, char delimiter, const std::string& source) {
  if (record.open_quote) refuse_open_quote(source, record.line);
  std::string_view rest = record.text;
  for (bool more = true; more;) {
    const std::string_view cell = take_cell(rest, delimiter, more);
    if (is_well_formed(cell)) continue;
    if (cell.front() != '"') {
      fail(fmt::format("{} line {}", source, record.line),
           "the line contains a carriage return.\nSave the file with one kind of line ending.");
    }
    fail(fmt::format("{} line {}", source, record.line),
         fmt::format("the cell {} continues after its closing quote.\nDouble each quote that is part of the text.",
                     shortened(cell)));
  }
}

CsvHeading read_heading(std::string_view text, const CsvDialect& dialect, const std::string& source,
                        const CsvOptions& options) {
  CsvHeading heading;
  CsvRecords records(text, dialect.delimiter);
  CsvRecord first;
  if (!records.next(first)) refuse_empty(source);
  refuse_malformed(first, dialect.delimiter, source);
  require_memory_for_columns(count_cells(first.text, dialect.delimiter), text, options, source);
  std::vector<std::string> names = split_cells(first.text, dialect.delimiter);
  const bool header = is_header(names, dialect.decimal);
  if (header) {
    require_table(records, dialect, source);
    OddRows odd;
    odd.note_record(first, dialect.delimiter, names.size());
    heading.table.warnings = odd.warnings(source, names, options.only.empty());
  }
  for (std::size_t j = 0; j < names.size() && !header; ++j) names[j] = fmt::format("x{}", j + 1);
  mend_names(names, source, heading.table.warnings);
  heading.layout = make_layout(std::move(names), dialect, options, source);
  for (std::size_t j = 0; j < heading.layout.names.size(); ++j) {
    (heading.layout.slot[j] >= 0 ? heading.table.names : heading.table.left_out).push_back(heading.layout.names[j]);
  }
  if (options.kinds) {
    FewWarnings other_dates(heading.table.warnings, "columns with such dates");
    find_kinds(header ? records : CsvRecords(text, dialect.delimiter), heading.layout, options, other_dates);
    note_kinds(heading, options);
  }
  heading.layout.only_numbers = reads_only_numbers(heading.layout);
  if (header) {
    heading.size = text.size() - records.rest().size();
    heading.line = records.line();
  }
  return heading;
}

}  // namespace shrimp

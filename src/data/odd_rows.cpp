#include "data/odd_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/bad_cell.hpp"

namespace shrimp {
namespace {

constexpr std::size_t few_lines = 5;  // Of a quoted cell. Chosen by hand: remarks have a few, swallowed rows have many.

// Whether each line of a record has as many cells as the table has columns when quotes have no meaning.
bool lines_are_rows(std::string_view record, char delimiter, std::size_t columns) {
  std::string line;
  for (bool more = true; more;) {
    const std::size_t end = record.find('\n');
    more = end != std::string_view::npos;
    line = record.substr(0, end);
    std::ranges::replace(line, '"', '_');
    if (count_cells(line, delimiter) != columns) return false;
    record.remove_prefix(more ? end + 1 : record.size());
  }
  return true;
}

}  // namespace

void OddRows::note_record(const CsvRecord& record, char delimiter, std::size_t columns) {
  if (record.lines == 1) return;
  if (record.lines > few_lines && !long_cell_) {
    long_cell_ = record.line;
    lines_of_long_cell_ = record.lines;
  }
  if (!lines_are_rows(record.text, delimiter, columns)) return;
  if (!joined_) joined_ = record.line;
  rows_joined_ += 1;
  lines_joined_ += record.lines;
}

void OddRows::note_rounded(std::size_t column, std::size_t line, std::string_view cell) {
  rounded_.try_emplace(column, Rounded{line, std::string(cell)});
}

void OddRows::merge(const OddRows& later) {
  if (!long_cell_) {
    long_cell_ = later.long_cell_;
    lines_of_long_cell_ = later.lines_of_long_cell_;
  }
  if (!joined_) joined_ = later.joined_;
  rows_joined_ += later.rows_joined_;
  lines_joined_ += later.lines_joined_;
  for (const auto& [column, first] : later.rounded_) rounded_.try_emplace(column, first);
}

std::vector<std::string> OddRows::warnings(const std::string& source, const std::vector<std::string>& names,
                                           bool advice) const {
  constexpr const char* repair = "if a quote is part of the text, double it and enclose the cell in quotes";
  std::vector<std::string> warnings;
  if (joined_) {
    warnings.push_back(fmt::format(
        "{} line {}: quotes join {} lines into {} row{}, but without the quotes each of these lines is a row; {}.",
        source, *joined_, lines_joined_, rows_joined_, rows_joined_ == 1 ? "" : "s", repair));
  } else if (long_cell_) {
    warnings.push_back(fmt::format("{} line {}: a row has quoted cells that span {} lines; {}.", source, *long_cell_,
                                   lines_of_long_cell_, repair));
  }
  for (const auto& [column, first] : rounded_) {
    const std::string& name = names[column];
    warnings.push_back(fmt::format(
        "{} line {}, column \"{}\": the integer {} exceeds double precision, so different integers may become equal; "
        "{}.",
        source, first.line, name, shortened(first.cell),
        advice ? fmt::format("--categorical {0} treats them as names, --ignore {0} ignores the column", name)
               : "give the column in the format of the training rows"));
  }
  return warnings;
}

}  // namespace shrimp

// Rows of CSV text become rows of numbers, many at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/csv_heading.hpp"
#include "data/odd_rows.hpp"
#include "shrimp/matrix.hpp"

namespace shrimp {

/// Different labels of one column, each with its number: from 0, in the order in which they first came.
using ColumnLabels = std::unordered_map<std::string, std::size_t>;

/// Of every column of the result; none in those of numbers.
using CsvLabels = std::vector<ColumnLabels>;

/// Labels by their numbers.
std::vector<std::string> labels_in_order(const ColumnLabels& labels);

/// Whole records of a text.
struct CsvPart {
  std::string_view text;
  std::size_t first_line = 1;
  std::size_t first_row = 0;
  std::size_t lines = 0;
  std::size_t rows = 0;
};

struct CsvParts {
  std::vector<CsvPart> parts;
  std::size_t lines = 0;
  std::size_t rows = 0;
};

/// Cuts whole records into about equal parts for the threads there are, and counts lines and rows.
CsvParts cut_records(std::string_view text, char delimiter, std::size_t first_line);

/// Throws DataError if so many numbers do not fit in what is free, or in the `memory` asked for (in GiB), beside `held`
/// bytes of text.
void require_memory_for(std::size_t rows, std::size_t columns, double memory, std::size_t held,
                        const std::string& source);

/// Takes out the rows from `first` on in which the column is missing. No column: leaves them as they are.
void drop_rows_without(std::optional<std::size_t> column, Matrix& values, std::size_t first);

/// Gives categories among a table's columns the names of their levels.
void name_levels(const CsvLabels& labels, std::vector<InputColumn>& columns);

/// Reads the rows of one text, piece by piece in their order. Throws DataError at the first row that cannot be read.
class CsvRows {
 public:
  /// Layout and labels must outlive it; labels may hold some from before.
  CsvRows(const CsvLayout& layout, std::string source, CsvLabels& labels);

  /// The parts' rows, from row `first` of the values on.
  void read(const CsvParts& parts, Matrix& values, std::size_t first);

  /// About the rows that were read so far.
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  /// The first word such as "true" in a column.
  struct Word {
    std::size_t line = 0;
    std::string cell;
  };
  struct Found;

  void read_part(const CsvPart& part, Matrix& values, std::size_t first, Found& found) const;
  bool read_cells(const CsvRecord& record, Matrix& values, std::size_t row, Found& found) const;
  bool read_cell(std::size_t column, std::string_view cell, std::size_t line, double& value, Found& found) const;
  bool read_label(std::size_t column, std::string cell, ColumnLabels& labels, double& label) const;
  bool read_value(std::size_t column, std::string_view cell, double& value, bool& word) const;
  void number_labels(std::size_t column, const CsvParts& parts, const std::vector<Found>& found,
                     std::span<double> values);
  void note_words(const std::vector<Found>& found);
  void blank_out_missing_numbers(Matrix& values, std::size_t first) const;
  void refuse_mixed_columns(const Matrix& values, std::size_t first);
  void refuse_missing(const CsvParts& parts, const Matrix& values, std::size_t first) const;
  [[noreturn]] void explain(const CsvRecord& record) const;
  [[nodiscard]] std::string leave_out(std::size_t column) const;
  [[nodiscard]] std::string complaint(std::size_t line, std::size_t column, std::string_view cell) const;
  [[nodiscard]] std::string complaint_about_required(const std::string& place, std::string_view cell) const;
  [[nodiscard]] std::string complaint_about_kind(std::size_t line, std::size_t column, std::string_view cell) const;

  const CsvLayout& layout_;
  std::string source_;
  CsvLabels& labels_;
  std::vector<std::optional<Word>> words_;  // Of every kept column.
  std::vector<bool> other_numbers_;         // Of every kept column: whether there are any but 0 and 1.
  OddRows odd_;
};

}  // namespace shrimp

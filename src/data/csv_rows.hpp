// Rows of CSV text become rows of numbers, many at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/csv_heading.hpp"
#include "shrimp/matrix.hpp"

namespace shrimp {

/// Different labels, each with its number: from 0, in the order in which they first came.
using CsvLabels = std::unordered_map<std::string, std::size_t>;

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
CsvParts cut_records(std::string_view text, std::size_t first_line);

/// Throws DataError if so many numbers do not fit in what is free, or in the `memory` asked for (in GiB), beside `held`
/// bytes of text.
void require_memory_for(std::size_t rows, std::size_t columns, double memory, std::size_t held,
                        const std::string& source);

/// Reads the rows of one text, piece by piece in their order. Throws DataError at the first row that cannot be read.
class CsvRows {
 public:
  /// Layout and labels must outlive it; labels may hold some from before.
  CsvRows(const CsvLayout& layout, std::string source, CsvLabels& labels);

  /// The parts' rows, from row `first` of the values on.
  void read(const CsvParts& parts, Matrix& values, std::size_t first);

 private:
  /// The first word such as "true" in a column.
  struct Word {
    std::size_t line = 0;
    std::string cell;
  };
  struct Found;

  void read_part(const CsvPart& part, Matrix& values, std::size_t first, Found& found) const;
  bool read_cells(const CsvRecord& record, Matrix& values, std::size_t row, Found& found) const;
  void number_labels(const CsvParts& parts, const std::vector<Found>& found, std::span<double> column);
  void note_words(const std::vector<Found>& found);
  void refuse_mixed_columns(const Matrix& values, std::size_t first);
  [[noreturn]] void explain(const CsvRecord& record) const;
  [[nodiscard]] std::string complaint(std::size_t line, std::size_t column, std::string_view cell) const;

  const CsvLayout& layout_;
  std::string source_;
  CsvLabels& labels_;
  std::vector<std::optional<Word>> words_;  // Of every kept column.
  std::vector<bool> other_numbers_;         // Of every kept column: whether there are any but 0 and 1.
};

}  // namespace shrimp

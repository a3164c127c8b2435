// Rows that could be read but may not mean what was read: quoted cells over several lines, integers that are rounded.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv_dialect.hpp"

namespace shrimp {

class OddRows {
 public:
  /// `columns`: the number of cells in a row.
  void note_record(const CsvRecord& record, char delimiter, std::size_t columns);
  /// An integer of more digits than a double keeps. `column` is one of the file's.
  void note_rounded(std::size_t column, std::size_t line, std::string_view cell);
  /// Notes on rows that come after those of this object.
  void merge(const OddRows& later);

  /// `names`: those of the file's columns. `advice`: whether flags of a fit may be recommended.
  [[nodiscard]] std::vector<std::string> warnings(const std::string& source, const std::vector<std::string>& names,
                                                  bool advice) const;

 private:
  struct Rounded {
    std::size_t line = 0;
    std::string cell;
  };

  std::optional<std::size_t> long_cell_;  // Line of the first quoted cell over many lines.
  std::size_t lines_of_long_cell_ = 0;
  std::optional<std::size_t> joined_;  // Line of the first record whose lines are rows without the quotes.
  std::size_t rows_joined_ = 0;
  std::size_t lines_joined_ = 0;
  std::map<std::size_t, Rounded> rounded_;  // By column, the first.
};

}  // namespace shrimp

// Rows of a file block by block, with the columns that a model asks for.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "data/csv_stream.hpp"
#include "data/input_file.hpp"

namespace shrimp::cli {

class NamedRows {
 public:
  /// Other columns are passed over, and missing ones are not there.
  NamedRows(const std::string& path, const std::vector<std::string>& names, int threads);

  /// Names and warnings; no rows.
  [[nodiscard]] const Table& heading() const { return stream_.heading(); }

  /// Throws DataError naming the missing columns.
  void require_all() const;

  /// Calls body with one block after the other, whose columns are those named in the order given; once.
  void for_each(const std::function<void(MatrixView)>& body);

 private:
  std::string path_;
  std::vector<std::string> names_;
  InputFile file_;
  CsvLabels no_labels_;
  CsvStream stream_;
};

}  // namespace shrimp::cli

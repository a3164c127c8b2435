// The rows of a CSV text in blocks, as they come.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "data/byte_source.hpp"
#include "data/csv_heading.hpp"
#include "data/csv_rows.hpp"
#include "data/csv_text.hpp"
#include "shrimp/table.hpp"

namespace shrimp {

class CsvStream {
 public:
  /// Bytes may be an archive; `labels`, which must outlive it, has the labels of passes before; `chunk`: about how many
  /// bytes of text are held at a time, 0 for as many as are good for the threads and the memory. Throws what parse_csv
  /// throws, as far as the heading tells.
  CsvStream(std::unique_ptr<ByteSource> bytes, std::string source, const CsvOptions& options, CsvLabels& labels,
            std::size_t chunk = 0);
  CsvStream(const CsvStream&) = delete;
  CsvStream& operator=(const CsvStream&) = delete;

  /// Names, kinds and warnings; no rows. Levels of categories are those met so far.
  [[nodiscard]] const Table& heading() const { return heading_.table; }

  /// About the rows that were read so far.
  [[nodiscard]] std::vector<std::string> warnings() const { return rows_.warnings(); }

  /// The next rows_of_a_block rows, the last time what is left, then none; seen until the next call. The values are
  /// those of parse_csv. Throws DataError as it does, with rows before it passed on where they came in parts before.
  std::optional<MatrixView> next();
  /// Calls body with each of them; once.
  void for_each(const std::function<void(MatrixView)>& body);

 private:
  /// The next rows, behind those that were not passed on; false at the end.
  bool read_more();

  std::string source_;
  int threads_;
  double memory_;
  CsvText text_;
  CsvHeading heading_;
  CsvRows rows_;
  CsvLabels& labels_;
  std::optional<std::size_t> drop_without_;
  std::size_t line_;  // Where the next rows start.
  Matrix values_;
  std::size_t passed_on_ = 0;  // Of these values.
  bool any_ = false;
};

}  // namespace shrimp

#include "data/csv_stream.hpp"

#include <algorithm>
#include <utility>

#include "data/decompress.hpp"
#include "data/memory.hpp"
#include "shrimp/table_blocks.hpp"
#include "threads/threads.hpp"

namespace shrimp {
namespace {

// Enough for the threads to share, and a small part of the memory.
std::size_t chunk_for(const CsvOptions& options) {
  constexpr double smallest = 1 << 16;
  const double wanted = std::clamp(thread_count(options.threads), 4, 32) * 1048576.0;
  return static_cast<std::size_t>(std::clamp(available_memory(options.memory) / 16.0, smallest, wanted));
}

MatrixView rows_from(const Matrix& values, std::size_t first, std::size_t rows) {
  return {values.data() + first, rows, values.cols(), values.rows()};
}

// What was read before and not passed on yet, and room for more rows below it.
Matrix with_room(MatrixView left, std::size_t rows) {
  Matrix values = Matrix::uninitialized(left.rows + rows, left.cols);
  for (std::size_t j = 0; j < left.cols; ++j) std::ranges::copy(left.col(j), values.col(j).begin());
  return values;
}

}  // namespace

CsvStream::CsvStream(std::unique_ptr<ByteSource> bytes, std::string source, const CsvOptions& options,
                     CsvLabels& labels, std::size_t chunk)
    : source_(std::move(source)),
      threads_(options.threads),
      memory_(options.memory),
      text_(unpacked(std::move(bytes), source_), source_, chunk > 0 ? chunk : chunk_for(options)),
      heading_(read_heading(text_.look(records_of_heading), source_, options)),
      rows_(heading_.layout, source_, labels),
      line_(heading_.line) {
  text_.pass(heading_.size);
}

void CsvStream::for_each(const std::function<void(MatrixView)>& body) {
  Matrix values(0, heading_.layout.kept);
  std::size_t passed_on = 0;  // Of these values.
  bool any = false;
  while (read_more(values, passed_on)) {
    for (passed_on = 0; passed_on + rows_of_a_block <= values.rows(); passed_on += rows_of_a_block) {
      body(rows_from(values, passed_on, rows_of_a_block));
    }
    any = any || values.rows() > 0;
  }
  if (!any) refuse_without_rows(source_);
  if (passed_on < values.rows()) body(rows_from(values, passed_on, values.rows() - passed_on));
}

bool CsvStream::read_more(Matrix& values, std::size_t passed_on) {
  const ThreadScope scope(threads_);
  const std::string_view text = text_.next(line_);
  if (text.empty()) return false;
  const CsvParts parts = cut_records(text, line_);
  const std::size_t left = values.rows() - passed_on;
  require_memory_for(left + parts.rows, values.cols(), memory_, source_);
  values = with_room(rows_from(values, passed_on, left), parts.rows);
  rows_.read(parts, values, left);
  line_ += parts.lines;
  return true;
}

}  // namespace shrimp

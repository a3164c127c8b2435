#include "data/csv_stream.hpp"

#include <algorithm>
#include <utility>

#include "data/decompress.hpp"
#include "data/memory.hpp"
#include "data/names.hpp"
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

// A record that is longer is copied into more and more room, and then cut into cells.
std::size_t longest_for(const CsvOptions& options) {
  const double share = available_memory(options.memory) / 8.0;
  return static_cast<std::size_t>(std::min(share, static_cast<double>(CsvText::longest_record)));
}

MatrixView rows_from(const Matrix& values, std::size_t first, std::size_t rows) {
  return {values.data() + first, rows, values.cols(), values.rows()};
}

CsvHeading read_first_records(CsvText& text, const std::string& source, const CsvOptions& options) {
  const std::string_view records = text.look(options.kinds ? records_for_kinds : records_of_heading);
  return read_heading(records, text.dialect(), source, options);
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
      text_(unpacked(std::move(bytes), source_, available_memory(options.memory)), source_,
            chunk > 0 ? chunk : chunk_for(options), longest_for(options)),
      heading_(read_first_records(text_, source_, options)),
      rows_(heading_.layout, source_, labels),
      labels_(labels),
      drop_without_(find_name(heading_.table.names, options.drop_without)),
      line_(heading_.line),
      values_(0, heading_.layout.kept) {
  text_.pass(heading_.size);
}

void CsvStream::for_each(const std::function<void(MatrixView)>& body) {
  while (const auto block = next()) body(*block);
}

std::optional<MatrixView> CsvStream::next() {
  bool more = true;
  while (more && values_.rows() - passed_on_ < rows_of_a_block) more = read_more();
  const std::size_t rows = std::min(rows_of_a_block, values_.rows() - passed_on_);
  any_ = any_ || rows > 0;
  if (!any_) refuse_without_rows(source_);
  if (rows == 0) return std::nullopt;
  passed_on_ += rows;
  return rows_from(values_, passed_on_ - rows, rows);
}

bool CsvStream::read_more() {
  const ThreadScope scope(threads_);
  const std::string_view text = text_.next(line_);
  if (text.empty()) return false;
  const CsvParts parts = cut_records(text, text_.dialect().delimiter, line_);
  const std::size_t left = values_.rows() - passed_on_;
  require_memory_for(2 * left + parts.rows, values_.cols(), memory_, text.size(), source_);
  values_ = with_room(rows_from(values_, passed_on_, left), parts.rows);
  passed_on_ = 0;
  rows_.read(parts, values_, left);
  drop_rows_without(drop_without_, values_, left);
  name_levels(labels_, heading_.table.columns);
  line_ += parts.lines;
  return true;
}

}  // namespace shrimp

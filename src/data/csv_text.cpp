#include "data/csv_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "data/csv_dialect.hpp"
#include "data/csv_heading.hpp"
#include "data/memory.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

constexpr std::size_t first_chunk = std::size_t{1} << 18;     // So that the first rows need not wait for many.
constexpr std::size_t longest_search = std::size_t{1} << 20;  // For the end of the first line.

std::size_t count_records(std::string_view text, char delimiter, std::size_t most) {
  CsvRecords records(text, delimiter);
  CsvRecord record;
  std::size_t count = 0;
  while (count < most && records.next(record)) ++count;
  return count;
}

}  // namespace

CsvText::CsvText(std::unique_ptr<ByteSource> bytes, std::string source, std::size_t chunk, std::size_t longest)
    : bytes_(std::move(bytes)),
      source_(std::move(source)),
      chunk_(chunk),
      longest_(longest),
      wanted_(std::min(chunk, first_chunk)) {}

std::string_view CsvText::look(std::size_t records) {
  if (!started_) find_line_ends();
  read_until(wanted_);
  while (!knows_dialect() || (!ended_ && count_records(whole(), dialect_.delimiter, records) < records)) {
    check_length(1);
    read_until(2 * held().size() + 1);
  }
  return whole();
}

std::string_view CsvText::next(std::size_t line) {
  if (!started_) find_line_ends();
  read_until(wanted_);
  wanted_ = std::min(chunk_, 2 * wanted_);
  while (!ended_ && whole().empty()) {
    check_length(line);
    read_until(2 * held().size() + 1);
  }
  const std::string_view records = whole();
  pass(records.size());
  return records;
}

std::string_view CsvText::whole() const {
  return ended_ ? held() : held().substr(0, size_of_whole_records(held(), dialect_.delimiter));
}

// False if the decision needs more text.
bool CsvText::knows_dialect() {
  const std::optional<CsvDialect> found = detect_dialect(held(), ended_);
  if (found) dialect_ = *found;
  return found.has_value();
}

void CsvText::read_until(std::size_t size) {
  if (ended_ || held().size() >= size) return;
  std::copy(buffer_.data() + begin_, buffer_.data() + end_, buffer_.data());
  end_ -= std::exchange(begin_, 0);
  if (buffer_.size() < size) buffer_.resize(size);
  while (!ended_ && end_ < size) add(bytes_->read(std::span(buffer_).first(size).subspan(end_)));
}

// Bytes that were put behind those held.
void CsvText::add(std::size_t count) {
  ended_ = count == 0;
  const std::span<char> fresh = std::span(buffer_).subspan(end_, count);
  if (started_) check_encoding({fresh.data(), fresh.size()}, false, source_);
  if (macintosh_) {
    if (std::ranges::find(fresh, '\n') != fresh.end()) {
      throw DataError(source_ +
                      ": its first lines end with carriage returns, and others with newlines.\nSave it with one kind "
                      "of line ending.");
    }
    std::ranges::replace(fresh, '\r', '\n');
  }
  end_ += count;
}

// Carriage returns alone end the lines of a text that has no newline.
void CsvText::find_line_ends() {
  for (std::size_t size = wanted_; !ended_; size = 2 * held().size()) {
    read_until(size);
    if (held().find('\n') != std::string_view::npos || held().size() >= longest_search) break;
  }
  started_ = true;
  check_encoding(held(), true, source_);
  begin_ += size_of_byte_order_mark(held());
  const bool has_newline = held().find('\n') != std::string_view::npos;
  macintosh_ = !has_newline && held().find('\r') != std::string_view::npos;
  if (macintosh_) std::replace(buffer_.data() + begin_, buffer_.data() + end_, '\r', '\n');
}

void CsvText::check_length(std::size_t line) const {
  if (held().size() < longest_) return;
  CsvRecords records(held(), dialect_.delimiter);
  CsvRecord record;
  if (records.next(record) && record.open_quote) refuse_open_quote(source_, line);
  throw DataError(fmt::format("{} line {} is longer than {}.\nGive a table with one line per row.", source_, line,
                              format_bytes(static_cast<double>(longest_))));
}

}  // namespace shrimp

// CSV text that comes in parts, as parts of whole records.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/byte_source.hpp"
#include "data/csv_dialect.hpp"

namespace shrimp {

class CsvText {
 public:
  /// What is longer is no table, or has an open quote.
  static constexpr std::size_t longest_record = std::size_t{1} << 28;

  /// `chunk`: about how many bytes are held at a time; a longer record is held all the same, up to `longest` bytes.
  CsvText(std::unique_ptr<ByteSource> bytes, std::string source, std::size_t chunk,
          std::size_t longest = longest_record);

  /// At least so many of the first records, or all that there are; finds the dialect. Throws DataError where the text
  /// cannot be read.
  std::string_view look(std::size_t records);
  /// Known after look.
  [[nodiscard]] const CsvDialect& dialect() const { return dialect_; }
  /// Passes over bytes that were looked at.
  void pass(std::size_t size) { begin_ += size; }
  /// The next records, until it is called again; "" at the end. `line` is the number of the line they start in, for
  /// messages.
  std::string_view next(std::size_t line);

 private:
  [[nodiscard]] std::string_view held() const { return {buffer_.data() + begin_, end_ - begin_}; }
  [[nodiscard]] std::string_view whole() const;
  bool knows_dialect();
  void read_until(std::size_t size);
  void find_line_ends();
  void add(std::size_t count);
  void check_length(std::size_t line) const;

  std::unique_ptr<ByteSource> bytes_;
  std::string source_;
  std::size_t chunk_;
  std::size_t longest_;
  std::size_t wanted_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool started_ = false;
  bool ended_ = false;
  CsvDialect dialect_;
  bool macintosh_ = false;  // Lines end with a carriage return alone.
};

}  // namespace shrimp

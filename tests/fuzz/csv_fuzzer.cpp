// Any text is either a table of finite numbers or a DataError, the same read at once and in parts.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv_stream.hpp"
#include "shrimp/shrimp.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void use(shrimp::Table table) {
  require(!table.names.empty() && table.values.rows() > 0 && table.values.cols() == table.names.size());
  for (std::size_t j = 0; j < table.values.cols(); ++j) {
    for (const double value : table.values.col(j)) require(std::isfinite(value));
  }
  if (table.names.size() < 2) return;
  const std::string target = table.names.back();
  const std::size_t rows = table.values.rows();
  const shrimp::Dataset data = shrimp::split_target(std::move(table), target, "fuzz");
  require(data.y.size() == rows && data.X.cols() == data.inputs.size());
}

// Rows one after the other, and what was refused if anything was.
struct Reading {
  std::vector<std::string> names;
  std::vector<double> values;
  std::string refusal;

  void add(shrimp::MatrixView rows) {
    for (std::size_t i = 0; i < rows.rows; ++i) {
      for (std::size_t j = 0; j < rows.cols; ++j) values.push_back(rows(i, j));
    }
  }
};

Reading read_at_once(std::string_view text, const shrimp::CsvOptions& options) {
  Reading reading;
  try {
    shrimp::Table table = shrimp::parse_csv(text, "fuzz", options);
    reading.names = table.names;
    reading.add(table.values);
    use(std::move(table));
  } catch (const shrimp::DataError& error) {
    reading.refusal = error.what();
  }
  return reading;
}

Reading read_in_parts(std::string_view text, std::size_t size, const shrimp::CsvOptions& options) {
  Reading reading;
  try {
    shrimp::CsvLabels labels;
    shrimp::CsvStream stream(std::make_unique<shrimp::BytesInMemory>(text, size), "fuzz", options, labels, size);
    reading.names = stream.heading().names;
    stream.for_each([&](shrimp::MatrixView rows) { reading.add(rows); });
  } catch (const shrimp::DataError& error) {
    reading.refusal = error.what();
  }
  return reading;
}

// An archive is unpacked in parts, and no text at once.
bool is_archive(std::string_view text) {
  return text.starts_with("\x1F\x8B") || text.find("\xB5\x2F\xFD") == 1 || text.find("\x2A\x4D\x18") == 1;
}

void compare(std::string_view text, const shrimp::CsvOptions& options) {
  const Reading expected = read_at_once(text, options);
  if (is_archive(text)) return;
  for (const std::size_t size : {std::size_t{1}, 2 + text.size() % 61, text.size() + 1}) {
    const Reading reading = read_in_parts(text, size, options);
    // Of several faults, the first that is met is named.
    require(reading.refusal.empty() == expected.refusal.empty());
    if (size > text.size()) require(reading.refusal == expected.refusal);
    if (!expected.refusal.empty()) continue;
    require(reading.names == expected.names && reading.values == expected.values);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  shrimp::CsvOptions options;
  options.threads = 1;
  options.memory = 1.0;  // What the machine has free is read from files, which takes longer than most of the texts.
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const char* labels : {"x1", ""}) {
    options.labels = labels;
    compare(text, options);
  }
  return 0;
}

// What the CSV reader makes of many files, for a comparison with readers of other people.
//   csv_cells PACK     each file is its size in bytes, a line end, and its bytes; prints one line of JSON for each
// A file that is read: {"delimiter", "decimal", "names", "rows"}, where rows have a text or null (missing) for each
// cell. A file that is refused: {"refused"}, with the message.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "data/byte_source.hpp"
#include "data/csv_dialect.hpp"
#include "data/csv_heading.hpp"
#include "data/csv_stream.hpp"
#include "data/json.hpp"
#include "data/present.hpp"
#include "shrimp/errors.hpp"
#include "shrimp/table.hpp"
#include "threads/threads.hpp"

namespace {

using shrimp::Json;

// Every column as text.
shrimp::CsvOptions all_text(const std::vector<std::string>& names) {
  shrimp::CsvOptions options;
  options.kinds = true;
  options.categorical = names;
  options.threads = 1;
  return options;
}

Json rows_of(shrimp::MatrixView values, const std::vector<shrimp::InputColumn>& columns) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < values.rows; ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < values.cols; ++j) {
      const double code = values(i, j);
      row.push_back(shrimp::is_missing(code) ? Json(nullptr) : Json(columns[j].levels[static_cast<std::size_t>(code)]));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::string> names_in(std::string_view text) {
  const std::string_view records = text.substr(shrimp::size_of_byte_order_mark(text));
  return shrimp::read_heading(records, *shrimp::detect_dialect(records), "file", {}).table.names;
}

Json read_whole(std::string_view text) {
  std::string lines(text);
  if (text.find('\n') == std::string_view::npos) std::ranges::replace(lines, '\r', '\n');
  const std::vector<std::string> names = names_in(lines);
  const shrimp::CsvDialect dialect =
      *shrimp::detect_dialect(std::string_view(lines).substr(shrimp::size_of_byte_order_mark(lines)));
  const shrimp::Table table = shrimp::parse_csv(text, "file", all_text(names));
  return {{"delimiter", std::string(1, dialect.delimiter)},
          {"decimal", std::string(1, dialect.decimal)},
          {"names", table.names},
          {"rows", rows_of(table.values, table.columns)}};
}

// The same file in pieces that end anywhere.
Json read_in_pieces(std::string_view text, const std::vector<std::string>& names) {
  constexpr std::size_t bytes_of_a_piece = 61;
  shrimp::CsvLabels labels;
  shrimp::CsvStream stream(std::make_unique<shrimp::BytesInMemory>(text), "file", all_text(names), labels,
                           bytes_of_a_piece);
  Json rows = Json::array();
  while (const auto block = stream.next()) {
    for (Json& row : rows_of(*block, stream.heading().columns)) rows.push_back(std::move(row));
  }
  return rows;
}

Json read(std::string_view text) {
  try {
    Json found = read_whole(text);
    if (read_in_pieces(text, found["names"].get<std::vector<std::string>>()) != found["rows"]) {
      throw std::logic_error("a file in pieces has other cells than the whole file.");
    }
    return found;
  } catch (const shrimp::DataError& error) {
    return {{"refused", error.what()}};
  }
}

}  // namespace

int main(int /*argc*/, char** argv) {
  const shrimp::ThreadScope scope(1);  // Files are too small to share.
  std::ifstream file(argv[1], std::ios::binary);
  const std::string pack{std::istreambuf_iterator<char>(file), {}};
  for (std::size_t at = 0; at < pack.size();) {
    const std::size_t end = pack.find('\n', at);
    const std::size_t size = std::stoul(pack.substr(at, end - at));
    fmt::print("{}\n", read(std::string_view(pack).substr(end + 1, size)).dump());
    at = end + 1 + size;
  }
}

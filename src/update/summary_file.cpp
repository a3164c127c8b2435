// The summary file, all numbers little-endian:
//
//   "SHRIMPSU"  version (u32)  bits of folds (u32)  columns (u64)  folds (u64)
//   hash of columns, of coefficients (u64)  mean and scale of the target, its lowest and highest value (f64)
//   divisor of weights (u64)  flags (u64): 1 if all weights were whole, and from version 3 on 2 for working responses
//   from version 2 on: tables (u64), of each, ascending, its identity (u64)
//   of each fold, ascending: its name (u64)  rows (u64)  weight (f64)  rest (f64)  rows r of R (u64)
//     r rows of R from the diagonal on (f64)  b (f64)
//   CRC-32 of all before (u32)
//
// Everything read is checked before it is used; sizes, before memory is taken for what they say.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "data/file.hpp"
#include "linalg/dense.hpp"
#include "shrimp/errors.hpp"
#include "update/summary_content.hpp"

namespace shrimp {
namespace {

constexpr std::string_view magic = "SHRIMPSU";
constexpr std::size_t checksum_size = 4;

// Flags.
constexpr std::uint64_t whole_weights = 1;
constexpr std::uint64_t working_rows = 2;

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

std::uint32_t checksum(std::string_view bytes) {
  uLong crc = crc32_z(0, nullptr, 0);
  crc = crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  return static_cast<std::uint32_t>(crc);
}

template <typename Number>
void put(std::string& bytes, Number number) {
  char raw[sizeof(Number)];
  std::memcpy(raw, &number, sizeof(Number));
  bytes.append(raw, sizeof(Number));
}

// Entries from the diagonal on, in the first `rows` rows.
std::size_t entries(std::size_t rows, std::size_t columns) { return rows * columns - rows * (rows - (rows > 0)) / 2; }

void put_fold(std::string& bytes, std::uint64_t name, const TriangularSystem& sums) {
  put(bytes, name);
  put<std::uint64_t>(bytes, sums.rows);
  put(bytes, sums.weight);
  put(bytes, sums.rest);
  put<std::uint64_t>(bytes, sums.R.rows());
  for (std::size_t i = 0; i < sums.R.rows(); ++i) {
    for (std::size_t j = i; j < sums.columns(); ++j) put(bytes, sums.R(i, j));
  }
  for (const double value : sums.b) put(bytes, value);
}

/// Takes numbers off the front.
class SummaryReader {
 public:
  SummaryReader(std::string_view bytes, const std::string& source) : bytes_(bytes), source_(source) {}

  /// Throws ModelFileError where the file is none, whatever follows its first bytes.
  void check_magic() const {
    if (bytes_.starts_with(magic)) return;
    throw ModelFileError(
        fmt::format("{} is not a file of sufficient statistics.\nGive a file written by `shrimp summarize`, or by "
                    "--summary of `shrimp fit`, `update` or `merge`.",
                    source_));
  }

  ModelSummary read() {
    const std::uint32_t version = check_frame();
    auto content = std::make_unique<ModelSummary::Content>();
    content->bits = take<std::uint32_t>();
    if (content->bits < 1 || content->bits > 64) fail("the hashes of its fold names have a wrong size");
    const auto columns = take<std::uint64_t>();
    if (columns < 1 || columns > most_columns) fail("it has a wrong number of columns");
    content->columns = columns;
    const auto folds = take<std::uint64_t>();
    if (folds > most_folds(columns)) fail("it has too many folds");
    content->columns_hash = take<std::uint64_t>();
    content->model_hash = take<std::uint64_t>();
    content->target_mean = number();
    content->target_scale = positive("target's scale");
    content->lowest = take<double>();
    content->highest = take<double>();
    content->unit.divisor = take<std::uint64_t>();
    read_flags(version, *content);
    if (version >= 2) read_tables(*content);
    check_range(*content, folds);
    for (std::uint64_t k = 0; k < folds; ++k) read_fold(*content);
    if (!bytes_.empty()) fail("it has data behind its end");
    check_unit(*content);
    return ModelSummary(std::move(content));
  }

 private:
  static constexpr std::uint64_t most_columns = 1000000;

  [[noreturn]] void fail(const std::string& what) const {
    throw ModelFileError(fmt::format(
        "{} is damaged: {}.\nCompute the sufficient statistics again, or restore the file.", source_, what));
  }

  // The version first: files of newer programs may end in another way.
  std::uint32_t check_frame() {
    check_magic();
    const std::string_view all = bytes_;
    bytes_.remove_prefix(magic.size());
    const auto version = take<std::uint32_t>();
    if (version > summary_format_version) {
      throw ModelFileError(
          fmt::format("{} has format version {}, but this program reads up to {}.\nUse a newer Shrimp.", source_,
                      version, summary_format_version));
    }
    if (version < 1) fail("it has a format version below 1");
    if (bytes_.size() < checksum_size) fail("it is truncated");
    std::uint32_t written = 0;
    std::memcpy(&written, all.data() + all.size() - checksum_size, checksum_size);
    if (written != checksum(all.substr(0, all.size() - checksum_size))) {
      fail("it is truncated, or bytes in it have changed");
    }
    bytes_.remove_suffix(checksum_size);
    return version;
  }

  template <typename Number>
  Number take() {
    if (bytes_.size() < sizeof(Number)) fail("it is truncated");
    Number number;
    std::memcpy(&number, bytes_.data(), sizeof(Number));
    bytes_.remove_prefix(sizeof(Number));
    return number;
  }

  double number() {
    const auto value = take<double>();
    if (!std::isfinite(value)) fail("a number in it is not finite");
    return value;
  }

  double positive(const char* what) {
    const double value = number();
    if (!(value > 0.0)) fail(fmt::format("its {} is not positive", what));
    return value;
  }

  void read_flags(std::uint32_t version, ModelSummary::Content& content) {
    const auto flags = take<std::uint64_t>();
    if (flags > (version >= 3 ? 3u : 1u)) fail("its flags are unknown");
    content.unit.whole = (flags & whole_weights) != 0;
    content.of_working_rows = (flags & working_rows) != 0;
  }

  void check_range(const ModelSummary::Content& content, std::uint64_t folds) const {
    const bool none = content.lowest > content.highest;
    const bool finite = std::isfinite(content.lowest) && std::isfinite(content.highest);
    if (folds == 0 ? !none : (none || !finite)) fail("its range of the target is empty");
  }

  void read_tables(ModelSummary::Content& content) {
    const auto count = take<std::uint64_t>();
    if (bytes_.size() / sizeof(std::uint64_t) < count) fail("it is truncated");
    for (std::uint64_t k = 0; k < count; ++k) {
      const auto table = take<std::uint64_t>();
      if (!content.tables.empty() && table <= content.tables.back()) fail("its tables are not in ascending order");
      content.tables.push_back(table);
    }
  }

  // The greatest common divisor of whole weights is none of them, or divides their sum.
  void check_unit(const ModelSummary::Content& content) const {
    if (!content.unit.whole || content.sums.empty()) return;
    double weight = 0.0;
    for (const auto& [name, sums] : content.sums) weight += sums.weight;
    const auto divisor = static_cast<double>(content.unit.divisor);
    if (!(divisor >= 1.0 && divisor <= weight)) fail("its divisor of weights is wrong");
  }

  // Sums that overflow give no coefficients. The constant's column holds the roots of the weights.
  void check_sizes(const TriangularSystem& sums, bool of_working_rows) const {
    const double size = squared_norm({sums.R.data(), sums.R.rows() * sums.R.cols()}) + squared_norm(sums.b) + sums.rest;
    if (!std::isfinite(size)) fail("its sums are too large");
    const double constant = sums.R(0, 0) * sums.R(0, 0);
    constexpr double rounding = 1e-6;
    const bool is_off =
        !(std::abs(constant - sums.weight) <= rounding * sums.weight + std::numeric_limits<double>::min());
    if (of_working_rows ? !(constant > 0.0) : is_off) fail("the constant does not fit the weights");
  }

  void read_fold(ModelSummary::Content& content) {
    const auto name = take<std::uint64_t>();
    if (content.bits < 64 && (name & (~std::uint64_t{0} >> content.bits)) != 0) fail("a fold has a wrong name");
    if (!content.sums.empty() && name <= content.sums.rbegin()->first) fail("its folds are not in ascending order");
    TriangularSystem sums(content.columns);
    sums.rows = take<std::uint64_t>();
    sums.weight = positive("weight");
    sums.rest = number();
    const auto rows = take<std::uint64_t>();
    if (sums.rows < 1 || rows != std::min<std::uint64_t>(sums.rows, content.columns)) {
      fail("a triangle has a wrong number of rows");
    }
    if (!content.of_working_rows && !(sums.rest >= 0.0)) fail("a squared error is below 0");
    if (bytes_.size() / sizeof(double) < entries(rows, content.columns) + rows) fail("it is truncated");
    sums.R = LargeMatrix(rows, content.columns);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = i; j < content.columns; ++j) sums.R(i, j) = number();
    }
    for (std::size_t i = 0; i < rows; ++i) sums.b.push_back(number());
    check_sizes(sums, content.of_working_rows);
    content.sums.emplace(name, std::move(sums));
  }

  std::string_view bytes_;
  const std::string& source_;
};

}  // namespace

std::string to_bytes(const ModelSummary& summary) {
  const ModelSummary::Content& content = summary.content();
  std::string bytes(magic);
  put(bytes, summary_format_version);
  put(bytes, content.bits);
  put<std::uint64_t>(bytes, content.columns);
  put<std::uint64_t>(bytes, content.sums.size());
  put(bytes, content.columns_hash);
  put(bytes, content.model_hash);
  for (const double value : {content.target_mean, content.target_scale, content.lowest, content.highest}) {
    put(bytes, value);
  }
  put(bytes, content.unit.divisor);
  put<std::uint64_t>(bytes, (content.unit.whole ? whole_weights : 0) | (content.of_working_rows ? working_rows : 0));
  put<std::uint64_t>(bytes, content.tables.size());
  for (const std::uint64_t table : content.tables) put(bytes, table);
  for (const auto& [name, sums] : content.sums) put_fold(bytes, name, sums);
  put(bytes, checksum(bytes));
  return bytes;
}

ModelSummary summary_from_bytes(std::string_view bytes, const std::string& source) {
  return SummaryReader(bytes, source).read();
}

void save_summary(const ModelSummary& summary, const std::string& path) { write_file(path, to_bytes(summary)); }

ModelSummary load_summary(const std::string& path) {
  constexpr double most = 64.0 * 1024 * 1024 * 1024;
  const std::string source = path == "-" ? "standard input" : path;
  try {
    const auto check = [&](std::string_view beginning) { SummaryReader(beginning, source).check_magic(); };
    return summary_from_bytes(read_file(path, most, check).text(), source);
  } catch (const FileError& error) {
    throw ModelFileError(error.what());
  }
}

ModelSummary load_summary_of(const Model& model, const std::string& path) {
  ModelSummary summary = load_summary(path);
  if (!summary.is_of_columns_of(model)) {
    throw DataError(
        fmt::format("{} holds sufficient statistics of different basis functions than the model's.\nCompute them with "
                    "this model, or give the model that they were computed for.",
                    path));
  }
  summary.content().require_plausible(model, path);
  return summary;
}

}  // namespace shrimp

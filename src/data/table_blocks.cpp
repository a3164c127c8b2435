#include "shrimp/table_blocks.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "data/csv_stream.hpp"
#include "data/input_file.hpp"
#include "data/name_index.hpp"
#include "data/names.hpp"

namespace shrimp {
namespace {

Dataset heading_of(const Dataset& data) {
  Dataset heading;
  heading.source = data.source;
  heading.inputs = data.inputs;
  heading.target = data.target;
  heading.columns = data.columns;
  heading.encoded = data.encoded;
  heading.exposure_column = data.exposure_column;
  heading.warnings = data.warnings;
  return heading;
}

template <class T>
std::vector<T> part_of(const std::vector<T>& all, std::size_t first, std::size_t rows) {
  if (all.empty()) return {};
  const auto part = std::span(all).subspan(first, rows);
  return {part.begin(), part.end()};
}

class BlocksInMemory : public RowBlocks {
 public:
  explicit BlocksInMemory(const Dataset& data) : data_(data), heading_(heading_of(data)) {}

  [[nodiscard]] const Dataset& heading() const override { return heading_; }

  void for_each(const std::function<void(const Dataset& block)>& body) override {
    const std::size_t rows = data_.X.rows();
    for (std::size_t first = 0; first < rows; first += rows_of_a_block) {
      body(block(first, std::min(rows_of_a_block, rows - first)));
    }
  }

 private:
  [[nodiscard]] Dataset block(std::size_t first, std::size_t rows) const {
    Dataset block = heading_of(heading_);
    block.warnings.clear();
    block.X = Matrix(MatrixView{data_.X.data() + first, rows, data_.X.cols(), data_.X.rows()});
    block.y = part_of(data_.y, first, rows);
    block.weights = part_of(data_.weights, first, rows);
    block.groups = part_of(data_.groups, first, rows);
    block.exposure = part_of(data_.exposure, first, rows);
    return block;
  }

  const Dataset& data_;
  Dataset heading_;
};

std::vector<double> copy_of(std::span<const double> values) { return {values.begin(), values.end()}; }

// Which columns of a table become what.
class DatasetColumns {
 public:
  DatasetColumns(const Table& table, const Dataset& heading, const std::string& weights, const std::string& groups)
      : target_(*find_name(table.names, heading.target)),
        weights_(find_name(table.names, weights)),
        groups_(find_name(table.names, groups)),
        exposure_(find_name(table.names, heading.exposure_column)) {
    const NameIndex places(table.names);
    for (const std::string& name : heading.inputs) inputs_.push_back(*places.find(name));
  }

  /// Categories have the levels met so far.
  void note_levels(const Table& table, Dataset& heading) const {
    for (std::size_t k = 0; k < heading.columns.size(); ++k) {
      const std::vector<std::string>& levels = table.columns[inputs_[k]].levels;
      if (heading.columns[k].levels.size() != levels.size()) heading.columns[k].levels = levels;
    }
  }

  void fill(Dataset& block, MatrixView values) const {
    block.X = Matrix::uninitialized(values.rows, inputs_.size());
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
      std::ranges::copy(values.col(inputs_[k]), block.X.col(k).begin());
    }
    block.y = copy_of(values.col(target_));
    if (weights_) block.weights = copy_of(values.col(*weights_));
    if (exposure_) block.exposure = copy_of(values.col(*exposure_));
    if (!groups_) return;
    // Labels are numbered in the order in which they come, as take_groups would do it.
    block.groups.clear();
    for (const double number : values.col(*groups_)) block.groups.push_back(static_cast<std::uint32_t>(number));
  }

 private:
  std::vector<std::size_t> inputs_;
  std::size_t target_;
  std::optional<std::size_t> weights_;
  std::optional<std::size_t> groups_;
  std::optional<std::size_t> exposure_;
};

class CsvBlocks : public RowBlocks {
 public:
  CsvBlocks(const std::string& path, const std::string& target, std::string weights, std::string groups,
            CsvOptions options, const std::string& exposure)
      : file_(path, InputFile::Passes::several),
        weights_(std::move(weights)),
        groups_(std::move(groups)),
        options_(std::move(options)) {
    options_.labels = groups_;
    const std::unique_ptr<CsvStream> stream = open();
    Table table;
    table.names = stream->heading().names;
    table.left_out = stream->heading().left_out;
    table.warnings = stream->heading().warnings;
    table.columns = stream->heading().columns;
    table.values = Matrix(0, table.names.size());
    Dataset data = take_weights(split_target(std::move(table), target, path), weights_, path);
    heading_ = take_groups(take_exposure(std::move(data), exposure, path), groups_, path);
  }

  [[nodiscard]] const Dataset& heading() const override { return heading_; }

  void for_each(const std::function<void(const Dataset& block)>& body) override {
    const std::unique_ptr<CsvStream> stream = open();
    const DatasetColumns columns(stream->heading(), heading_, weights_, groups_);
    Dataset block = heading_of(heading_);
    block.warnings.clear();
    stream->for_each([&](MatrixView values) {
      columns.fill(block, values);
      columns.note_levels(stream->heading(), heading_);
      block.columns = heading_.columns;
      body(block);
    });
    if (!std::exchange(was_read_, true)) std::ranges::move(stream->warnings(), std::back_inserter(heading_.warnings));
  }

 private:
  [[nodiscard]] std::unique_ptr<CsvStream> open() {
    return std::make_unique<CsvStream>(file_.bytes(), file_.name(), options_, labels_);
  }

  InputFile file_;
  std::string weights_;
  std::string groups_;
  CsvOptions options_;
  CsvLabels labels_;
  Dataset heading_;
  bool was_read_ = false;  // To the end, at least once.
};

}  // namespace

std::unique_ptr<RowBlocks> blocks_of(const Dataset& data) { return std::make_unique<BlocksInMemory>(data); }

std::unique_ptr<RowBlocks> read_csv_blocks(const std::string& path, const std::string& target,
                                           const std::string& weights, const std::string& groups,
                                           const CsvOptions& options, const std::string& exposure) {
  return std::make_unique<CsvBlocks>(path, target, weights, groups, options, exposure);
}

}  // namespace shrimp

#include "shrimp/table_blocks.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace shrimp {
namespace {

Dataset heading_of(const Dataset& data) {
  Dataset heading;
  heading.source = data.source;
  heading.inputs = data.inputs;
  heading.target = data.target;
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
    return block;
  }

  const Dataset& data_;
  Dataset heading_;
};

class CsvInMemory : public RowBlocks {
 public:
  explicit CsvInMemory(Dataset data) : data_(std::move(data)), blocks_(data_) {}
  [[nodiscard]] const Dataset& heading() const override { return blocks_.heading(); }
  void for_each(const std::function<void(const Dataset& block)>& body) override { blocks_.for_each(body); }

 private:
  Dataset data_;
  BlocksInMemory blocks_;
};

}  // namespace

std::unique_ptr<RowBlocks> blocks_of(const Dataset& data) { return std::make_unique<BlocksInMemory>(data); }

std::unique_ptr<RowBlocks> read_csv_blocks(const std::string& path, const std::string& target,
                                           const std::string& weights, const std::string& groups,
                                           const CsvOptions& options) {
  CsvOptions csv = options;
  csv.labels = groups;
  Dataset data = take_weights(split_target(read_csv(path, csv), target, path), weights, path);
  return std::make_unique<CsvInMemory>(take_groups(std::move(data), groups, path));
}

}  // namespace shrimp

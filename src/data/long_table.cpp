#include "data/long_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "data/present.hpp"
#include "random/philox.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

// Rows of a series are held out in runs of so many: longer than what most series remember.
constexpr std::size_t rows_of_a_run = 1024;

constexpr double largest_value = 1e150;  // Squares of larger ones could overflow.

struct DrawnRow {
  std::uint64_t number;  // Random.
  std::uint64_t unit;    // Its group, or the row itself.
  std::uint64_t row;
  std::size_t at;  // Where its values are.

  auto operator<=>(const DrawnRow&) const = default;
};

// The rows of the least random numbers so far.
class Drawing {
 public:
  Drawing(RowBlocks& blocks, const LongTableOptions& options)
      : options_(options),
        inputs_(blocks.heading().inputs.size()),
        most_(options.most_searched + 2 * options.most_held_out) {
    table_.lowest.assign(inputs_ + 1, std::numeric_limits<double>::infinity());
    table_.highest.assign(inputs_ + 1, -std::numeric_limits<double>::infinity());
    blocks.for_each([&](const Dataset& block) { add(block); });
    forget_surplus();
    table_.mean_weight = table_.rows > 0 && weighted_ ? weight_ / static_cast<double>(table_.rows) : 1.0;
    share_out(blocks.heading());
  }

  LongTable take() { return std::move(table_); }

 private:
  void add(const Dataset& block) {
    if (options_.check) options_.check();
    for (std::size_t i = 0; i < block.y.size(); ++i, ++table_.rows) {
      check(block, i);
      const double weight = block.weights.empty() ? 1.0 : block.weights[i];
      weighted_ = weighted_ || !block.weights.empty();
      grouped_ = grouped_ || !block.groups.empty() || options_.blocks;
      weight_ += weight;
      const std::uint64_t unit = options_.blocks        ? table_.rows / rows_of_a_run
                                 : block.groups.empty() ? table_.rows
                                                        : block.groups[i];
      const std::uint64_t number = PhiloxStream(options_.seed, Stream::rows, unit, 1).next();
      if (number > largest_ || weight == 0.0) continue;
      drawn_.push_back({number, unit, table_.rows, values_.size()});
      for (std::size_t j = 0; j < inputs_; ++j) values_.push_back(block.X(i, j));
      values_.push_back(block.y[i]);
      values_.push_back(weight);
    }
    if (drawn_.size() > 2 * most_) forget_surplus();
  }

  void check(const Dataset& block, std::size_t i) {
    for (std::size_t j = 0; j <= inputs_; ++j) {
      const double value = j < inputs_ ? block.X(i, j) : block.y[i];
      if (j < inputs_ && is_missing(value)) continue;
      table_.lowest[j] = std::min(table_.lowest[j], value);
      table_.highest[j] = std::max(table_.highest[j], value);
      if (std::abs(value) <= largest_value) continue;
      throw DataError(
          fmt::format("{} row {}, column \"{}\": {} is {}.\nDrop the row, or give the column in other units.",
                      block.source.empty() ? "training data" : block.source, table_.rows + 1,
                      j < inputs_ ? block.inputs[j] : block.target, value,
                      std::isfinite(value) ? "too large" : "not a finite number"));
    }
    if (block.weights.empty() || (block.weights[i] >= 0.0 && block.weights[i] <= largest_value)) return;
    throw DataError(fmt::format("{} row {}: the weight {} is not a number of 0 or more.",
                                block.source.empty() ? "training data" : block.source, table_.rows + 1,
                                block.weights[i]));
  }

  // Rows beyond the most go; a group that would be cut in two stays whole.
  void forget_surplus() {
    if (drawn_.size() <= most_) return;
    std::ranges::nth_element(drawn_, drawn_.begin() + static_cast<std::ptrdiff_t>(most_));
    largest_ = drawn_[most_].number;
    std::erase_if(drawn_, [&](const DrawnRow& row) { return row.number > largest_; });
    std::ranges::sort(drawn_, {}, &DrawnRow::at);
    const std::size_t width = inputs_ + 2;
    for (std::size_t k = 0; k < drawn_.size(); ++k) {
      std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(drawn_[k].at), width,
                  values_.begin() + static_cast<std::ptrdiff_t>(k * width));
      drawn_[k].at = k * width;
    }
    values_.resize(drawn_.size() * width);
  }

  // The least numbers are searched, the next choose, the last tell; rows in the order of the table.
  void share_out(const Dataset& heading) {
    std::ranges::sort(drawn_);
    const std::size_t rows = table_.rows;
    std::size_t searched = drawn_.size();
    std::size_t choosing = drawn_.size();
    std::size_t telling = drawn_.size();
    if (rows > options_.most_searched) {
      const std::size_t held_out = std::min(options_.most_held_out, rows / 10);
      searched = end_of_unit(std::min(options_.most_searched, rows - 2 * held_out));
      choosing = end_of_unit(searched + held_out);
      telling = end_of_unit(choosing + held_out);
    }
    const auto part = [&](std::size_t first, std::size_t last) {
      std::vector<DrawnRow> own(drawn_.begin() + static_cast<std::ptrdiff_t>(first),
                                drawn_.begin() + static_cast<std::ptrdiff_t>(last));
      std::ranges::sort(own, {}, &DrawnRow::row);
      return dataset(heading, own);
    };
    table_.searched = part(0, searched);
    table_.choosing = part(searched, choosing);
    table_.telling = part(choosing, telling);
  }

  [[nodiscard]] std::size_t end_of_unit(std::size_t at) const {
    at = std::min(at, drawn_.size());
    while (at > 0 && at < drawn_.size() && drawn_[at].unit == drawn_[at - 1].unit) ++at;
    return at;
  }

  [[nodiscard]] Dataset dataset(const Dataset& heading, const std::vector<DrawnRow>& rows) const {
    Dataset data = heading;
    data.X = Matrix::uninitialized(rows.size(), inputs_);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < inputs_; ++j) data.X(i, j) = values_[rows[i].at + j];
      data.y.push_back(values_[rows[i].at + inputs_]);
      if (weighted_) data.weights.push_back(values_[rows[i].at + inputs_ + 1]);
    }
    if (grouped_ && !options_.blocks) {
      for (const DrawnRow& row : rows) data.groups.push_back(static_cast<std::uint32_t>(row.unit));
    }
    return data;
  }

  const LongTableOptions& options_;
  std::size_t inputs_;
  std::size_t most_;
  std::uint64_t largest_ = std::numeric_limits<std::uint64_t>::max();
  bool weighted_ = false;
  bool grouped_ = false;
  double weight_ = 0.0;
  std::vector<DrawnRow> drawn_;
  std::vector<double> values_;  // Inputs, target and weight of one row after the other.
  LongTable table_;
};

}  // namespace

LongTable sample_table(RowBlocks& blocks, const LongTableOptions& options) { return Drawing(blocks, options).take(); }

}  // namespace shrimp

#include "data/long_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "data/present.hpp"
#include "random/philox.hpp"
#include "shrimp/errors.hpp"

namespace shrimp {
namespace {

// Rows of a series are held out in runs of so many: longer than what most series remember.
constexpr std::size_t rows_of_a_run = 1024;

constexpr double largest_value = 1e150;  // Squares of larger ones could overflow.

class Drawing {
 public:
  Drawing(std::size_t inputs, const LongTableOptions& options, std::size_t first, std::uint64_t largest)
      : options_(options), first_(first), result_(inputs) {
    result_.largest = largest;
  }

  void add(const Dataset& block) {
    if (options_.check) options_.check();
    result_.weighted = result_.weighted || !block.weights.empty();
    result_.grouped = result_.grouped || !block.groups.empty();
    for (std::size_t i = 0; i < block.y.size(); ++i, ++result_.rows) {
      check(block, i);
      add_row(block, i);
    }
    if (result_.drawn.size() > 2 * options_.most_drawn()) result_.forget_beyond(options_.most_drawn());
  }

  DrawnRows take() {
    result_.forget_beyond(options_.most_drawn());
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::uint64_t row() const { return first_ + result_.rows; }

  void add_row(const Dataset& block, std::size_t i) {
    const double weight = block.weights.empty() ? 1.0 : block.weights[i];
    result_.weight += weight;
    const std::uint64_t unit = options_.blocks ? row() / rows_of_a_run : block.groups.empty() ? row() : block.groups[i];
    const std::uint64_t number = PhiloxStream(options_.seed, Stream::rows, unit, 1).next();
    if (number > result_.largest || weight == 0.0) return;
    result_.drawn.push_back({number, unit, row(), result_.values.size()});
    for (std::size_t j = 0; j < result_.inputs(); ++j) result_.values.push_back(block.X(i, j));
    result_.values.push_back(block.y[i]);
    result_.values.push_back(weight);
  }

  void check(const Dataset& block, std::size_t i) {
    const std::size_t inputs = result_.inputs();
    for (std::size_t j = 0; j <= inputs; ++j) {
      const double value = j < inputs ? block.X(i, j) : block.y[i];
      if (j < inputs && is_missing(value)) continue;
      result_.lowest[j] = std::min(result_.lowest[j], value);
      result_.highest[j] = std::max(result_.highest[j], value);
      if (std::abs(value) <= largest_value) continue;
      throw DataError(fmt::format(
          "{} row {}, column \"{}\": {} is {}.\nDrop the row, or give the column in other units.",
          block.source.empty() ? "training data" : block.source, row() + 1, j < inputs ? block.inputs[j] : block.target,
          value, std::isfinite(value) ? "too large" : "not a finite number"));
    }
    if (block.weights.empty() || (block.weights[i] >= 0.0 && block.weights[i] <= largest_value)) return;
    throw DataError(fmt::format("{} row {}: the weight {} is not a number of 0 or more.",
                                block.source.empty() ? "training data" : block.source, row() + 1, block.weights[i]));
  }

  const LongTableOptions& options_;
  std::size_t first_;
  DrawnRows result_;
};

// Rows that were drawn, ascending by their numbers, cut where a unit ends.
class Sharing {
 public:
  Sharing(DrawnRows rows, const Dataset& heading, const LongTableOptions& options)
      : rows_(std::move(rows)), heading_(heading), options_(options) {
    std::ranges::sort(rows_.drawn);
  }

  [[nodiscard]] LongTable share_out() const {
    LongTable table;
    table.rows = rows_.rows;
    table.mean_weight = rows_.rows > 0 && rows_.weighted ? rows_.weight / static_cast<double>(rows_.rows) : 1.0;
    table.lowest = rows_.lowest;
    table.highest = rows_.highest;
    std::size_t searched = rows_.drawn.size();
    std::size_t choosing = searched;
    std::size_t telling = searched;
    if (rows_.rows > options_.most_searched) {
      const std::size_t held_out = std::min(options_.most_held_out, rows_.rows / 10);
      searched = end_of_unit(std::min(options_.most_searched, rows_.rows - 2 * held_out));
      choosing = end_of_unit(searched + held_out);
      telling = end_of_unit(choosing + held_out);
    }
    table.searched = part(0, searched);
    table.choosing = part(searched, choosing);
    table.telling = part(choosing, telling);
    return table;
  }

 private:
  [[nodiscard]] std::size_t end_of_unit(std::size_t at) const {
    const std::vector<DrawnRow>& drawn = rows_.drawn;
    at = std::min(at, drawn.size());
    while (at > 0 && at < drawn.size() && drawn[at].unit == drawn[at - 1].unit) ++at;
    return at;
  }

  [[nodiscard]] Dataset part(std::size_t first, std::size_t last) const {
    std::vector<DrawnRow> own(rows_.drawn.begin() + static_cast<std::ptrdiff_t>(first),
                              rows_.drawn.begin() + static_cast<std::ptrdiff_t>(last));
    std::ranges::sort(own, {}, &DrawnRow::row);
    return dataset(own);
  }

  [[nodiscard]] Dataset dataset(const std::vector<DrawnRow>& rows) const {
    const std::size_t inputs = rows_.inputs();
    Dataset data = heading_;
    data.X = Matrix::uninitialized(rows.size(), inputs);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < inputs; ++j) data.X(i, j) = rows_.values[rows[i].at + j];
      data.y.push_back(rows_.values[rows[i].at + inputs]);
      if (rows_.weighted) data.weights.push_back(rows_.values[rows[i].at + inputs + 1]);
    }
    if (rows_.grouped && !options_.blocks) {
      for (const DrawnRow& row : rows) data.groups.push_back(static_cast<std::uint32_t>(row.unit));
    }
    return data;
  }

  DrawnRows rows_;
  const Dataset& heading_;
  const LongTableOptions& options_;
};

}  // namespace

DrawnRows::DrawnRows(std::size_t inputs)
    : lowest(inputs + 1, std::numeric_limits<double>::infinity()),
      highest(inputs + 1, -std::numeric_limits<double>::infinity()) {}

void DrawnRows::forget_beyond(std::size_t most) {
  if (drawn.size() > most) {
    std::ranges::nth_element(drawn, drawn.begin() + static_cast<std::ptrdiff_t>(most));
    largest = drawn[most].number;
  }
  const auto gone = std::erase_if(drawn, [&](const DrawnRow& row) { return row.number > largest; });
  if (gone == 0) return;
  std::ranges::sort(drawn, {}, &DrawnRow::at);
  const std::size_t width = inputs() + 2;
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(drawn[k].at), width,
                values.begin() + static_cast<std::ptrdiff_t>(k * width));
    drawn[k].at = k * width;
  }
  values.resize(drawn.size() * width);
}

void DrawnRows::merge(const DrawnRows& other) {
  if (other.inputs() != inputs()) throw std::invalid_argument("the sampled rows have different inputs.");
  rows += other.rows;
  weight += other.weight;
  weighted = weighted || other.weighted;
  grouped = grouped || other.grouped;
  for (std::size_t j = 0; j < lowest.size(); ++j) {
    lowest[j] = std::min(lowest[j], other.lowest[j]);
    highest[j] = std::max(highest[j], other.highest[j]);
  }
  largest = std::min(largest, other.largest);
  const std::size_t first = values.size();
  values.insert(values.end(), other.values.begin(), other.values.end());
  for (const DrawnRow& row : other.drawn) drawn.push_back({row.number, row.unit, row.row, first + row.at});
}

DrawnRows draw_rows(RowBlocks& blocks, const LongTableOptions& options, std::size_t first, std::uint64_t largest) {
  Drawing drawing(blocks.heading().inputs.size(), options, first, largest);
  blocks.for_each([&](const Dataset& block) { drawing.add(block); });
  return drawing.take();
}

std::uint64_t number_above(std::size_t wanted, std::size_t rows) {
  constexpr double deviations = 6.0;
  const auto count = static_cast<double>(wanted);
  const double share = (count + deviations * std::sqrt(count) + 1.0) / static_cast<double>(rows);
  if (!(share < 1.0)) return std::numeric_limits<std::uint64_t>::max();
  return static_cast<std::uint64_t>(std::ldexp(share, 64));
}

LongTable share_out(DrawnRows drawn, const Dataset& heading, const LongTableOptions& options) {
  drawn.forget_beyond(options.most_drawn());
  return Sharing(std::move(drawn), heading, options).share_out();
}

LongTable sample_table(RowBlocks& blocks, const LongTableOptions& options) {
  return share_out(draw_rows(blocks, options), blocks.heading(), options);
}

}  // namespace shrimp

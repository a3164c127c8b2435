// A table of more rows than are searched at once: some of them, drawn at random in one pass, and what all have in
// common.
//
// Every row (every group, where rows belong together) has a random number that its place in the table alone decides,
// and those of the least numbers are drawn: the same rows whatever the blocks in which they come, or the threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "data/rows.hpp"
#include "shrimp/table_blocks.hpp"

namespace shrimp {

struct LongTableOptions {
  std::size_t most_searched = 50000;  ///< A table of no more rows is had whole.
  std::size_t most_held_out = 50000;  ///< Rows to choose by, and as many to tell the error by; a tenth of all at most.
  std::uint64_t seed = 0;
  /// Whether runs of consecutive rows belong together.
  bool blocks = false;
  std::function<void()> check = {};  ///< Called with every block; may throw.

  /// Rows are drawn in so many at the least, where there are more.
  [[nodiscard]] std::size_t most_drawn() const { return most_searched + 2 * most_held_out; }
};

struct DrawnRow {
  std::uint64_t number = 0;  ///< Random.
  std::uint64_t unit = 0;    ///< Its group, or the row itself.
  std::uint64_t row = 0;
  std::size_t at = 0;  ///< Where its values are.

  auto operator<=>(const DrawnRow&) const = default;
};

/// The rows of the least random numbers, and what all rows have in common. Those of a table's parts merge to those of
/// the table.
struct DrawnRows {
  std::size_t rows = 0;  ///< All that there were.
  double weight = 0.0;   ///< Of all of them.
  bool weighted = false;
  bool grouped = false;
  std::vector<double> lowest;  ///< Of all rows, by input; the target's last.
  std::vector<double> highest;
  std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();  ///< Rows of larger numbers are not here.
  std::vector<DrawnRow> drawn;
  std::vector<double> values;  ///< Inputs, target and weight of one row after the other.

  explicit DrawnRows(std::size_t inputs);

  [[nodiscard]] std::size_t inputs() const { return lowest.size() - 1; }
  /// Rows beyond the most go; a group that would be cut in two stays whole.
  void forget_beyond(std::size_t most);
  /// Rows of another part of the table. Throws std::invalid_argument where it has other inputs.
  void merge(const DrawnRows& other);
};

struct LongTable {
  Dataset searched;  ///< All rows, in their order, where the table is not long.
  Dataset choosing;  ///< Of the others, rows that sizes are chosen by.
  Dataset telling;   ///< Rows that nothing is chosen by.
  std::size_t rows = 0;
  double mean_weight = 1.0;
  std::vector<double> lowest;  ///< Of all rows, by input; the target's last.
  std::vector<double> highest;

  [[nodiscard]] bool is_long() const { return rows > searched.y.size(); }
};

/// Those of a part of a table that begins at its row `first`; only rows of numbers up to `largest` are drawn. Throws
/// DataError where a value is not a finite number or a weight is below 0, with the row.
DrawnRows draw_rows(RowBlocks& blocks, const LongTableOptions& options, std::size_t first = 0,
                    std::uint64_t largest = std::numeric_limits<std::uint64_t>::max());

/// A largest number that about so many rows of all do not exceed, and hardly ever fewer.
std::uint64_t number_above(std::size_t wanted, std::size_t rows);

/// The least numbers are searched, the next choose, the last tell; rows in the order of the table.
LongTable share_out(DrawnRows drawn, const Dataset& heading, const LongTableOptions& options);

/// Throws as draw_rows does.
LongTable sample_table(RowBlocks& blocks, const LongTableOptions& options);

}  // namespace shrimp

// A table of more rows than are searched at once: some of them, drawn at random in one pass, and what all have in
// common.
//
// Every row (every group, where rows belong together) has a random number that its place in the table alone decides,
// and those of the least numbers are drawn: the same rows whatever the blocks in which they come, or the threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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

/// Throws DataError where a value is not a finite number or a weight is below 0, with the row.
LongTable sample_table(RowBlocks& blocks, const LongTableOptions& options);

/// All rows of a long table, block by block in scaled units, and those that took no part in finding terms.
struct LongRows {
  using ForEach = std::function<void(const std::function<void(const Rows&)>& body)>;
  ForEach for_each;
  Rows choosing;
  Rows telling;
  std::size_t rows = 0;
};

}  // namespace shrimp

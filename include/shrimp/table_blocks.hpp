// A table that is read block by block, as often as asked for.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "shrimp/table.hpp"

namespace shrimp {

/// Every block has so many rows, but for the last: what is computed block by block does not depend on where rows come
/// from.
inline constexpr std::size_t rows_of_a_block = 8192;

/// Rows of a data set in their order, again and again.
class RowBlocks {
 public:
  RowBlocks() = default;
  virtual ~RowBlocks() = default;
  RowBlocks(const RowBlocks&) = delete;
  RowBlocks& operator=(const RowBlocks&) = delete;

  /// Names, source and warnings of the data; no rows. Categories have the levels of the blocks read so far, and after
  /// the first pass there are warnings on all rows.
  [[nodiscard]] virtual const Dataset& heading() const = 0;
  /// Calls body with one block after the other, from the first row on. A body may throw, which ends the pass. Throws
  /// FileError and DataError as read_csv does, at the block they are met in.
  virtual void for_each(const std::function<void(const Dataset& block)>& body) = 0;
};

/// Rows that are in memory. They must outlive it.
[[nodiscard]] std::unique_ptr<RowBlocks> blocks_of(const Dataset& data);

/// Rows of a CSV file (plain, gzip or zstd; "-" is standard input) that are read anew for every pass, in memory that
/// does not grow with their number. The columns `target`, `weights`, `groups` and `exposure` are taken as split_target,
/// take_weights, take_groups and take_exposure do it; "" for all but the target means none. Labels of groups are any
/// text and have numbers in the order in which they first come, the same in every pass; so much of them stays in
/// memory. What cannot be read twice, as standard input and pipes cannot, is kept in an unnamed file in the folder for
/// temporary files as it comes. Throws what read_csv and these throw, as far as the first rows tell.
[[nodiscard]] std::unique_ptr<RowBlocks> read_csv_blocks(const std::string& path, const std::string& target,
                                                         const std::string& weights = "",
                                                         const std::string& groups = "", const CsvOptions& options = {},
                                                         const std::string& exposure = "");

}  // namespace shrimp

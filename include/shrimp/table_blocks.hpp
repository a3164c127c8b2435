// Table that is read block by block, in any number of passes.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "shrimp/table.hpp"

namespace shrimp {

/// Number of rows of all blocks but the last. It is constant, so that results do not depend on the source of the rows.
inline constexpr std::size_t rows_of_a_block = 8192;

/// Sequence of row blocks that can be read repeatedly.
class RowBlocks {
 public:
  RowBlocks() = default;
  virtual ~RowBlocks() = default;
  RowBlocks(const RowBlocks&) = delete;
  RowBlocks& operator=(const RowBlocks&) = delete;

  /// Names, source and warnings of the data, without rows. Categories have the levels of the blocks read so far. After
  /// the first pass, the warnings cover all rows.
  [[nodiscard]] virtual const Dataset& heading() const = 0;
  /// Calls body for each block in order. An exception from body ends the pass. Throws FileError and DataError as
  /// read_csv does, at the block that contains the problem.
  virtual void for_each(const std::function<void(const Dataset& block)>& body) = 0;
};

/// Blocks of rows in memory, which must outlive the result.
[[nodiscard]] std::unique_ptr<RowBlocks> blocks_of(const Dataset& data);

/// Rows of a CSV file (plain, gzip or zstd; "-" is standard input), read again in every pass in constant memory. The
/// columns `target`, `weights`, `groups` and `exposure` are used as by split_target, take_weights, take_groups and
/// take_exposure; empty text means none for all but the target. Group labels may be any text. They are numbered in
/// order of first appearance, equally in every pass, and are kept in memory. Input that can be read only once, such as
/// standard input and pipes, is copied to an unnamed temporary file. Throws as read_csv and these functions do, as far
/// as the first rows show.
[[nodiscard]] std::unique_ptr<RowBlocks> read_csv_blocks(const std::string& path, const std::string& target,
                                                         const std::string& weights = "",
                                                         const std::string& groups = "", const CsvOptions& options = {},
                                                         const std::string& exposure = "");

}  // namespace shrimp

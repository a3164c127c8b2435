// Partitioned table, as on the machines of a cluster. Rows stay in their partitions: a fit sends requests, each
// partition replies with a few numbers, and replies are merged in any order.
//
// Requests and replies are bytes for any transport. A reply is a function of the request and the partition, so that a
// lost reply can be computed again.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "shrimp/table_blocks.hpp"

namespace shrimp {

class TableParts {
 public:
  TableParts() = default;
  virtual ~TableParts() = default;
  TableParts(const TableParts&) = delete;
  TableParts& operator=(const TableParts&) = delete;

  /// Names and types of the columns, without rows.
  [[nodiscard]] virtual const Dataset& heading() const = 0;
  /// Number of rows of all partitions.
  [[nodiscard]] virtual std::size_t rows() const = 0;
  /// Replies of all partitions, each exactly once, merged into one.
  [[nodiscard]] virtual std::string ask(const std::string& question) = 0;
};

/// Reply of a partition that begins at row `first` of the table. Throws DataError if a cell is invalid for the fit, or
/// if the request comes from another version of the library. Messages give the row in the table.
[[nodiscard]] std::string answer_question(std::string_view question, RowBlocks& part, std::size_t first);

/// Merges one or more replies to a request. Throws DataError if they are not such replies.
[[nodiscard]] std::string merge_answers(std::span<const std::string_view> answers);

}  // namespace shrimp

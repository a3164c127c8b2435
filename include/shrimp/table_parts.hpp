// A table in parts that lie elsewhere, as on the machines of a cluster. Rows stay where they are: a fit asks questions,
// every part answers by a few numbers, and answers merge in any order.
//
// Questions and answers are bytes for whatever carries them. An answer is a function of the question and the part
// alone, so that one that got lost can be made again.
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

  /// Names and kinds of the columns; no rows.
  [[nodiscard]] virtual const Dataset& heading() const = 0;
  /// Of all parts together.
  [[nodiscard]] virtual std::size_t rows() const = 0;
  /// The answers of all parts, each once, merged to one.
  [[nodiscard]] virtual std::string ask(const std::string& question) = 0;
};

/// What a part, which begins at row `first` of the table, answers. Throws DataError where a cell is none that the fit
/// takes, with its row in the table, and where the question comes from another version of the library.
[[nodiscard]] std::string answer_question(std::string_view question, RowBlocks& part, std::size_t first);

/// One or more answers to the same question as one. Throws DataError where they are no such answers.
[[nodiscard]] std::string merge_answers(std::span<const std::string_view> answers);

}  // namespace shrimp

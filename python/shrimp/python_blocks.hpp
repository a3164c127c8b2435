// Rows that Python has, for a fit that reads them block by block.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "shrimp/table_blocks.hpp"
#include "watched_fit.hpp"

namespace shrimp::python {

/// The side that touches Python: it lives on the thread that called, with the lock of the interpreter.
class PythonRows {
 public:
  /// `passes()` gives an iterator for each pass. Its items are blocks of rows_of_a_block rows, the last of what is
  /// left: X, y, weights, groups and exposure or None for each, and levels that come in it for the first time, as a
  /// list of pairs of a column's place and a list of names. Arrays are copied before the next is asked for.
  PythonRows(Dataset heading, nanobind::callable passes);

  [[nodiscard]] const Dataset& heading() const { return heading_; }
  void rewind();
  /// None at the end. What the iterator raises is thrown.
  std::optional<Dataset> next();

 private:
  Dataset heading_;
  nanobind::callable passes_;
  nanobind::object iterator_;
};

/// The side that the fit reads. It asks for blocks through `on_caller` alone, so that `rows` may be gone once the
/// caller has left.
class PythonBlocks : public RowBlocks {
 public:
  PythonBlocks(Dataset heading, PythonRows& rows, const OnCaller& on_caller);

  [[nodiscard]] const Dataset& heading() const override { return heading_; }
  void for_each(const std::function<void(const Dataset& block)>& body) override;

 private:
  Dataset heading_;
  PythonRows& rows_;
  const OnCaller& on_caller_;
};

}  // namespace shrimp::python

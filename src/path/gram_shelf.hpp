// Gram matrices of A_P that were computed before, for paths that come to similar sets P again.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "path/row_space.hpp"

namespace shrimp {

class GramShelf {
 public:
  /// Holds at most this many bytes.
  explicit GramShelf(std::size_t capacity) : capacity_(capacity) {}

  void put(const Columns& P, const Matrix& G);

  /// The Gram matrix of M_P: `own` (that of the columns `own_columns`) or a kept one, whichever has fewer columns to
  /// take away and to add.
  [[nodiscard]] Matrix derive(const RowSpace& M, const Columns& P, const Columns& own_columns, Matrix own) const;

 private:
  struct Entry {
    Columns P;
    Matrix G;
  };

  std::size_t capacity_;
  std::size_t used_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace shrimp

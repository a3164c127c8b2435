// Views of single and of neighbouring columns.
#pragma once

#include <span>

#include "shrimp/matrix.hpp"

namespace shrimp {

inline MatrixView column_of(std::span<const double> x) { return {x.data(), x.size(), 1, x.size()}; }

inline MatrixView columns_of(const Matrix& A, std::size_t first, std::size_t count) {
  return {A.data() + first * A.rows(), A.rows(), count, A.rows()};
}

}  // namespace shrimp

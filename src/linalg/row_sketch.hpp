// A sparse sign matrix Ω (k×m): every row of A goes to two rows of Ω A. For a subspace of fewer than k/4 dimensions,
// lengths in the sketch are those in the space up to a small factor, however unevenly its rows count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shrimp/matrix.hpp"

namespace shrimp {

class RowSketch {
 public:
  RowSketch(std::size_t rows, std::size_t sketch_rows);

  [[nodiscard]] std::size_t rows() const { return sketch_rows_; }

  /// s ← s + Ω (a − shift)
  void add(std::span<const double> a, double shift, std::span<double> s) const;

  /// Ω A
  [[nodiscard]] Matrix apply(MatrixView A) const;

 private:
  std::size_t sketch_rows_;
  std::vector<std::uint32_t> targets_;
  std::vector<double> signs_;
};

}  // namespace shrimp

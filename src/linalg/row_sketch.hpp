// A sparse sign matrix Ω (k×m): every row of A goes to two rows of Ω A. For a subspace of fewer than k/4 dimensions,
// lengths in the sketch are those in the space up to a small factor, however unevenly its rows count.
//
// Successive rows go to successive rows of the sketch, from a random one on for every k of them: the signs are what
// makes lengths right on average, the turns what parts large rows, and both run at the speed of memory.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace shrimp {

class RowSketch {
 public:
  RowSketch(std::size_t rows, std::size_t sketch_rows);

  [[nodiscard]] std::size_t rows() const { return sketch_rows_; }

  /// s ← s + Ω (a − shift)
  void add(std::span<const double> a, double shift, std::span<double> s) const { add_rows(a, 0, shift, s); }

  /// The same for the rows from `first` on, which a holds, alone.
  void add_rows(std::span<const double> a, std::size_t first, double shift, std::span<double> s) const;

 private:
  struct Copy {
    std::vector<double> signs;
    std::vector<std::size_t> turns;  // Where a block of k rows begins in the sketch.
  };

  std::size_t sketch_rows_;
  std::array<Copy, 2> copies_;
};

}  // namespace shrimp

#include "linalg/row_sketch.hpp"

#include <algorithm>

#include "random/philox.hpp"

namespace shrimp {

RowSketch::RowSketch(std::size_t rows, std::size_t sketch_rows) : sketch_rows_(sketch_rows) {
  PhiloxStream random(0, Stream::sketch, rows);
  for (Copy& copy : copies_) {
    for (std::size_t first = 0; first < rows; first += sketch_rows) {
      copy.turns.push_back(static_cast<std::size_t>(random.next() % sketch_rows));
    }
    for (std::size_t i = 0; i < rows; ++i) copy.signs.push_back((random.next() >> 63) != 0 ? 1.0 : -1.0);
  }
}

void RowSketch::add_rows(std::span<const double> a, std::size_t first, double shift, std::span<double> s) const {
  for (const Copy& copy : copies_) {
    std::size_t i = 0;
    while (i < a.size()) {  // As far as targets follow each other.
      const std::size_t place = (first + i) % sketch_rows_;
      std::size_t target = (copy.turns[(first + i) / sketch_rows_] + place) % sketch_rows_;
      const std::size_t end = std::min({a.size(), i + sketch_rows_ - place, i + sketch_rows_ - target});
      for (; i < end; ++i) s[target++] += copy.signs[first + i] * (a[i] - shift);
    }
  }
}

}  // namespace shrimp

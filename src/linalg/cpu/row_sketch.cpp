#include "linalg/row_sketch.hpp"

#include "random/philox.hpp"

namespace shrimp {

RowSketch::RowSketch(std::size_t rows, std::size_t sketch_rows) : sketch_rows_(sketch_rows) {
  PhiloxStream random(0, Stream::sketch, rows);
  for (std::size_t i = 0; i < 2 * rows; ++i) {
    const std::uint64_t bits = random.next();
    targets_.push_back(static_cast<std::uint32_t>(bits % sketch_rows));
    signs_.push_back((bits >> 63) != 0 ? 1.0 : -1.0);
  }
}

void RowSketch::add(std::span<const double> a, double shift, std::span<double> s) const {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double value = a[i] - shift;
    s[targets_[2 * i]] += signs_[2 * i] * value;
    s[targets_[2 * i + 1]] += signs_[2 * i + 1] * value;
  }
}

Matrix RowSketch::apply(MatrixView A) const {
  Matrix S(sketch_rows_, A.cols);
  for (std::size_t j = 0; j < A.cols; ++j) add(A.col(j), 0.0, S.col(j));
  return S;
}

}  // namespace shrimp

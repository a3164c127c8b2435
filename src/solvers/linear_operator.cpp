#include "solvers/linear_operator.hpp"

#include <algorithm>

#include "linalg/dense.hpp"
#include "threads/threads.hpp"

namespace shrimp {

Matrix LinearOperator::gather(std::span<const std::size_t> which) const {
  Matrix result = Matrix::uninitialized(rows(), which.size());
  std::vector<double> unit(cols(), 0.0);
  for (std::size_t k = 0; k < which.size(); ++k) {
    unit[which[k]] = 1.0;
    std::ranges::copy(multiply(unit), result.col(k).begin());
    unit[which[k]] = 0.0;
  }
  return result;
}

Nonzeros::Nonzeros(std::span<const double> x) {
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (x[j] == 0.0) continue;
    places.push_back(j);
    values.push_back(x[j]);
  }
}

std::vector<double> DenseOperator::multiply(std::span<const double> x) const {
  const auto [places, values] = Nonzeros(x);
  if (A_.rows * places.size() >= worth_sharing) return combine_columns(A_, places, values);
  std::vector<double> sum(A_.rows, 0.0);
  for (std::size_t k = 0; k < places.size(); ++k) add_scaled(sum, values[k], A_.col(places[k]));
  return sum;
}

std::vector<double> DenseOperator::multiply_transposed(std::span<const double> z) const {
  const std::size_t tile = std::max<std::size_t>(256, worth_sharing / std::max<std::size_t>(A_.rows, 1));
  std::vector<double> product(A_.cols);
  parallel_for((A_.cols + tile - 1) / tile, [&](std::size_t k) {
    const std::size_t first = k * tile;
    const MatrixView part{A_.data + first * A_.stride, A_.rows, std::min(tile, A_.cols - first), A_.stride};
    std::ranges::copy(shrimp::multiply_transposed(part, z), product.begin() + static_cast<std::ptrdiff_t>(first));
  });
  return product;
}

Matrix DenseOperator::gather(std::span<const std::size_t> which) const { return gather_columns(A_, which); }

}  // namespace shrimp

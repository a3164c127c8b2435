#include "arrays.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace nb = nanobind;

namespace shrimp::python {
namespace {

template <typename Number>
void copy(const Table2D& table, std::size_t first, Matrix& copied) {
  const auto* data = static_cast<const Number*>(table.data());
  const std::int64_t down = table.stride(0);
  const std::int64_t right = table.stride(1);
  // A block of rows at a time: of row-major data, whole cache lines are used.
  constexpr std::size_t block = 64;
  for (std::size_t begin = 0; begin < copied.rows(); begin += block) {
    const std::size_t end = std::min(begin + block, copied.rows());
    for (std::size_t j = 0; j < copied.cols(); ++j) {
      for (std::size_t i = begin; i < end; ++i) {
        copied(i, j) = static_cast<double>(
            data[static_cast<std::int64_t>(first + i) * down + static_cast<std::int64_t>(j) * right]);
      }
    }
  }
}

template <typename Value>
nb::capsule owner_of(std::unique_ptr<Value> value) {
  nb::capsule owner(value.get(), [](void* pointer) noexcept { delete static_cast<Value*>(pointer); });
  (void)value.release();
  return owner;
}

}  // namespace

Matrix copy_rows(const Table2D& table, std::size_t first, std::size_t count) {
  Matrix copied = Matrix::uninitialized(count, table.shape(1));
  if (table.dtype() == nb::dtype<double>()) {
    copy<double>(table, first, copied);
  } else if (table.dtype() == nb::dtype<float>()) {
    copy<float>(table, first, copied);
  } else {
    throw std::invalid_argument("a table must be an array of float64 or float32.");
  }
  return copied;
}

std::optional<MatrixView> view_of(const Table2D& table) {
  const bool columns = table.stride(0) == 1 && table.stride(1) >= static_cast<std::int64_t>(table.shape(0));
  if (table.dtype() != nb::dtype<double>() || !columns) return std::nullopt;
  return MatrixView{static_cast<const double*>(table.data()), table.shape(0), table.shape(1),
                    static_cast<std::size_t>(table.stride(1))};
}

std::vector<double> to_vector(const Numbers& numbers) { return {numbers.data(), numbers.data() + numbers.shape(0)}; }

Array2D to_array(Matrix matrix) {
  auto held = std::make_unique<Matrix>(std::move(matrix));
  double* data = held->data();
  const std::size_t shape[] = {held->rows(), held->cols()};
  const std::int64_t strides[] = {1, static_cast<std::int64_t>(held->rows())};
  const nb::capsule owner = owner_of(std::move(held));
  return Array2D(data, 2, shape, owner, strides);
}

Array to_array(std::vector<double> values) {
  auto held = std::make_unique<std::vector<double>>(std::move(values));
  double* data = held->data();
  const std::size_t shape[] = {held->size()};
  const nb::capsule owner = owner_of(std::move(held));
  return Array(data, 1, shape, owner);
}

}  // namespace shrimp::python

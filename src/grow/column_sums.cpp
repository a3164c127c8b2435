#include "grow/column_sums.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "data/present.hpp"
#include "features/device_features.hpp"
#include "grow/device_sums.hpp"

namespace shrimp {
namespace {

// Null where the processor has to do it.
std::unique_ptr<DeviceSums> sums_on_device(const ScaledDictionary& columns, const SumOptions& options) {
  if (options.device == nullptr || !has_device_features(columns.dictionary)) return nullptr;
  try {
    return std::make_unique<DeviceSums>(options.device, columns);
  } catch (const DeviceMemoryError&) {
    return nullptr;
  }
}

// Weighted, from the second row on.
void transpose_below(const Matrix& columns, Matrix& A) {
  constexpr std::size_t tile = 64;
  for (std::size_t first = 0; first < columns.cols(); first += tile) {
    const std::size_t last = std::min(columns.cols(), first + tile);
    for (std::size_t i = 0; i < columns.rows(); ++i) {
      for (std::size_t j = first; j < last; ++j) A(1 + j, i) = A(0, i) * columns(i, j);
    }
  }
}

void add(const ScaledDictionary& columns, const Rows& rows, NormalEquations& sums) {
  if (rows.size() == 0) return;
  const Matrix columns_of_rows = columns.evaluate_at(rows.X);
  Matrix A = Matrix::uninitialized(sums.columns(), rows.size());  // A row in each column.
  std::vector<double> y(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double root = rows.weights.empty() ? 1.0 : std::sqrt(rows.weights[i]);
    A(0, i) = root;
    y[i] = root * rows.y[i];
  }
  transpose_below(columns_of_rows, A);
  sums.add_transposed(A, y, rows.total_weight());
}

}  // namespace

// A device adds rows as long as it has room for them.
NormalEquations sum_columns(const ScaledDictionary& columns, const EachBlock& for_each, const SumOptions& options) {
  NormalEquations sums(1 + columns.dictionary.columns());
  std::unique_ptr<DeviceSums> on_device = sums_on_device(columns, options);
  const auto finish_device = [&] {
    if (on_device != nullptr) sums.merge(on_device->summary());
    on_device = nullptr;
  };
  for_each([&](const Rows& block) {
    if (options.check) options.check();
    const bool is_whole = !any_missing(std::span(block.X.data(), block.X.rows() * block.X.cols()));
    if (on_device != nullptr && is_whole) {  // Of missing cells it knows nothing.
      try {
        return on_device->add(block);
      } catch (const DeviceMemoryError&) {
        finish_device();
      }
    }
    add(columns, block, sums);
  });
  finish_device();
  return sums;
}

}  // namespace shrimp

// What a fit has of a long table: rows that took no part in finding terms, and a way to sum up columns over all rows,
// wherever these are.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "data/rows.hpp"
#include "grow/finish_parts.hpp"
#include "linalg/device.hpp"
#include "ridge/normal_equations.hpp"

namespace shrimp {

struct SumOptions {
  std::shared_ptr<Device> device;  ///< Null: the processor.
  std::function<void()> check;     ///< Called with every block; may throw.
};

struct LongRows {
  /// Sums over all rows, in scaled units, of a constant and of these columns.
  std::function<NormalEquations(const ScaledDictionary& columns, const SumOptions& options)> sum_up;
  Rows choosing;
  Rows telling;
  std::size_t rows = 0;
};

}  // namespace shrimp

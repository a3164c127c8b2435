// Checks of the sizes of rows that are added to sufficient statistics.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <stdexcept>

namespace shrimp {

inline void check_columns(std::size_t own, std::size_t other) {
  if (own != other)
    throw std::invalid_argument(fmt::format("rows with {} basis functions are added to statistics of {}.", other, own));
}

inline void check_targets(std::size_t rows, std::span<const double> y) {
  if (y.size() != rows) throw std::invalid_argument(fmt::format("{} targets are given for {} rows.", y.size(), rows));
}

}  // namespace shrimp

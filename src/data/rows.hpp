// Rows of data in the model's own (scaled) units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shrimp/scaling.hpp"
#include "shrimp/table.hpp"

namespace shrimp {

struct Rows {
  Matrix X;
  std::vector<double> y;
  std::vector<double> weights;        ///< Empty: every row counts 1.
  std::vector<std::uint32_t> groups;  ///< Rows of the same number belong together; empty: every row by itself.
  bool in_order = false;              ///< Groups are runs of consecutive rows, numbered along these.

  [[nodiscard]] std::size_t size() const { return y.size(); }
  [[nodiscard]] double total_weight() const;
};

Rows scale(const Dataset& data, const Scaling& scaling);

/// The rows in the order given.
Rows gather(const Rows& rows, std::span<const std::size_t> which);

}  // namespace shrimp

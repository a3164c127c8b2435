// Rows of a group beside each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "data/rows.hpp"

namespace shrimp {

/// Where groups start, and the end; none: every row is by itself.
using GroupStarts = std::shared_ptr<const std::vector<std::size_t>>;

struct GroupOrder {
  std::vector<std::size_t> order;  ///< Of the rows; those of a group keep theirs. Empty where rows have no groups.
  GroupStarts starts;

  explicit GroupOrder(std::span<const std::uint32_t> groups);

  /// Values in this order, back in the order of the rows.
  void put_back(std::vector<double>& values) const;
};

}  // namespace shrimp

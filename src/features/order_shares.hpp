// How several orders share a number of rows: weight vectors, or kernel sections.
//
// In ascending order, each order takes an equal part of the rows not used so far, rounded down to whole rows per
// support, so that what rounding leaves goes to the higher orders. An order with more supports than its part gets a
// sample of them, one row each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "features/supports.hpp"

namespace shrimp {

struct OrderShare {
  std::size_t order = 0;
  std::size_t supports = 0;     ///< How many supports take part.
  std::size_t per_support = 0;  ///< n
  bool sampled = false;         ///< Whether the supports are a sample of all C(d,q).
};

/// At most `rows` rows in all, and `most_per_support` on a support. Throws OptionError unless rows ≥ 1 and the orders
/// ascend from 1 or more to d or less.
std::vector<OrderShare> share_rows(std::size_t d, std::span<const int> orders, std::size_t rows,
                                   std::size_t most_per_support = std::numeric_limits<std::size_t>::max());

/// The supports that take part, in lexicographic order.
std::vector<Support> supports_of(std::size_t d, const OrderShare& share, std::uint64_t seed);

}  // namespace shrimp

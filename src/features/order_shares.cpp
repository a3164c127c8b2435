#include "features/order_shares.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "shrimp/errors.hpp"
#include "shrimp/features.hpp"

namespace shrimp {
namespace {

void check(std::size_t d, std::span<const int> orders, std::size_t rows) {
  if (orders.empty()) throw OptionError("order is empty.\nGive an order, such as order 2.");
  for (std::size_t k = 0; k < orders.size(); ++k) {
    const int q = orders[k];
    if (k > 0 && q <= orders[k - 1])
      throw OptionError("the orders of a mix are not in ascending order.\nGive each order once, lowest first.");
    if (q < 1) throw OptionError(fmt::format("order {} is less than 1.\nGive 1 or more.", q));
    if (static_cast<std::size_t>(q) > d) {
      throw OptionError(
          fmt::format("order {} is above the number of inputs, {}.\nGive an order from 1 to {}.", q, d, d));
    }
  }
  if (rows < 1) throw OptionError("features 0 is less than 1.\nGive the number of features to draw.");
}

}  // namespace

std::vector<OrderShare> share_rows(std::size_t d, std::span<const int> orders, std::size_t rows,
                                   std::size_t most_per_support) {
  check(d, orders, rows);
  std::vector<OrderShare> shares;
  std::size_t left = rows;
  for (std::size_t k = 0; k < orders.size(); ++k) {
    const auto q = static_cast<std::size_t>(orders[k]);
    const std::size_t part = left / (orders.size() - k);
    const std::uint64_t all = binomial(d, q);
    const bool sampled = all > part;
    const std::size_t per_support = sampled ? 1 : static_cast<std::size_t>(part / all);
    shares.push_back(
        {q, sampled ? part : static_cast<std::size_t>(all), std::min(per_support, most_per_support), sampled});
    left -= shares.back().supports * shares.back().per_support;
  }
  return shares;
}

std::vector<Support> supports_of(std::size_t d, const OrderShare& share, std::uint64_t seed) {
  return share.sampled ? sample_supports(d, share.order, share.supports, seed) : all_supports(d, share.order);
}

}  // namespace shrimp

#include "data/grouped_rows.hpp"

#include <algorithm>
#include <numeric>

namespace shrimp {

GroupOrder::GroupOrder(std::span<const std::uint32_t> groups) {
  if (groups.empty()) return;
  order.resize(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return groups[i]; });
  std::vector<std::size_t> first;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k == 0 || groups[order[k]] != groups[order[k - 1]]) first.push_back(k);
  }
  first.push_back(order.size());
  starts = std::make_shared<const std::vector<std::size_t>>(std::move(first));
}

void GroupOrder::put_back(std::vector<double>& values) const {
  if (order.empty() || values.empty()) return;
  const std::vector<double> sorted = values;
  for (std::size_t k = 0; k < order.size(); ++k) values[order[k]] = sorted[k];
}

}  // namespace shrimp

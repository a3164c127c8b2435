#include "data/split.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "random/philox.hpp"

namespace shrimp {

std::vector<std::size_t> permutation(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  PhiloxStream random(seed, Stream::split, 0);
  for (std::size_t k = count; k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
  return order;
}

namespace {

RowSplit split(const std::vector<std::size_t>& order, std::size_t begin, std::size_t end) {
  RowSplit rows;
  for (std::size_t k = 0; k < order.size(); ++k) {
    (k >= begin && k < end ? rows.held_out : rows.train).push_back(order[k]);
  }
  std::ranges::sort(rows.train);
  std::ranges::sort(rows.held_out);
  return rows;
}

}  // namespace

RowSplit hold_out(std::size_t rows, double fraction, std::uint64_t seed) {
  const auto wanted = static_cast<std::size_t>(std::llround(fraction * static_cast<double>(rows)));
  return split(permutation(rows, seed), 0, std::clamp<std::size_t>(wanted, 1, rows - 1));
}

std::vector<RowSplit> fold(std::size_t rows, std::size_t folds, std::uint64_t seed) {
  const std::vector<std::size_t> order = permutation(rows, seed);
  std::vector<RowSplit> splits;
  for (std::size_t k = 0; k < folds; ++k) splits.push_back(split(order, k * rows / folds, (k + 1) * rows / folds));
  return splits;
}

}  // namespace shrimp

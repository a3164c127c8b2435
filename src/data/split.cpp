#include "data/split.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>

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

namespace {

// Rows of each group; groups in the order of their numbers, of which some may be missing.
std::vector<std::vector<std::size_t>> rows_of_groups(std::span<const std::uint32_t> groups) {
  std::map<std::uint32_t, std::vector<std::size_t>> rows;
  for (std::size_t i = 0; i < groups.size(); ++i) rows[groups[i]].push_back(i);
  std::vector<std::vector<std::size_t>> lists;
  for (auto& [group, own] : rows) lists.push_back(std::move(own));
  return lists;
}

RowSplit hold_out_rows(std::vector<std::size_t> held, std::size_t rows) {
  RowSplit split;
  std::ranges::sort(held);
  split.held_out = std::move(held);
  auto next = split.held_out.begin();
  for (std::size_t i = 0; i < rows; ++i) {
    if (next != split.held_out.end() && *next == i) {
      ++next;
    } else {
      split.train.push_back(i);
    }
  }
  return split;
}

void append(std::vector<std::size_t>& rows, const std::vector<std::size_t>& more) {
  rows.insert(rows.end(), more.begin(), more.end());
}

std::vector<RowSplit> hold_out_each(std::vector<std::vector<std::size_t>> parts, std::size_t rows) {
  std::vector<RowSplit> splits;
  for (std::vector<std::size_t>& part : parts) splits.push_back(hold_out_rows(std::move(part), rows));
  return splits;
}

std::vector<std::size_t> some_rows(std::size_t rows, std::size_t most, std::uint64_t seed) {
  std::vector<std::size_t> which = permutation(rows, seed);
  which.resize(std::min(rows, most));
  std::ranges::sort(which);
  return which;
}

}  // namespace

std::size_t count_groups(std::span<const std::uint32_t> groups) {
  return std::set<std::uint32_t>(groups.begin(), groups.end()).size();
}

RowSplit hold_out(std::span<const std::uint32_t> groups, double fraction, std::uint64_t seed) {
  const auto lists = rows_of_groups(groups);
  const std::vector<std::size_t> order = permutation(lists.size(), seed);
  const auto wanted = static_cast<double>(groups.size()) * fraction;
  const auto off = [&](std::size_t rows) { return std::abs(static_cast<double>(rows) - wanted); };
  std::vector<std::size_t> held;
  std::size_t taken = 0;
  for (const std::size_t g : order) {
    if (taken + 1 == lists.size() || off(held.size() + lists[g].size()) >= off(held.size())) continue;
    append(held, lists[g]);
    ++taken;
  }
  // Where every group is too large, the smallest is least so.
  const auto size_of = [&](std::size_t g) { return lists[g].size(); };
  if (taken == 0) held = lists[*std::ranges::min_element(order, {}, size_of)];
  return hold_out_rows(std::move(held), groups.size());
}

// Largest first, each to the part that has the fewest rows so far, which fills every part before one gets a second.
std::vector<RowSplit> fold(std::span<const std::uint32_t> groups, std::size_t folds, std::uint64_t seed) {
  const auto lists = rows_of_groups(groups);
  std::vector<std::size_t> order = permutation(lists.size(), seed);
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t g) { return lists[g].size(); });
  std::vector<std::vector<std::size_t>> parts(folds);
  for (const std::size_t g : order)
    append(*std::ranges::min_element(parts, {}, &std::vector<std::size_t>::size), lists[g]);
  return hold_out_each(std::move(parts), groups.size());
}

std::vector<RowSplit> fold_consecutively(std::span<const std::uint32_t> groups, std::size_t folds) {
  const auto lists = rows_of_groups(groups);
  std::vector<std::vector<std::size_t>> parts(folds);
  for (std::size_t g = 0; g < lists.size(); ++g) append(parts[g * folds / lists.size()], lists[g]);
  return hold_out_each(std::move(parts), groups.size());
}

std::vector<std::size_t> sample_groups(std::span<const std::uint32_t> groups, std::size_t most_rows,
                                       std::uint64_t seed) {
  constexpr std::size_t fewest = 10;
  const auto lists = rows_of_groups(groups);
  std::vector<std::size_t> which;
  std::size_t taken = 0;
  for (const std::size_t g : permutation(lists.size(), seed)) {
    if (which.size() + lists[g].size() > most_rows) continue;
    append(which, lists[g]);
    ++taken;
  }
  if (taken < std::min(fewest, lists.size())) return some_rows(groups.size(), most_rows, seed);
  std::ranges::sort(which);
  return which;
}

std::size_t count_units(const Rows& rows) { return rows.groups.empty() ? rows.size() : count_groups(rows.groups); }

RowSplit hold_out(const Rows& rows, double fraction, std::uint64_t seed) {
  return rows.groups.empty() ? hold_out(rows.size(), fraction, seed) : hold_out(rows.groups, fraction, seed);
}

std::vector<RowSplit> fold(const Rows& rows, std::size_t folds, std::uint64_t seed) {
  if (rows.groups.empty()) return fold(rows.size(), folds, seed);
  return rows.in_order ? fold_consecutively(rows.groups, folds) : fold(rows.groups, folds, seed);
}

std::vector<std::size_t> sample_rows(const Rows& rows, std::size_t most_rows, std::uint64_t seed) {
  return rows.groups.empty() ? some_rows(rows.size(), most_rows, seed) : sample_groups(rows.groups, most_rows, seed);
}

}  // namespace shrimp
